import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { repetitions } from '../../../test/support/effort.ts';
import { stringify } from 'yaml';
import { listKeys, listSections } from '../../model/config/keys.ts';
import { checkConfig, defaultConfig } from '../../model/config/schema.ts';
import { isGoodConfig } from './yaml-source.ts';
import { getConfigValue, listConfig, parseConfig } from './parse.ts';

describe('parseConfig', () => {
  it('applies what the file says over the defaults', () => {
    const { config, findings } = parseConfig('format: 1\nsearch:\n  default_results: 12\n');
    expect(findings).toEqual([]);
    expect(config).toEqual({ ...defaultConfig(), search: { ...defaultConfig().search, default_results: 12 } });
  });

  it('takes an empty file and sections whose keys are commented out', () => {
    for (const text of ['', '# nothing\n', 'search:\n  # min_score: 0.2\n', 'search: {}\nworkspace:\n  patterns:\n']) {
      expect(parseConfig(text)).toEqual({ config: { ...defaultConfig(), format: 0 }, findings: [] });
    }
  });

  it('reports an invalid value with line, what is allowed and what is in effect, and applies the rest', () => {
    const { config, findings } = parseConfig('format: 1\nsearch:\n  max_results: many # typo\n  min_score: 0.2\n');
    expect(config.search).toMatchObject({ max_results: 20, min_score: 0.2 });
    expect(findings).toEqual([
      {
        kind: 'value',
        key: 'search.max_results',
        line: 3,
        message: 'search.max_results takes a whole number from 1 to 1000; the file has other text. In effect: 20.',
        hint: 'Correct it, or remove it to get 20.',
      },
    ]);
  });

  it('puts the fallback’s value in the place of an invalid one', () => {
    const fallback = { ...defaultConfig(), time_zone: 'Asia/Tokyo' };
    expect(parseConfig('time_zone: Asia/Tokio', fallback).config.time_zone).toBe('Asia/Tokyo');
  });

  it('reports each unknown key with the one probably meant', () => {
    const { findings } = parseConfig(
      'format: 1\nserch: 3\nmemory:\n  search:\n    min_score: 50\nsearch:\n  reank: 3\nscheduler:\n  hourly: 5\n',
    );
    expect(findings.map(({ kind, line, key, hint }) => ({ kind, line, key, hint }))).toEqual([
      { kind: 'unknown-key', line: 2, key: 'serch', hint: 'Did you mean search?' },
      { kind: 'unknown-key', line: 5, key: 'memory.search.min_score', hint: 'Did you mean search.min_score?' },
      { kind: 'unknown-key', line: 7, key: 'search.reank', hint: 'Did you mean search.rerank?' },
      { kind: 'unknown-key', line: 9, key: 'scheduler.hourly', hint: 'See `mneme config list` for all settings.' },
    ]);
    expect(isGoodConfig(findings)).toBe(true);
  });

  it('keeps a dotted key apart from the setting it was meant to be', () => {
    const { config, findings } = parseConfig('format: 1\n"git.hooks": false\ngit:\n  hooks: 5\n');
    expect(config).toEqual(defaultConfig());
    expect(findings.map(({ kind, line }) => [kind, line])).toEqual([
      ['unknown-key', 2],
      ['value', 4],
    ]);
    expect(findings[0]?.hint).toContain('indented below');
  });

  it('counts the unknown keys it does not name', () => {
    const { findings } = parseConfig(Array.from({ length: 50 }, (_, index) => `zzz${index}: 1\n`).join(''));
    expect(findings).toHaveLength(21);
    expect(findings.at(-1)?.message).toContain('30 more keys');
  });

  it('reports a section that is not one, and a mistake deep inside a list once', () => {
    const { config, findings } = parseConfig('search: 5\nserver:\n  tokens:\n    - {nam: x, role: king}\n');
    expect(findings.map(({ key, line }) => [key, line])).toEqual([
      ['search', 1],
      ['server.tokens', 3],
    ]);
    expect(config).toEqual({ ...defaultConfig(), format: 0 });
  });

  it('reports settings that contradict each other and keeps the former ones', () => {
    const { config, findings } = parseConfig('core:\n  max_tokens: 100\n');
    expect(findings).toMatchObject([{ kind: 'rule', key: 'core.max_tokens', line: 2 }]);
    expect(config.core).toEqual(defaultConfig().core);
  });

  it('reads a file of an earlier version, and says what happens instead of each setting that is gone', () => {
    const { config, findings } = parseConfig(
      [
        'format: 1',
        'search:',
        '  min_score: 0.2',
        '  weights: {semantic: 0.9}',
        'chunking:',
        '  # max_tokens: 60',
        'archive:',
        '  path: old',
        'scheduler:',
        '  jitter_seconds: 0',
        '  daily: 0 4 * * *',
        'reasoner:',
        '  models: {slug: a, gate: b, reflect: null}',
        'gc: {}',
        '',
      ].join('\n'),
    );
    const defaults = defaultConfig();
    expect(config).toEqual({
      ...defaults,
      search: { ...defaults.search, min_score: 0.2 },
      scheduler: { daily: '0 4 * * *' },
      reasoner: { ...defaults.reasoner, models: { gate: 'b', reflect: null } },
    });
    expect(findings.map(({ kind, key, line }) => [kind, key, line])).toEqual([
      ['removed-key', 'search.weights.semantic', 4],
      ['removed-key', 'archive.path', 8],
      ['removed-key', 'scheduler.jitter_seconds', 10],
      ['removed-key', 'reasoner.models.slug', 13],
    ]);
    expect(findings[1]?.message).toBe('"archive.path" is no longer a setting: it never had an effect.');
    expect(isGoodConfig(findings)).toBe(true);
  });

  it('reports broken YAML with its line and uses the fallback', () => {
    const { config, findings } = parseConfig('format: 1\nsearch: [1\n', {
      ...defaultConfig(),
      time_zone: 'Asia/Tokyo',
    });
    expect(config.time_zone).toBe('Asia/Tokyo');
    expect(findings[0]).toMatchObject({ kind: 'syntax', line: expect.any(Number) });
    const unreadable = ['- a\n- b\n', 'just text', 'a: 1\n---\nb: 2\n', 'git: &x [*x]\n', 'git: {}\ngit: {}\n'];
    expect(unreadable.filter((text) => parseConfig(text).findings[0]?.kind !== 'syntax')).toEqual([]);
  });

  it('never repeats text that could be a secret', () => {
    const { findings } = parseConfig(
      'reasoner:\n  openai_api_key_env: sk-live-12345\ngit:\n  remote: https://u:sk-live-12345@h/r\n',
    );
    expect(findings).toHaveLength(2);
    expect(JSON.stringify(findings)).not.toContain('sk-live');
  });

  it('says that a newer format opens read-only', () => {
    expect(parseConfig('format: 99\n').findings).toMatchObject([{ kind: 'format', line: 1 }]);
  });

  it('survives any text', () => {
    const yamlish = fc.string({
      unit: fc.constantFrom(...':{}[]&*#|->!?\'",\n\t a1~%@', 'git', 'search', '\r\n', '__proto__'),
      maxLength: 60,
    });
    fc.assert(
      fc.property(fc.oneof(yamlish, fc.string({ unit: 'binary' })), (text) => {
        expect(checkConfig(parseConfig(text).config).success).toBe(true);
      }),
      { numRuns: repetitions(15, 200) },
    );
  });

  it('survives any values under known and unknown names', () => {
    const word = fc.constantFrom(
      ...listKeys().flatMap(({ key }) => key.split('.')),
      ...listSections().map(({ name }) => name),
      '__proto__',
      'constructor',
      'toString',
      '0',
    );
    const { tree } = fc.letrec((tie) => ({
      tree: fc.dictionary(word, fc.oneof({ depthSize: 'small' }, fc.jsonValue(), tie('tree')), { maxKeys: 6 }),
    }));
    fc.assert(
      fc.property(tree, (value) => {
        const { config } = parseConfig(stringify(value));
        expect(checkConfig(config).success).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});

describe('getting and listing', () => {
  const text = 'format: 1\nsearch:\n  default_results: 12\n  max_results: 20\n';

  it('gets a setting or a section', () => {
    const { config } = parseConfig(text);
    expect(getConfigValue(config, 'search.default_results')).toBe(12);
    expect(getConfigValue(config, 'decay')).toEqual({ grace_days: 30, lambda_per_day: 0.03 });
    expect(getConfigValue(config, 'scheduler.daily')).toBe('0 3 * * *');
    expect(() => getConfigValue(config, 'decay.base')).toThrow('"decay.base" is no longer a section of settings.');
    expect(() => getConfigValue(config, 'search.toString')).toThrow('There is no setting search.toString.');
  });

  it('lists every setting with value, default and line', () => {
    const entries = listConfig(parseConfig(text).config, text);
    expect(entries).toHaveLength(listKeys().length);
    const pick = (key: string) => entries.find((entry) => entry.key === key);
    expect(pick('search.default_results')).toMatchObject({ value: 12, default: 10, isDefault: false, line: 3 });
    expect(pick('search.max_results')).toMatchObject({ value: 20, isDefault: true, line: 4 });
    expect(pick('search.min_score')).toMatchObject({ value: 0.3, isDefault: true, line: undefined });
  });
});
