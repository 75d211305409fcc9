import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { repetitions } from '../../../test/support/effort.ts';
import { readLookAlikes, readSecretSamples, tellingPart } from '../../../test/support/secret-sets.ts';
import { HARMLESS } from '../../../test/support/harmless-values.ts';
import { findByPreset } from './secrets/preset.ts';
import { mayHoldSecret, mayHoldVendorToken } from './secrets/rule.ts';
import {
  BASE64,
  contextSamples,
  createDraw,
  jwt,
  mixed,
  pem,
  vendorTokens,
  type Sample,
} from '../../../test/support/secret-samples.ts';
import { createRedactor } from './redact.ts';

const redactor = createRedactor({ allow: [], enabled: true });
const draw = createDraw(20260216);

/** Each vendor's token in prose, in a shell line and in JSON. */
function surround([rule, token]: [string, string]): Sample[] {
  return [
    [rule, 'Use ', token, ' from now on.'],
    [rule, 'export VALUE=', token, '\nnext line'],
    [rule, '{"value": "', token, '"}'],
  ];
}

const SAMPLES: Sample[] = [...vendorTokens(draw).flatMap(surround), ...contextSamples(draw)];

// SPEC SAFETY-3
describe('what is redacted', () => {
  it('is tested on enough variety', () => {
    expect(SAMPLES.length).toBeGreaterThanOrEqual(120);
    expect(new Set(SAMPLES.map(([rule]) => rule)).size).toBeGreaterThan(50);
  });

  it.each(SAMPLES)('%s after %j', async (rule, before, secret, after) => {
    const result = await redactor.redact(before + secret + after);
    expect(result.text).toBe(`${before}[redacted:${rule}]${after}`);
    expect(result.findings).toMatchObject([{ rule, count: 1 }]);
  });

  it.each(SAMPLES)('%s gets past the prefilter', (_rule, before, secret, after) => {
    expect(mayHoldSecret(before + secret + after)).toBe(true);
  });

  it('counts by rule and shows no more than a public prefix', async () => {
    const [first, second] = [`${'gh'}p_${draw(36)}`, `${'gh'}p_${draw(36)}`];
    const { findings } = await redactor.redact(`${first} ${second} password: hunter2`);
    expect(findings).toEqual([
      { rule: 'github-token', count: 2, masked: 'ghp_… (40 characters)' },
      { rule: 'password', count: 1, masked: '… (7 characters)' },
    ]);
  });

  it('finds a secret next to NUL bytes, a byte order mark and lone surrogates', async () => {
    const result = await redactor.redact(`\uFEFF\0password=hunter2\0\uD800`);
    expect(result.text).not.toContain('hunter2');
  });

  it('does not let a comment in the text switch rules off', async () => {
    const token = ['lin', 'api', draw(40)].join('_');
    const { text } = await redactor.redact(`<!-- secretlint-disable -->\n${token}`);
    expect(text).toBe('<!-- secretlint-disable -->\n[redacted:linear]');
  });

  it('redacts what stands beside an earlier marker, and not the marker', async () => {
    const { text } = await redactor.redact(`postgres://app:[redacted:url-password]@db/x ${jwt(draw)}`);
    expect(text).toBe('postgres://app:[redacted:url-password]@db/x [redacted:jwt]');
  });
});

describe('what stood there before', () => {
  const LINES = Array.from({ length: 300 }, (_, number) => `- Line ${number} about the key to the ${draw(40)} house.`);
  const known = LINES.join('\n');

  it('hides no secret that comes to it', { timeout: 60_000 }, async () => {
    const byRule = new Map(SAMPLES.map((sample) => [sample[0], sample]));
    await redactor.redact(known);
    for (const [, before, secret, after] of byRule.values()) {
      const at = (secret.length * 7) % LINES.length;
      const text = LINES.toSpliced(at, 1, `${before}${secret}${after}`).join('\n');
      expect(await redactor.redact(text, known)).toEqual(await redactor.redact(text));
    }
  });

  it('hides no secret whose lines come together because those between them went', async () => {
    const [head, body] = ['machine api.example.org', '  login me@example.org\n  password correcthorse'];
    const apart = [...LINES.slice(0, 100), head, ...LINES.slice(100, 220), body, ...LINES.slice(220)];
    expect((await redactor.redact(apart.join('\n'))).findings).toEqual([]);
    const together = apart.toSpliced(101, 120).join('\n');
    expect((await redactor.redact(together, apart.join('\n'))).findings).toMatchObject([{ rule: 'netrc' }]);
  });

  it('is searched again unless it was this redactor that searched it', async () => {
    const text = `${known}\npassword: hunter2\n${known}`;
    expect((await redactor.redact(`${text}\none more`, text)).findings).toHaveLength(1);
  });

  it('is reached over any number of blank lines', async () => {
    const base = `${known}\naws_secret_access_key =${'\n'.repeat(3000)}`;
    expect((await redactor.redact(base)).findings).toEqual([]);
    const text = `${base}${draw(40, BASE64)}\n`;
    expect(await redactor.redact(text, base)).toEqual(await redactor.redact(text));
  });
});

