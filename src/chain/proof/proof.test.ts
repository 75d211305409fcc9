import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
// @ts-expect-error -- plain JavaScript on purpose: it shares nothing with this code base
import { verifyProof as verifyIndependently } from '../../../tools/verify-proof/verify-proof.mjs';
import { must } from '../../model/errors.ts';
import type { ContentDraft } from '../writer.ts';
import { type Entry, hashLine, isContentEntry, serializeEntry, signedBytes, splitTranscript } from '../entry.ts';
import { generateKey, provePossession, signBytes, type SigningKey } from '../key-files.ts';
import { Frontier, hashEntryLeaf, hashPiece, pathOf } from '../merkle.ts';
import { draftOf, MemoryChain } from '../testing/memory-chain.ts';
import { findCheckpoint, findErasure, makeProof, readForProof, type ReadChain } from './make-proof.ts';
import { type Proof, verifyProof } from './verify-proof.ts';

const CHANGES_EACH = process.env['MNEME_CHAIN_FULL'] === '1' ? 30 : 3;

let chain: MemoryChain;
let read: ReadChain;
let erasedTurn: { readonly seq: number; readonly leaf: number };
let seed = 7;

/** Always the same: a failure can be looked at again. */
function random(below: number): number {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
  return (seed >> 8) % below;
}

function transcriptDraft(number: number): ContentDraft {
  const turns = Array.from(
    { length: 1 + (number % 9) },
    (_, turn) => `\n## 10:0${turn} — user (Ines)\n\n${turn}/${number}: ä, 漢\n`,
  );
  const text = `---\nsession_id: ses_${number}\nstarted: 2026-01-01T10:00:00Z\n---\n\n# talk ${number}\n${turns.join('')}`;
  const file = `conversations/1000-ses_${number}.md`;
  fs.mkdirSync(path.join(chain.folder, 'conversations'), { recursive: true });
  fs.writeFileSync(path.join(chain.folder, file), text);
  return { type: 'transcript', ref: {}, pieces: splitTranscript(text), path: file };
}

beforeAll(async () => {
  chain = new MemoryChain(40);
  const writer = chain.writer();
  while (writer.next < 300) {
    if (writer.next === 120) await writer.changeKey('rotation');
    await writer.append([writer.next % 3 === 0 ? transcriptDraft(writer.next) : draftOf(writer.next)]);
  }
  const { entries } = readForProof(chain.bytes);
  const transcript = must(
    entries.find((one) => one.type === 'transcript' && one.content.leaves > 3),
    'a transcript',
  );
  erasedTurn = { seq: transcript.seq, leaf: 2 };
  await writer.append([{ type: 'erasure', body: { targets: [erasedTurn] } }]);
  await writer.append([
    { type: 'link', body: { chain: 'a'.repeat(32), seq: 3, head: 'b'.repeat(64) } },
    { type: 'checkpoint' },
  ]);
  read = readForProof(chain.bytes);
});

afterAll(() => chain.remove());

function proofOf(seq: number, leaf: number): Proof {
  const behind = findErasure(read, { seq, leaf })?.seq ?? seq;
  const checkpoint = must(findCheckpoint(read, behind), 'a checkpoint');
  return makeProof(read, checkpoint, { seq, leaf }, { openings: chain.openings, rawFolder: chain.folder });
}

let made: readonly Proof[] | undefined;

/** Of every entry below the last checkpoint, with one of its pieces. */
function allProofs(): readonly Proof[] {
  made ??= read.entries
    .slice(0, -1)
    .map((entry) => proofOf(entry.seq, isContentEntry(entry) ? entry.seq % entry.content.leaves : 0));
  return made;
}

function isIndependentlyValid(proof: unknown, trusted?: string): boolean {
  try {
    verifyIndependently(proof, trusted);
    return true;
  } catch {
    return false;
  }
}

interface Place {
  readonly holder: Record<string, unknown> | unknown[];
  readonly key: string | number;
}

function placesIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Record<string, unknown> | unknown[];
  const keys = Array.isArray(holder) ? holder.keys() : Object.keys(holder);
  return [...keys].flatMap((key) => [{ holder, key }, ...placesIn((holder as Record<string | number, unknown>)[key])]);
}

