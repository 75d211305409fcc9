import path from 'node:path';
import { nodeFileSystem } from '../../platform/fs.ts';
import { plainName, readPacked } from '../../workspace/packed.ts';
import { hashPiece } from '../merkle.ts';
import type { Opening } from './openings.ts';
import { splitText, splitTranscript } from './pieces.ts';

/** The current text at an entry's place, piece by piece; undefined when it is gone. */
export function findPieces(rawFolder: string, opening: Opening): readonly Buffer[] | undefined {
  if (opening.path === undefined) return typeof opening.text === 'string' ? splitText(opening.text) : undefined;
  const text = readPacked(nodeFileSystem, path.join(rawFolder, opening.path))?.toString('utf8');
  return text === undefined ? findRenamed(rawFolder, opening.path, opening) : splitTranscript(text);
}

/** An erasure may have taken words out of the file's name: it is known by what it says. */
function findRenamed(rawFolder: string, known: string, opening: Opening): readonly Buffer[] | undefined {
  const folder = path.join(rawFolder, path.dirname(known));
  const start = path.basename(known).slice(0, 5);
  for (const name of nodeFileSystem.list(folder).filter((one) => one.startsWith(start))) {
    const text = readPacked(nodeFileSystem, path.join(folder, plainName(name)))?.toString('utf8') ?? '';
    const pieces = splitTranscript(text);
    if (pieces.length === opening.leaves.length && pieces.some((_piece, leaf) => isUnchanged(opening, leaf, pieces)))
      return pieces;
  }
  return undefined;
}

export function isUnchanged({ leaves, salts }: Opening, leaf: number, pieces: readonly Buffer[]): boolean {
  const salt = salts[leaf];
  const piece = pieces[leaf];
  return typeof salt === 'string' && piece !== undefined && hashPiece(salt, piece) === leaves[leaf];
}
