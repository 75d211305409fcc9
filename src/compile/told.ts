import { hash } from 'node:crypto';
import { quoteText } from './fence.ts';
import { normalizeLine } from './said.ts';
import type { Told } from './told-store.ts';

/** Something that went into a prompt. */
export interface ToldPiece {
  readonly id: string;
  readonly said: string;
}

/** Shorter lines ("yes", "- done") tell nothing by themselves. */
const MIN_LINE = 12;
/** By its lines: the same words may come back in another piece, with other neighbours, or shortened. */
export function keysOf({ id, said }: ToldPiece): readonly string[] {
  const lines = quoteText(said)
    .split('\n')
    .map(normalizeLine)
    .filter((line) => line.length >= MIN_LINE);
  return (lines.length === 0 ? [`${id}\n${normalizeLine(said)}`] : lines).map(keyOf);
}

export function isTold(pieces: readonly ToldPiece[], { keys }: Told): boolean {
  return keys.size > 0 && pieces.length > 0 && pieces.every((piece) => keysOf(piece).every((key) => keys.has(key)));
}

function keyOf(text: string): string {
  return hash('sha1', text, 'base64url').slice(0, 12);
}
