import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compareWithCopy } from './verify-home.ts';
import { compareHeads } from './others.ts';
import { type ChainFinding, type Entry, hashLine, serializeEntry, signedBytes } from './entry.ts';
import { linesOf } from './file.ts';
import { generateKey, signBytes, type SigningKey } from './key-files.ts';
import { parseEntry } from './parse-entry.ts';
import { draftOf, MemoryChain } from './testing/memory-chain.ts';
import { holdsSealed, makeSeal, parseSeal, sealedPart, verifyChain, type KnownPart } from './verify.ts';
import { ChainWalker } from './walker.ts';

/** `npm run test:chain` takes every byte; the suite takes a sample. */
const IS_FULL = process.env['MNEME_CHAIN_FULL'] === '1';
const SIZE = 1000;
const ROTATED_AT = 400;
const BYTE_STEP = IS_FULL ? 1 : 401;
const RANDOM_CHANGES = IS_FULL ? 12_000 : 400;
const WHOLE_RUNS = IS_FULL ? 300 : 12;

let chain: MemoryChain;
let bytes: Buffer;
let lines: Buffer[];
/** The walk's state before each line: a change is then verified in place, with the lines around it. */
let before: KnownPart[];
let seed = 20_260_216;

/** Always the same: a failure can be looked at again. */
function random(below: number): number {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
  return seed % below;
}

beforeAll(async () => {
  chain = new MemoryChain();
  const writer = chain.writer();
  while (writer.next < ROTATED_AT) await writer.append([draftOf(writer.next)]);
  await writer.changeKey('rotation');
  while (writer.next < SIZE) await writer.append([draftOf(writer.next)]);
  bytes = chain.bytes;
  lines = [...linesOf(bytes)];
  const walker = new ChainWalker();
  let at = 0;
  before = [];
  for (const line of lines) {
    before.push({ bytes: at, state: walker.state() });
    walker.take(line);
    at += line.length + 1;
  }
});

afterAll(() => chain.remove());

const join = (all: readonly (Buffer | string)[]): Buffer =>
  Buffer.concat(all.flatMap((line) => [Buffer.from(line), Buffer.from('\n')]));

/** The part around a changed line, walked from what is known before it. */
function findAround(line: number, part: readonly (Buffer | string)[] | Buffer): readonly ChainFinding[] {
  const changed = Buffer.isBuffer(part) ? part : join(part);
  return verifyChain(changed, {}, { bytes: 0, state: (before[line] as KnownPart).state }).findings;
}

function entryAt(line: number): Entry {
  const entry = parseEntry((lines[line] as Buffer).toString('latin1'));
  if (typeof entry === 'string') throw new Error(entry);
  return entry;
}

function resign(entry: Entry, key: SigningKey): Entry {
  return { ...entry, key: key.fingerprint, sig: signBytes(key, signedBytes({ ...entry, key: key.fingerprint })) };
}

// SPEC CHAIN-1
describe('a chain of a thousand entries', () => {
  it('is whole, with a change of key and its checkpoints', () => {
    const result = verifyChain(bytes, { everySignature: true });
    expect(result).toMatchObject({ findings: [], entries: lines.length, chain: chain.keys.read() && result.chain });
    expect(result.signatures).toBe(lines.length);
    expect(verifyChain(bytes).signatures).toBeLessThan(30);
  });

  it('shows a change of any single byte, at its entry', () => {
    let line = 0;
    let checked = 0;
    const missed: unknown[] = [];
    for (let at = 0; at < bytes.length; at += 1 + random(2 * BYTE_STEP - 1)) {
      while (line + 1 < lines.length && (before[line + 1] as KnownPart).bytes <= at) line += 1;
      const start = (before[line] as KnownPart).bytes;
      const end = before[line + 3]?.bytes ?? bytes.length;
      const part = Buffer.from(bytes.subarray(start, end));
      part[at - start] = (part[at - start] as number) ^ (1 << random(8));
      const [first] = findAround(line, part);
      checked += 1;
      if (first?.seq !== line) missed.push({ at, line, first });
    }
    expect(missed).toEqual([]);
    expect(checked).toBeGreaterThanOrEqual(IS_FULL ? bytes.length : 500);
  });

  it('shows deletions, insertions, swaps, repetitions and forged signatures, where they are', () => {
    const stranger = generateKey();
    const kinds = ['delete', 'insert', 'swap', 'repeat', 'forge', 'resign', 'respell'] as const;
    const missed: unknown[] = [];
    for (let run = 0; run < RANDOM_CHANGES; run += 1) {
      const kind = kinds[run % kinds.length];
      const line = 1 + random(lines.length - 4);
      const [own = '', next = '', third = ''] = [lines[line], lines[line + 1], lines[line + 2]];
      const entry = entryAt(line);
      const changes: Record<(typeof kinds)[number], readonly (Buffer | string)[]> = {
        delete: [next, third],
        insert: [serializeEntry(resign({ ...entry }, stranger)), own, next],
        swap: [next, own, third],
        repeat: [own, own, next],
        forge: [serializeEntry({ ...entry, sig: entryAt(line + 1).sig }), next, third],
        resign: [serializeEntry(resign(entry, stranger)), next, third],
        respell: [own.toString().replace('":', '": '), next, third],
      };
      const [first] = findAround(line, changes[kind ?? 'delete']);
      // A repetition stands where the entry behind it should.
      if (first?.seq !== (kind === 'repeat' ? line + 1 : line)) missed.push({ kind, line, first });
    }
    expect(missed).toEqual([]);
  });

  it('says of a whole chain what it says of the changed part', () => {
    for (let run = 0; run < WHOLE_RUNS; run += 1) {
      const at = random(bytes.length);
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] as number) ^ (1 << random(8));
      const line = before.findLastIndex((part) => part.bytes <= at);
      expect(verifyChain(changed).findings[0]?.seq).toBe(line);
    }
  });

  it('shows where a part was replaced and everything after it hashed anew', () => {
    for (let run = 0; run < WHOLE_RUNS; run += 1) {
      const line = 1 + random(lines.length - 2);
      const stranger = generateKey();
      const forged = lines.slice(0, line).map((one) => one.toString());
      let prev = hashLine(forged.at(-1) ?? '');
      for (const index of lines.keys()) {
        if (index < line) continue;
        // Without the key only the hashes can be made to fit; with another one the signatures fit the wrong key.
        const entry = { ...entryAt(index), prev };
        const next = serializeEntry(run % 2 === 0 ? entry : { ...entry, sig: signBytes(stranger, signedBytes(entry)) });
        const changed = index === line ? next.replace(/"time":"\d{4}/u, '"time":"2027') : next;
        forged.push(changed);
        prev = hashLine(changed);
      }
      expect(verifyChain(join(forged)).findings[0]).toMatchObject({ seq: line });
    }
  });
});