describe('what is kept', () => {
  it('is tested on enough variety', () => expect(new Set(HARMLESS).size).toBeGreaterThanOrEqual(120));

  it.each(HARMLESS)('%s', async (text) => {
    expect(await redactor.redact(text)).toEqual({ text, findings: [] });
  });

  it('is everything when redaction is switched off', async () => {
    const off = createRedactor({ allow: [], enabled: false });
    expect(await off.redact('password: hunter2')).toEqual({ text: 'password: hunter2', findings: [] });
  });
});

describe('samples that were written before the rules were', () => {
  const SEED = 20_261_118;

  it.each(['development', 'blind'] as const)('of the %s set are redacted', async (name) => {
    const samples = readSecretSamples(name, SEED);
    const missed: string[] = [];
    for (const { form, text, secrets } of samples) {
      const kept = (await redactor.redact(text)).text;
      if (secrets.some((secret) => kept.includes(tellingPart(secret)))) missed.push(`${form}: ${kept}`);
    }
    expect(missed).toEqual([]);
    expect(samples.length).toBeGreaterThan(name === 'blind' ? 150 : 80);
  });

  it('that only look like secrets stay as they are', async () => {
    const texts = readLookAlikes();
    expect(texts.length).toBeGreaterThan(150);
    for (const text of texts) expect((await redactor.redact(text)).text).toBe(text);
  });

  it('are redacted only where the number of a card adds up', async () => {
    const card = readSecretSamples('blind', SEED).find(({ form }) => form === 'card-en');
    const number = card?.secrets[0] ?? '';
    const other = `${number.slice(0, -1)}${(Number(number.at(-1)) + 1) % 10}`;
    expect((await redactor.redact(`My credit card is ${number}.`)).text).toBe(
      'My credit card is [redacted:card-number].',
    );
    expect((await redactor.redact(`My credit card is ${other}.`)).text).toContain(other);
  });
});

describe('secretlint’s preset', () => {
  /** gcp reads `.json` and `.p12` files; the key inside is found by the rule for private keys. */
  const WITHOUT_SAMPLE = ['gcp', 'filter-comments'];

  it('has a sample for each of its rules, which the prefilter lets through', async () => {
    const preset = await import('@secretlint/secretlint-rule-preset-recommend');
    const names = preset.rules.map((rule: { meta: { id: string } }) =>
      rule.meta.id.replace('@secretlint/secretlint-rule-', ''),
    );
    const found = new Set<string>();
    for (const [, before, secret, after] of SAMPLES) {
      const text = before + secret + after;
      const spans = await findByPreset(text);
      for (const span of spans) {
        found.add(span.rule);
        expect(secret).toContain(text.slice(span.start, span.end));
      }
      expect(spans.length === 0 || mayHoldVendorToken(text)).toBe(true);
    }
    expect([...found, ...WITHOUT_SAMPLE].toSorted()).toEqual(names.toSorted());
  });
});

describe('the shortest texts that the preset recognises', () => {
  it.each([
    'xoxb-a-b',
    'xapp-a-b',
    'https://hooks.slack.com/services/Ta/Bb/c',
    'http://ab:cdef@h.io',
    'mysql://u:abcd@h',
    'mongodb://u:abcd@h',
    `secretaccesskey=${'/Ab1'.repeat(10)}`,
    `${'vc'}p_${'a1'.repeat(10)}`,
  ])('get past the prefilter: %s', async (text) => {
    expect(await findByPreset(text)).toHaveLength(1);
    expect(mayHoldSecret(text) && mayHoldVendorToken(text)).toBe(true);
  });
});

describe('the allow list', () => {
  const redactWith = async (allow: string[], text: string): Promise<string> =>
    (await createRedactor({ allow, enabled: true }).redact(text)).text;

  it('keeps a literal secret, and only that', async () => {
    expect(await redactWith(['hunter2'], 'password: hunter2, password: hunter3')).toBe(
      'password: hunter2, password: [redacted:password]',
    );
  });

  it('keeps a secret inside a longer literal without allowing it elsewhere', async () => {
    const url = 'postgres://app:dev1234@db/test';
    expect(await redactWith([url], `${url} but password: dev1234`)).toBe(`${url} but password: [redacted:password]`);
  });

  it('keeps what a pattern matches', async () => {
    expect(await redactWith(['/^dev\\d+$/i'], 'password: DEV1234')).toBe('password: DEV1234');
    expect(await redactWith(['/^dev\\d+$/'], 'password: DEV1234')).toBe('password: [redacted:password]');
  });

  it('takes a path for a literal', async () => {
    expect(await redactWith(['/etc/hunter2'], 'password: hunter2')).toBe('password: [redacted:password]');
  });

  it.each([
    '',
    '   ',
    'x'.repeat(201),
    '/(a+)+$/',
    '/(a|a)*b/',
    '/(?:ab){2,}/',
    '/a*b*c*d*/',
    '/a?a?a?a?b/',
    '/(a)\\1/',
    '/[/',
  ])('rejects %j', (entry) => {
    expect(() => createRedactor({ allow: [entry], enabled: true })).toThrow(
      expect.objectContaining({ name: 'MnemeError', code: 'usage' }),
    );
  });
});

