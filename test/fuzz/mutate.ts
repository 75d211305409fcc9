import type { SeededRandom } from '../support/seeded-random.ts';

/** What parsers stumble over, besides chance. */
const STRANGE = [
  '\0',
  '\uFEFF',
  '\r\n',
  '\u2028',
  '\uD800',
  '---\n',
  '<!--',
  '-->',
  '```',
  '[[',
  ']]',
  '^id',
  '../',
  '{',
  '}',
  '[',
  ']',
  '"',
  "'",
  '\\',
  '&a',
  '*a',
  '!!js/function',
  '<<: *a',
  '__proto__',
  'constructor',
  'null',
  '1e999',
  '-0',
  '99999999999999999999',
  '\u202E',
  '\u200D',
  '%00',
  '%E0%A4',
  'true',
  ': ',
  '\t',
] as const;

type Change = (bytes: Buffer, random: SeededRandom) => Buffer;

function cut(bytes: Buffer, at: number, length: number, insert: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, at), insert, bytes.subarray(at + length)]);
}

const CHANGES: readonly Change[] = [
  (bytes, random) => cut(bytes, random.integer(bytes.length + 1), 0, Buffer.from(random.pick(STRANGE))),
  (bytes, random) => cut(bytes, random.integer(bytes.length + 1), 1, Buffer.from([random.integer(256)])),
  (bytes, random) => cut(bytes, random.integer(bytes.length + 1), random.between(1, 40), Buffer.alloc(0)),
  (bytes, random) => bytes.subarray(0, random.integer(bytes.length + 1)),
  (bytes, random) => {
    const at = random.integer(bytes.length + 1);
    const piece = bytes.subarray(at, at + random.between(1, 60));
    return cut(bytes, random.integer(bytes.length + 1), 0, Buffer.concat(Array(random.between(1, 200)).fill(piece)));
  },
  (bytes, random) => cut(bytes, random.integer(bytes.length + 1), 0, Buffer.from(random.pick(STRANGE).repeat(500))),
];

/** The bytes with a few changes. */
export function mutate(bytes: Buffer, random: SeededRandom): Buffer {
  const count = random.between(1, 4);
  return Array.from({ length: count }).reduce<Buffer>((changed) => random.pick(CHANGES)(changed, random), bytes);
}
