import path from 'node:path';
import { errorMessage } from '../model/errors.ts';
import { nodeFileSystem } from '../platform/fs.ts';
import { readPacked } from '../workspace/packed.ts';
import type { EraseReport, Erasure } from '../workspace/registries.ts';
import type { Chain } from './chain.ts';
import { findPieces, isUnchanged } from './content/check-content.ts';
import type { Opening } from './content/openings.ts';
import { isContentEntry, type ContentEntry, type ErasureTarget } from './entry.ts';
import { readEntries } from './file.ts';
import { type NotedItem, readNotes } from './record/queue.ts';
import type { ChainRecorder } from './record/recorder.ts';

const WHERE = 'chain';

type Erase = Erasure['erase'];

/**
 * Takes away the salts of every piece that holds the words: without them the hashes that stay tell nothing. The words
 * themselves go with the files they stand in. An entry names the pieces, so that what is gone is known to be gone.
 */
export async function eraseOpenings(
  recorder: ChainRecorder,
  { erase }: Erasure,
  mode: 'enter' | 'silent',
): Promise<EraseReport> {
  const chain = await recorder.open();
  dropNotes(recorder, chain.rawFolder, erase);
  if (mode === 'silent' || !recorder.isEnabled) {
    const { targets, changed } = findTargets(chain, erase);
    await chain.openings.replace(changed);
    return { where: WHERE, occurrences: targets.length };
  }
  const entered = await enterFirst(recorder);
  return chain.exclusively(async (writer) => {
    const { targets, changed } = findTargets(chain, erase);
    const notes = [...entered, ...writer.notes];
    try {
      await writer.append([{ type: 'erasure', body: { targets } }]);
    } catch (error) {
      // That it cannot be proved is no reason to keep what was to go.
      notes.push(`The chain could not note the erasure: ${errorMessage(error)}`);
    }
    await chain.openings.replace(changed);
    return { where: WHERE, occurrences: targets.length, notes };
  });
}

/** A waiting note holds the hash of a transcript as it is now: behind the erasure it would look changed. */
async function enterFirst(recorder: ChainRecorder): Promise<readonly string[]> {
  try {
    return (await recorder.drain()).problems;
  } catch (error) {
    return [`What waited was not entered before the erasure: ${errorMessage(error)}`];
  }
}

/** A text that was not entered yet is not entered at all; of a transcript the hash goes, which would tell of its words. */
function dropNotes({ queue }: ChainRecorder, rawFolder: string, erase: Erase): void {
  for (const name of queue.names()) {
    const noted = readNotes(queue, name);
    if (noted === undefined) continue;
    const kept = noted.items.flatMap((item): NotedItem[] => {
      if (item.text !== undefined) return holds(Buffer.from(item.text, 'utf8'), erase) ? [] : [item];
      const { sha256: _, ...unhashed } = item;
      return [item.path !== undefined && isHeld(path.join(rawFolder, item.path), erase) ? unhashed : item];
    });
    const isSame = kept.length === noted.items.length && kept.every((item, index) => item === noted.items[index]);
    if (!isSame) queue.write(name, kept);
  }
}

function findTargets(
  chain: Chain,
  erase: Erase,
): { readonly targets: ErasureTarget[]; readonly changed: Map<number, Opening> } {
  const targets: ErasureTarget[] = [];
  const changed = new Map<number, Opening>();
  for (const [{ seq }, opening] of chain.openings.of(contentEntries(chain))) {
    const leaves = opening === undefined ? [] : affectedLeaves(chain.rawFolder, opening, erase);
    if (opening === undefined || leaves.length === 0) continue;
    targets.push(...leaves.map((leaf) => ({ seq, leaf })));
    changed.set(seq, {
      ...opening,
      salts: opening.salts.map((salt, leaf) => (leaves.includes(leaf) ? null : salt)),
      ...(opening.text === undefined ? {} : { text: null }),
    });
  }
  return { targets, changed };
}

function* contentEntries(chain: Chain): Generator<ContentEntry> {
  for (const { entry } of readEntries(chain.read())) if (isContentEntry(entry)) yield entry;
}

function affectedLeaves(rawFolder: string, opening: Opening, erase: Erase): number[] {
  const pieces = findPieces(rawFolder, opening);
  if (pieces === undefined || !holds(Buffer.concat(pieces), erase)) return [];
  const single = pieces.map((piece) => holds(piece, erase));
  // Words that go over from one turn to the next: which ones is not worth finding out.
  const isAcross = !single.includes(true);
  return opening.leaves.flatMap((_hash, leaf) => {
    // An erasure must not hide an earlier change.
    const isHit = (isAcross || single[leaf] === true) && isUnchanged(opening, leaf, pieces);
    return isHit ? [leaf] : [];
  });
}

function isHeld(file: string, erase: Erase): boolean {
  const words = readPacked(nodeFileSystem, file);
  return words !== undefined && holds(words, erase);
}

function holds(bytes: Buffer, erase: Erase): boolean {
  return erase(bytes) !== bytes;
}
