import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { repetitions } from '../../../test/support/effort.ts';
import { listKeys, type ConfigKey } from '../../model/config/keys.ts';
import { CONFIG_RULES } from '../../model/config/rules.ts';
import { checkConfig } from '../../model/config/schema.ts';
import { isMnemeError, must } from '../../model/errors.ts';
import { setConfigValue, unsetConfigValue } from './change.ts';
import { newConfigText } from './file.ts';
import { getConfigValue, parseConfig } from './parse.ts';

const HAND_WRITTEN = `# my memory
format: 1   # do not touch
time_zone: "Europe/Berlin"

search:
  # how many
  default_results:   12 # enough

  min_score: 0.2
  # last words

hooks: {timeout_ms: 900, inject_context: true}   # tuned

git: # nothing yet
embedding:
    provider: ollama
    ollama:
        model: nomic-embed-text
        # base_url: http://elsewhere:11434
agents:
  trusted:
    - researcher # the good one
    - coder
  review: manual
`;

function failure(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('setConfigValue', () => {
  it.each([
    ['search.default_results', '8', '  default_results:   12 # enough', '  default_results:   8 # enough'],
    ['hooks.inject_context', 'false', 'inject_context: true}   # tuned', 'inject_context: false}   # tuned'],
    ['hooks.flush_before_compaction', 'true', 'hooks: {timeout', 'hooks: {flush_before_compaction: true, timeout'],
    ['git.branch', '2024', 'git: # nothing yet\n', 'git: # nothing yet\n  branch: "2024"\n'],
    ['embedding.gemini.model', 'x', '        # base_url', '    gemini:\n      model: x\n        # base_url'],
    [
      'agents.trusted',
      '[a, "b, c"]',
      '  trusted:\n    - researcher # the good one\n    - coder\n',
      '  trusted: [a, "b, c"]\n',
    ],
    ['scheduler.daily', '*/5 * * * *', '  review: manual\n', '  review: manual\nscheduler:\n  daily: "*/5 * * * *"\n'],
    ['search.max_results', '9', '  # last words', '  max_results: 9\n  # last words'],
    [
      'reasoner.prices_usd_per_million',
      '{m: {input: 1, output: 2}}',
      '  review: manual\n',
      '  review: manual\nreasoner:\n  prices_usd_per_million: {m: {input: 1, output: 2}}\n',
    ],
  ])('changes only the place of %s', (key, raw, old, replacement) => {
    expect(setConfigValue(HAND_WRITTEN, key, raw)).toBe(HAND_WRITTEN.replace(old, () => replacement));
  });

  it('keeps CRLF, a byte-order mark and a missing last line end', () => {
    expect(setConfigValue('\uFEFFformat: 1\r\ngit:\r\n  hooks: true', 'git.cadence', 'batch')).toBe(
      '\uFEFFformat: 1\r\ngit:\r\n  hooks: true\r\n  cadence: batch\r\n',
    );
    expect(setConfigValue('\uFEFF', 'git.hooks', 'false')).toBe('\uFEFFgit:\n  hooks: false\n');
    expect(setConfigValue('{format: 1}', 'git.hooks', 'false')).toBe('{git: {hooks: false}, format: 1}');
    expect(setConfigValue('git: null\n', 'git.hooks', 'false')).toBe('git: {hooks: false}\n');
    expect(setConfigValue('git:\n  remote:\n', 'git.remote', 'host:x')).toBe('git:\n  remote: host:x\n');
  });

  it('leaves the text alone when the value is already there', () => {
    expect(setConfigValue(HAND_WRITTEN, 'search.min_score', '0.20')).toBe(HAND_WRITTEN);
  });

  it('refuses what the schema refuses, saying what is allowed', () => {
    const error = failure(() => setConfigValue('', 'search.max_results', 'lots'));
    expect(isMnemeError(error, 'usage')).toBe(true);
    expect(error).toMatchObject({
      message: 'search.max_results takes a whole number from 1 to 1000.',
    });
    expect(
      isMnemeError(
        failure(() => setConfigValue('', 'git.branch', 'null')),
        'usage',
      ),
    ).toBe(true);
    expect(
      isMnemeError(
        failure(() => setConfigValue('', 'git.hooks', 'yes')),
        'usage',
      ),
    ).toBe(true);
    expect(
      isMnemeError(
        failure(() => setConfigValue('', 'core.max_tokens', '100')),
        'usage',
      ),
    ).toBe(true);
    expect(
      isMnemeError(
        failure(() => setConfigValue('a: [', 'git.hooks', 'true')),
        'usage',
      ),
    ).toBe(true);
  });

  it('refuses unknown keys with a suggestion', () => {
    const error = failure(() => setConfigValue('', 'search.max_reslts', '3'));
    expect(isMnemeError(error, 'not-found')).toBe(true);
    expect(error).toMatchObject({ hint: 'Did you mean search.max_results?' });
  });

  it('refuses to change what init fixed, unless forced', () => {
    expect(
      isMnemeError(
        failure(() => setConfigValue(HAND_WRITTEN, 'time_zone', 'Asia/Tokyo')),
        'refused',
      ),
    ).toBe(true);
    expect(
      isMnemeError(
        failure(() => unsetConfigValue(HAND_WRITTEN, 'format')),
        'refused',
      ),
    ).toBe(true);
    expect(setConfigValue(HAND_WRITTEN, 'time_zone', 'Europe/Berlin')).toBe(HAND_WRITTEN);
    expect(setConfigValue(HAND_WRITTEN, 'time_zone', 'Asia/Tokyo', { force: true })).toContain(
      'time_zone: Asia/Tokyo\n',
    );
  });

  it('refuses rather than break YAML it cannot edit', () => {
    const anchored = 'search:\n  min_score: &score 0.2\ngc:\n  max_score: *score\n';
    expect(
      isMnemeError(
        failure(() => setConfigValue(anchored, 'search.min_score', '0.5')),
        'conflict',
      ),
    ).toBe(true);
    expect(
      isMnemeError(
        failure(() => setConfigValue('format: 1\n...\n', 'git.hooks', 'false')),
        'conflict',
      ),
    ).toBe(true);
  });
});

describe('unsetConfigValue', () => {
  it.each([
    ['search.default_results', '  default_results:   12 # enough\n', ''],
    ['hooks.timeout_ms', 'timeout_ms: 900, ', ''],
    ['hooks.inject_context', ', inject_context: true', ''],
    ['embedding.ollama.model', '    ollama:\n        model: nomic-embed-text\n', ''],
    ['agents.trusted', '  trusted:\n    - researcher # the good one\n    - coder\n', ''],
    ['search.rerank', '', ''],
  ])('takes out only %s', (key, old, replacement) => {
    expect(unsetConfigValue(HAND_WRITTEN, key)).toBe(HAND_WRITTEN.replace(old, replacement));
  });

  it('takes out a setting of an earlier version, and explains one that is not there', () => {
    expect(unsetConfigValue('search:\n  rrf_k: 5\n  min_score: 0.2\n', 'search.rrf_k')).toBe(
      'search:\n  min_score: 0.2\n',
    );
    expect(failure(() => unsetConfigValue('', 'search.rrf_k'))).toMatchObject({
      message: '"search.rrf_k" is no longer a setting: the order of hits is as measured best.',
    });
  });

  it('takes out keys that are no settings, but not ones that are not there', () => {
    expect(unsetConfigValue('serch:\n  x: 1\ngit:\n  hooks: true\n', 'serch.x')).toBe('git:\n  hooks: true\n');
    expect(
      isMnemeError(
        failure(() => unsetConfigValue('', 'serch.x')),
        'not-found',
      ),
    ).toBe(true);
  });
});

const SAMPLES: Readonly<Record<string, readonly unknown[]>> = {
  'a cron expression such as "0 3 * * *"': ['0 3 * * *', '*/5 * * * *', '15 1-5 * jan,feb mon'],
  'an http(s) address without a password in it': ['http://localhost:1/v1', 'https://example.org/#x'],
  'the address or path of a git repository, without a password in it': ['git@example.org:me/m.git', '../m', 'C:\\m'],
  'a relative path with forward slashes and without ".."': ['a', 'a b/c.json', '#x/: y'],
  'an IANA time zone such as Europe/Berlin': ['UTC', 'Asia/Tokyo'],
  'the name of an environment variable (capitals, digits, underscores)': ['A', 'MY_KEY_2'],
  'a list of journal, episodes, sessions': [[], ['journal', 'sessions']],
  'a list of literal texts or /regular expressions/': [[], ['a, b', '/x{1,3}#/i', "it's"]],
  'a list of whole numbers from 1': [[], [1, 7]],
  'a branch name of letters, digits, _ - . and /': ['main', '2024', 'a/b-c', 'null', 'true'],
  'a name of small letters, digits and underscores': ['mneme', 'x1', 'no'],
  'agents by name, each with a list of scopes, such as {researcher: [project:apollo]}': [{}, { a: ['project:x'] }],
  'a table of purpose: US dollars': [{}, { gate: 0.5, reflect: 1 }],
  'a table of model: {input: US dollars, output: US dollars}': [{}, { 'a: b': { input: 1, output: 2.5 } }],
};

function valuesFor({ allowed, schema }: ConfigKey): fc.Arbitrary<unknown> {
  const plain = allowed.replace(/, or null$/, '');
  const line = fc
    .string({ minLength: 1 })
    .filter((text) => !/[<>\p{Cc}\u2028\u2029]/u.test(text) && text.trim() !== '');
  const option = schema.anyOf?.map((part) => (typeof part === 'boolean' ? {} : part))[0] ?? schema;
  const samples = SAMPLES[plain] ?? (option.enum as readonly unknown[] | undefined);
  if (samples !== undefined) return fc.constantFrom(...samples);
  if (plain.startsWith('a line of text')) return line;
  if (plain === 'a list of texts') return fc.array(line, { maxLength: 4 });
  if (plain.startsWith('a table of path'))
    return fc.dictionary(line, fc.constantFrom('journal', 'ignore'), { maxKeys: 3 });
  if (plain.startsWith('a table of job: cron expression'))
    return fc.constantFrom({}, { daily: null }, { daily: '0 3 * * *', push: '*/5 * * * *' });
  if (plain.startsWith('a table of purpose: model'))
    return fc.constantFrom({}, { gate: 'small' }, { gate: 'small', reflect: 'large: 2' });
  if (plain.startsWith('a list of {name'))
    return fc.constantFrom([], [{ name: 'n', role: 'reader', token_env: 'T', scope: 'project:x' }]);
  if (option.type === 'boolean') return fc.boolean();
  const range = { min: option.minimum ?? 0, max: option.maximum ?? Number.MAX_SAFE_INTEGER };
  if (option.type === 'integer') return fc.integer(range);
  if (option.type === 'number') return fc.double({ ...range, noNaN: true });
  throw new Error(`no values for ${allowed}`);
}

const RULED = new Set(CONFIG_RULES.flatMap(({ keys }) => keys));
const anySetting = fc
  .constantFrom(...listKeys().filter(({ key }) => !RULED.has(key)))
  .chain((info) => fc.tuple(fc.constant(info.key), valuesFor(info)));

/** Counts the lines of `before` that are not found again, in place, in `after`. */
function linesTouched(before: string, after: string): number {
  const old = before.split('\n');
  const now = after.split('\n');
  let start = 0;
  while (start < old.length && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < old.length - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  return old.length - start - end;
}

describe('any setting', () => {
  const start = newConfigText({ timeZone: 'Europe/Berlin', layout: 'vault' });

  it('is read back as it was set, with every other line as it was', () => {
    fc.assert(
      fc.property(fc.array(anySetting, { minLength: 1, maxLength: 8 }), fc.boolean(), (settings, crlf) => {
        let text = crlf ? start.replaceAll('\n', '\r\n') : start;
        for (const [key, value] of settings) {
          const before = text;
          const expected = parseConfig(before).config;
          text = setConfigValue(before, key, JSON.stringify(value), { force: true });
          const { config, findings } = parseConfig(text);
          expect(getConfigValue(config, key)).toEqual(
            getConfigValue(must(checkConfig(nest(key, value)).data, key), key),
          );
          expect(findings.filter(({ kind }) => kind !== 'format')).toEqual([]);
          expect(linesTouched(before, text)).toBeLessThanOrEqual(1);
          const others = listKeys().filter((info) => info.key !== key);
          const changed = others.filter(
            (info) => !isDeepStrictEqual(getConfigValue(config, info.key), getConfigValue(expected, info.key)),
          );
          expect(changed).toEqual([]);
        }
      }),
      { numRuns: repetitions(10, 50) },
    );
  });

  it('is gone without a trace when it is set and unset', () => {
    fc.assert(
      fc.property(anySetting, ([key, value]) => {
        fc.pre(!start.includes(`${key.split('.').at(-1)}:`));
        const text = setConfigValue(start, key, JSON.stringify(value));
        expect(unsetConfigValue(text, key)).toBe(start);
      }),
      { numRuns: repetitions(30, 150) },
    );
  });
});

function nest(key: string, value: unknown): unknown {
  return key.split('.').reduceRight<unknown>((inner, word) => ({ [word]: inner }), value);
}