describe('what was cut off or written anew with the key itself', () => {
  const headOf = (line: number) => ({
    chain: '',
    seq: line,
    head: hashLine(lines[line] as Buffer),
    holder: 'a friend',
  });

  it('is right in itself, and found against the last head that was signed', () => {
    const key = chain.keys.read() as SigningKey;
    const seal = makeSeal(bytes, verifyChain(bytes), key);
    const cut = join(lines.slice(0, -5));
    expect(verifyChain(cut).findings).toEqual([]);
    expect(seal && holdsSealed(cut, seal)).toBe('shorter');
    expect(seal && parseSeal(JSON.stringify({ ...seal, entries: 3 }))).toBeUndefined();
    expect(seal && parseSeal(JSON.stringify(seal))?.publicKey).toBe(key.publicKey);
    expect(seal && verifyChain(bytes, {}, sealedPart(seal)).walked).toBe(0);
  });

  it('is found against a copy, at the first entry that differs', async () => {
    const cut = join(lines.slice(0, 990));
    expect(compareWithCopy(cut, bytes, 'git')).toMatchObject([{ code: 'truncated', seq: 990 }]);
    const rewritten = new MemoryChain();
    const writer = rewritten.writer();
    while (writer.next < 50) await writer.append([draftOf(writer.next)]);
    expect(verifyChain(rewritten.bytes).findings).toEqual([]);
    expect(compareWithCopy(rewritten.bytes, bytes, 'git')).toMatchObject([{ code: 'rewritten', seq: 0 }]);
    rewritten.remove();
    expect(compareWithCopy(bytes, cut, 'git')).toEqual([]);
  });

  it('is found against heads that somebody holds', () => {
    const heads = [headOf(100), headOf(500), headOf(995)];
    expect(compareHeads(bytes, heads)).toEqual([]);
    expect(compareHeads(join(lines.slice(0, 900)), heads)).toMatchObject([{ code: 'truncated', seq: 900 }]);
    const changed = [...lines];
    changed[500] = Buffer.from(serializeEntry({ ...entryAt(500), prev: 'a'.repeat(64) }));
    const [finding] = compareHeads(join(changed), heads);
    expect(finding).toMatchObject({ code: 'rewritten', seq: 500 });
    expect(finding?.message).toContain('after entry 100');
  });
});

describe('a key', () => {
  it('that replaced a lost one is reported until somebody accepts it', async () => {
    const own = new MemoryChain();
    await own.writer().append([draftOf(1)]);
    const next = await own.writer().changeKey('lost');
    await own.writer().append([draftOf(2)]);
    expect(verifyChain(own.bytes).findings).toMatchObject([{ code: 'key', seq: 2 }]);
    expect(verifyChain(own.bytes, { acceptedKeys: new Set([next.fingerprint]) }).findings).toEqual([]);
    own.remove();
  });

  it('of a chain that does not begin with one is missed', () => {
    expect(verifyChain(join(lines.slice(1, 20))).findings[0]).toMatchObject({ code: 'sequence', seq: 0 });
  });
});