/** Somewhere in it, one thing is not what it was. */
function change(proof: Proof): unknown {
  const copy = structuredClone(proof) as unknown;
  const places = placesIn(copy);
  const { holder, key } = must(places[random(places.length)], 'a place');
  const values = holder as Record<string | number, unknown>;
  const value = values[key];
  const kind = random(10);
  if (kind === 0 && !Array.isArray(holder)) delete values[key];
  else if (kind === 1 && Array.isArray(holder)) holder.push(value);
  else if (kind === 2) values[key] = null;
  else if (typeof value === 'string' && value.length > 0) {
    const at = random(value.length);
    values[key] = `${value.slice(0, at)}${value[at] === '0' ? '1' : '0'}${value.slice(at + 1)}`;
  } else if (typeof value === 'number') values[key] = value + (random(2) === 0 ? 1 : -1);
  else if (Array.isArray(value)) values[key] = value.slice(1);
  else values[key] = { ...(value as object), more: 1 };
  return copy;
}

// SPEC CHAIN-2
describe('proofs', () => {
  it('of every entry are valid, small, and say what was said', () => {
    const proofs = allProofs();
    expect(proofs.length).toBeGreaterThan(300);
    for (const proof of proofs) {
      const verdict = verifyProof(proof, proof.chain);
      expect(verdict.problems).toEqual([]);
      expect(isIndependentlyValid(proof, proof.chain)).toBe(true);
      expect(JSON.stringify(proof).length).toBeLessThan(8000);
    }
    const { claim } = verifyProof(proofOf(3, 1), proofOf(3, 1).chain);
    expect(claim).toMatchObject({ seq: 3, type: 'transcript', text: expect.stringContaining('0/3: ä, 漢') as string });
  });

  it('that were changed anywhere are judged alike by two verifiers, and refused', () => {
    let judged = 0;
    const unlike: unknown[] = [];
    for (const proof of allProofs()) {
      for (let run = 0; run < CHANGES_EACH; run += 1) {
        const changed = change(proof);
        const isSame = JSON.stringify(changed) === JSON.stringify(proof);
        const ours = verifyProof(changed, proof.chain).isValid;
        judged += 1;
        if (ours !== isIndependentlyValid(changed, proof.chain) || ours !== isSame) unlike.push({ changed, ours });
      }
    }
    expect(unlike).toEqual([]);
    expect(judged).toBeGreaterThan(900);
  });

  it('show that a turn was there and was erased, without its words', () => {
    const proof = proofOf(erasedTurn.seq, erasedTurn.leaf);
    expect(verifyProof(proof).claim).toMatchObject({
      seq: erasedTurn.seq,
      text: null,
      erased: expect.any(String) as string,
    });
    expect(JSON.stringify(proof)).not.toContain('漢');
    expect(isIndependentlyValid(proof, proof.chain)).toBe(true);
    const { erasure: _erasure, ...hidden } = proof;
    expect(verifyProof(hidden).problems).toEqual(['the words are missing and no erasure is shown']);
    expect(isIndependentlyValid(hidden)).toBe(false);
    const other = { ...proof, opening: proofOf(erasedTurn.seq, 1).opening };
    expect([verifyProof(other).isValid, isIndependentlyValid(other)]).toEqual([false, false]);
  });

  it('are of a chain that the reader trusts, by its name or any of its keys', () => {
    const proof = proofOf(200, 0);
    const key = must(chain.keys.read(), 'the key').publicKey;
    for (const [trusted, isValid] of [
      [proof.chain, true],
      [key, true],
      ['0'.repeat(64), false],
      ['0'.repeat(32), false],
    ] as const) {
      expect([verifyProof(proof, trusted).isValid, isIndependentlyValid(proof, trusted)]).toEqual([isValid, isValid]);
    }
    // An older checkpoint is not signed by the newer key that the reader trusts.
    const older = proofOf(2, 0);
    expect([verifyProof(older, key).isValid, isIndependentlyValid(older, key)]).toEqual([false, false]);
  });

  it('prove nothing to a reader who gives no key', () => {
    const proof = proofOf(3, 1);
    const { isValid, problems, claim } = verifyProof(proof);
    expect({ isValid, problems, seq: claim?.seq }).toMatchObject({
      isValid: false,
      problems: [expect.stringContaining('no key was given') as string],
      seq: 3,
    });
    expect(isIndependentlyValid(proof)).toBe(false);
    const tool = path.join(import.meta.dirname, '../../../tools/verify-proof/verify-proof.mjs');
    const file = path.join(chain.folder, 'proof.json');
    fs.writeFileSync(file, JSON.stringify(proof));
    const run = (...args: string[]): string => spawnSync(process.execPath, [tool, file, ...args]).stdout.toString();
    expect(run()).toMatch(/^not proved: no key was given/u);
    expect(run(proof.chain)).toMatch(/^proved: entry 3 /u);
  });

  describe('made by a thief of a key', () => {
    const old = generateKey();
    const current = generateKey();
    const signed = (key: SigningKey, bare: object): Entry => {
      const entry = { v: 1, key: key.fingerprint, ...bare } as Omit<Entry, 'sig'>;
      return { ...entry, sig: signBytes(key, signedBytes(entry)) } as Entry;
    };
    const day = (number: number): string => `2026-01-0${number}T00:00:00.000Z`;
    const prev = '0'.repeat(64);
    const bring = (key: SigningKey, seq: number, reason: string, signer: SigningKey, on: number): Entry => {
      const proof = provePossession(key, old.fingerprint, seq);
      return signed(signer, {
        seq,
        time: day(on),
        type: 'key',
        prev,
        body: { publicKey: key.publicKey, reason, proof },
      });
    };
    const first = bring(old, 0, 'first', old, 3);
    const rotation = bring(current, 1, 'rotation', old, 5);

    /** A tree of the keys and one commitment, right in every hash. */
    function forge(keys: Entry[], by: SigningKey, entryOn: number, checkpointOn: number): Proof {
      const seq = keys.length;
      const text = 'I never said that.';
      const salt = '1'.repeat(32);
      const content = { leaves: 1, root: hashPiece(salt, Buffer.from(text)) };
      const entry = signed(by, { seq, time: day(entryOn), type: 'remember', prev, content, ref: {} });
      const leaves = [...keys, entry].map((one) => hashEntryLeaf(hashLine(serializeEntry(one))));
      const tree = new Frontier();
      for (const leaf of leaves) tree.add(leaf);
      const body = { size: seq + 1, root: tree.root() };
      const checkpoint = signed(by, { seq: seq + 1, time: day(checkpointOn), type: 'checkpoint', prev, body });
      return {
        format: 'mneme-proof-1',
        chain: old.fingerprint,
        keys: keys.map((key) => ({ ...key })),
        entry: { entry: { ...entry }, path: pathOf(leaves, seq) },
        opening: { leaf: 0, salt, text, path: [] },
        checkpoint: { ...checkpoint },
      };
    }
    const judge = (proof: Proof, trusted: string): boolean[] => [
      verifyProof(proof, trusted).isValid,
      isIndependentlyValid(proof, trusted),
    ];

    it('would be right if it were not forged', () => {
      expect(judge(forge([first], old, 4, 4), old.fingerprint)).toEqual([true, true]);
      expect(judge(forge([first, rotation], current, 6, 7), old.fingerprint)).toEqual([true, true]);
    });

    it('are refused with an entry from before its key, or behind its checkpoint', () => {
      expect(judge(forge([first], old, 1, 4), old.fingerprint)).toEqual([false, false]);
      expect(judge(forge([first, rotation], current, 4, 7), old.fingerprint)).toEqual([false, false]);
      expect(judge(forge([first], old, 6, 4), old.fingerprint)).toEqual([false, false]);
    });

    it('are refused with a key that was rotated out, shown with its successor or to who trusts that', () => {
      expect(judge(forge([first, rotation], old, 6, 7), old.fingerprint)).toEqual([false, false]);
      expect(judge(forge([first], old, 6, 7), current.publicKey)).toEqual([false, false]);
    });
  });

  it('of another chain do not fit, nor does what is no proof', () => {
    const { chain: name } = proofOf(2, 0);
    for (const value of [null, 3, 'x', [], {}, { format: 'mneme-proof-1' }, { ...proofOf(2, 0), format: 'other' }]) {
      expect([verifyProof(value, name).isValid, isIndependentlyValid(value, name)]).toEqual([false, false]);
    }
  });
});
