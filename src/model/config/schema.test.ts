import { describe, expect, it } from 'vitest';
import { isMnemeError } from '../errors.ts';
import { isCron } from './running.ts';
import { findKey, getKey, listKeys, listSections, suggestKey } from './keys.ts';
import { describeRemoved } from './removed.ts';
import { CONFIG_RULES } from './rules.ts';
import { checkConfig, configHash, configSchema, CURRENT_FORMAT, defaultConfig } from './schema.ts';
import { isTimeZone } from '../time.ts';

describe('the schema', () => {
  it('takes the empty file and knows the decided defaults', () => {
    const config = defaultConfig();
    expect(config).toMatchObject({
      format: 1,
      search: { default_results: 10, max_results: 20, min_score: 0.3 },
      core: { max_tokens: 3000, max_lines: 200 },
      retention: { journal: { archive_after_days: 90, delete_after_days: null } },
      audit: { retention_days: 90 },
      watchers: { similarity_threshold: 0.15 },
      embedding: { provider: 'builtin' },
      server: { host: '127.0.0.1' },
      git: { cadence: 'mutation' },
      proposals: { auto_approve: false },
    });
  });

  it('has the generated defaults of its own sections, whether all of them are built or some', () => {
    expect(defaultConfig()).toEqual(configSchema().parse({ format: CURRENT_FORMAT }));
    const some = checkConfig({ search: { default_results: 12 }, time_zone: 'Europe/Berlin' });
    expect(some.data).toEqual(configSchema().parse({ search: { default_results: 12 }, time_zone: 'Europe/Berlin' }));
  });

  it('describes every key and section in one line', () => {
    const described = [...listKeys(), ...listSections().slice(1)];
    expect(described.filter(({ description }) => !/^[^\n]+\.$/.test(description))).toEqual([]);
  });

  it('has a valid default for every key', () => {
    const invalid = listKeys().filter(({ key, default: standard }) => {
      const tree = key.split('.').reduceRight<unknown>((inner, word) => ({ [word]: inner }), standard);
      return !checkConfig(tree).success;
    });
    expect(invalid).toEqual([]);
  });

  it('has no key that could hold a secret, only names of variables', () => {
    const secretLike = listKeys().filter(({ key }) => /(?:key|secret|password|token)$/.test(key));
    expect(secretLike).toEqual([]);
    expect(checkConfig({ embedding: { openai: { api_key_env: 'sk-proj-abc' } } }).success).toBe(false);
    expect(checkConfig({ git: { remote: 'https://me:secret@example.org/m.git' } }).success).toBe(false);
  });

  it('has rules about existing keys that the defaults keep', () => {
    expect(CONFIG_RULES.flatMap(({ keys }) => keys).filter((key) => findKey(key) === undefined)).toEqual([]);
    expect(CONFIG_RULES.filter(({ holds }) => !holds(defaultConfig()))).toEqual([]);
  });

  it.each([
    ['git', 'branch', '--force'],
    ['git', 'branch', 'a..b'],
    ['git', 'remote', '--upload-pack=x'],
    ['git', 'author_name', 'A <b>'],
    ['index', 'postgres_schema', 'x; drop'],
    ['redaction', 'allow', ['/(/']],
    ['scheduler', 'daily', '61 * * * *'],
    ['scheduler', 'nightly', '0 3 * * *'],
    ['workspace', 'patterns', { '*.md': 'nowhere' }],
  ])('refuses %s.%s %j', (section, key, value) => {
    expect(checkConfig({ [section]: { [key]: value } }).success).toBe(false);
  });
});

describe('configHash', () => {
  it('is the same for the same settings and differs for others', () => {
    const hash = configHash(defaultConfig());
    expect(hash).toMatch(/^[0-9a-f]{16}$/);
    const { format, ...others } = defaultConfig();
    expect(configHash({ ...others, format })).toBe(hash);
    expect(configHash({ ...defaultConfig(), time_zone: 'Asia/Tokyo' })).not.toBe(hash);
  });
});

describe('names of settings', () => {
  it.each([
    ['search.max_result', 'search.max_results'],
    ['serach.min_score', 'search.min_score'],
    ['min_score', 'search.min_score'],
    ['git.private-scopes', 'git.private_scopes'],
    ['embeding', 'embedding'],
    ['completely.different', undefined],
  ])('%s is probably %s', (wrong, meant) => {
    expect(suggestKey(wrong)).toBe(meant);
  });

  it('include the entries of tables that know their names', () => {
    expect(getKey('scheduler.daily')).toMatchObject({ default: '0 3 * * *' });
    expect(getKey('reasoner.models.reflect')).toMatchObject({ default: null });
    expect(() => getKey('scheduler.hourly')).toThrow('There is no setting scheduler.hourly.');
  });

  it('of earlier versions are explained, and are not names of settings', () => {
    expect(() => getKey('search.rrf_k')).toThrow(
      expect.objectContaining({
        code: 'usage',
        message: '"search.rrf_k" is no longer a setting: the order of hits is as measured best.',
      }),
    );
    expect(listKeys().filter(({ key }) => describeRemoved(key) !== undefined)).toEqual([]);
  });

  it('are few enough to read', () => {
    expect(listKeys().length).toBeLessThanOrEqual(120);
  });

  it('are refused with that suggestion', () => {
    expect(() => getKey('search.max_result')).toThrow(
      expect.objectContaining({ hint: 'Did you mean search.max_results?' }),
    );
    expect(
      isMnemeError(
        attempt(() => getKey('search.max_result')),
        'not-found',
      ),
    ).toBe(true);
    expect(
      isMnemeError(
        attempt(() => getKey('search')),
        'usage',
      ),
    ).toBe(true);
  });
});

describe('time zones and schedules', () => {
  it('wants a place for a time zone', () => {
    expect(['UTC', 'Europe/Berlin', 'America/Argentina/Salta'].filter(isTimeZone)).toHaveLength(3);
    expect(['', 'Mars/Olympus', '+01:00', 'Europe/'].filter(isTimeZone)).toEqual([]);
  });

  it('knows a cron expression', () => {
    const good = ['* * * * *', '0 3 * * *', '*/15 0-6,22 1,15 jan-mar mon', '5 4 * * 7', '0 0 1-31/2 * sun'];
    const bad = [
      '',
      '* * * *',
      '* * * * * *',
      '60 * * * *',
      '* 24 * * *',
      '* * 0 * *',
      '* * * 13 *',
      '5-1 * * * *',
      '*/0 * * * *',
      'a * * * *',
    ];
    expect(good.filter(isCron)).toEqual(good);
    expect(bad.filter(isCron)).toEqual([]);
  });
});

function attempt(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}
