import path from 'node:path';
import { nodeFileSystem } from '../../platform/fs.ts';
import { DELETED_MANIFEST, parsePackedManifest, plainName, readPacked } from '../../workspace/packed.ts';
import { type ChainFinding, type ContentEntry, type ErasureTarget, splitText, splitTranscript } from '../entry.ts';
import { hashPiece } from '../merkle.ts';
import type { Opening, Openings } from './openings.ts';

export interface ContentCheck {
  readonly findings: readonly ChainFinding[];
  readonly checked: number;
  /** Pieces that were erased, as an entry of the chain says. */
  readonly erased: number;
  /** Transcripts that went because of their age, as `raw/deleted.jsonl` says. */
  readonly deleted: readonly DeletedTranscript[];
}

export interface DeletedTranscript {
  readonly seq: number;
  readonly path: string;
  readonly at: string;
}

/** Whether what the entries commit to still stands there, in the transcripts (packed or not) and in the openings. */
export function checkContent(
  entries: readonly ContentEntry[],
  targets: readonly ErasureTarget[],
  { openings, rawFolder }: { readonly openings: Openings; readonly rawFolder: string },
): ContentCheck {
  const isErased = erasedTest(targets);
  const manifest = nodeFileSystem.read(path.join(rawFolder, DELETED_MANIFEST))?.toString('utf8') ?? '';
  const gone = parsePackedManifest(manifest);
  const findings: ChainFinding[] = [];
  const deleted: DeletedTranscript[] = [];
  let erased = 0;
  for (const [entry, opening] of openings.of(entries)) {
    erased += countErased(entry, isErased);
    const line = opening?.path === undefined ? undefined : gone.get(opening.path);
    if (line !== undefined && opening !== undefined && findPieces(rawFolder, opening) === undefined) {
      deleted.push({ seq: entry.seq, path: line.path, at: line.at });
      continue;
    }
    const message = opening === undefined ? missing(entry, isErased) : whatChanged(entry, opening, rawFolder, isErased);
    if (message !== undefined) findings.push({ ...message, seq: entry.seq, line: entry.seq + 1 });
  }
  return { findings, checked: entries.length, erased, deleted };
}

type IsErased = (seq: number, leaf: number) => boolean;

export function erasedTest(targets: readonly ErasureTarget[]): IsErased {
  const known = new Set(targets.map(({ seq, leaf }) => `${seq}/${leaf}`));
  return (seq, leaf) => known.has(`${seq}/${leaf}`);
}

function countErased({ seq, content }: ContentEntry, isErased: IsErased): number {
  let count = 0;
  for (let leaf = 0; leaf < content.leaves; leaf += 1) if (isErased(seq, leaf)) count += 1;
  return count;
}

type Message = Pick<ChainFinding, 'code' | 'message'>;

function missing(entry: ContentEntry, isErased: IsErased): Message | undefined {
  const { seq, content } = entry;
  if (countErased(entry, isErased) === content.leaves) return undefined;
  return { code: 'opening', message: `What opens entry ${seq} (${entry.type}) is missing or damaged in content/.` };
}

function whatChanged(
  { seq, type }: ContentEntry,
  opening: Opening,
  rawFolder: string,
  isErased: IsErased,
): Message | undefined {
  const lost = opening.salts.findIndex((salt, leaf) => salt === null && !isErased(seq, leaf));
  if (lost !== -1) {
    return { code: 'opening', message: `${named(type, lost)} of entry ${seq} was erased, but no entry says so.` };
  }
  const open = opening.salts.flatMap((salt, leaf) => (salt === null ? [] : [leaf]));
  if (open.length === 0) return undefined;
  const pieces = findPieces(rawFolder, opening);
  if (pieces === undefined) {
    return { code: 'content', message: `What entry ${seq} (${type}) committed to is gone${placeOf(opening)}.` };
  }
  const changed = open.find((leaf) => !isUnchanged(opening, leaf, pieces));
  if (changed === undefined && pieces.length === opening.leaves.length) return undefined;
  const what = changed === undefined ? 'What was added' : named(type, changed);
  return { code: 'content', message: `${what} of entry ${seq} is not what was committed to${placeOf(opening)}.` };
}

function named(type: string, leaf: number): string {
  if (type !== 'transcript') return 'The text';
  return leaf === 0 ? 'The beginning' : `Turn ${leaf}`;
}

function placeOf({ path: file }: Opening): string {
  return file === undefined ? '' : ` (raw/${file})`;
}

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