describe('any text', () => {
  const secret = fc.constantFrom(...SAMPLES.map(([, before, middle, after]) => before + middle + after));
  const noise = fc.constantFrom(
    'password',
    '=',
    ': ',
    '"',
    "'",
    '`',
    '@',
    '://',
    '[redacted:',
    ']',
    '&',
    '\n',
    '\\',
    '|',
  );
  const text = fc
    .array(fc.oneof(secret, noise, fc.string({ unit: 'binary' }), fc.constantFrom(...HARMLESS)), { maxLength: 8 })
    .map((parts) => parts.join(''));

  it('is unchanged by a second redaction', async () => {
    await fc.assert(
      fc.asyncProperty(text, async (input) => {
        const once = await redactor.redact(input);
        expect(await redactor.redact(once.text)).toEqual({ text: once.text, findings: [] });
      }),
      { numRuns: repetitions(80, 400) },
    );
  });

  it('is only changed where something was found', async () => {
    await fc.assert(
      fc.asyncProperty(text, async (input) => {
        const { text: output, findings } = await redactor.redact(input);
        expect(output === input).toBe(findings.length === 0);
      }),
    );
  });

  const adversarial = [
    'a',
    '-',
    ' ',
    '\0',
    '"',
    'eyJ',
    'eyJaaaaaaaaaa.',
    'password=',
    'token=a&',
    '_authToken=',
    'xoxb-',
    'ghs_1_',
    '-----BEGIN',
    '-----BEGIN PRIVATE KEY-----',
    '-----END PRIVATE KEY-----',
    `SG.a.${'a'.repeat(300)} `,
    'curl -u ',
    'http://a:',
    'http://a:b@',
    'mongodb://a:',
    '[redacted:',
    'machine a login ',
    'secretaccesskey ',
    'the password for the ',
    'password is ',
    'contraseña es ',
    'my pin is ',
    'card 4111 ',
    'recovery codes: abcd-1234 ',
    '| password |\n|---|\n',
    'user,password\n',
    'PuTTY-User-Key-File-3: ',
    `Private-Lines: 1\n${'a'.repeat(64)}\n`,
    'password:\n  ',
    'ENV A_PASSWORD ',
    '"format":"mneme-key-backup-1" ',
    'passwort-',
    'mneme_a',
    'authorization: digest a=',
  ];

  // A pattern that backtracks would not come back at all; the test's own time-out is the only clock here.
  it.each(adversarial)('of 200 KB made of %j comes back', async (part) => {
    const { text: output } = await redactor.redact(part.repeat(Math.ceil(200_000 / part.length)));
    expect(output.length).toBeGreaterThan(0);
  });

  it('of 5 MB with a secret at each end comes back clean', async () => {
    const filler = 'We met Anna at the lake, and the author passed the key on. '.repeat(85_000);
    const { text: output } = await redactor.redact(`${pem('', draw)}\n${filler}\ntoken: ${mixed(draw, 30)}`);
    expect(output).toBe(`[redacted:private-key]\n${filler}\ntoken: [redacted:secret]`);
  });
});

describe('the table of uses', () => {
  const use = (id: string): string => `    "${id} 5bce98f73f3e": {"count":3,"last":"2031-12-23T11:14:00.000Z"},\n`;
  const table = `{\n  "entries": {\n${use('0394afjyskbn1')}${use('ses_0394afjyskbn1#t12')}`;

  it('is left as it is', async () => {
    const text = `${table}${use('person--somebody-with-a-long-name')}  }\n}\n`;
    expect(await redactor.redact(text)).toEqual({ text, findings: [] });
  });

  it('hides nothing that stands between its lines', async () => {
    const token = `${'gh'}p_${draw(36)}`;
    const { text, findings } = await redactor.redact(`${table}    "${token}": 1,\n${use('0394afjyskbn2')}`);
    expect(text).not.toContain(token);
    expect(findings).toMatchObject([{ count: 1 }]);
    expect(text.startsWith(table)).toBe(true);
  });
});
