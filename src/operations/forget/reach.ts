import fs from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { isBackupName } from '../../workspace/erase/backup-archives.ts';
import { createByteEraser, type EraseBytes } from '../../workspace/erase/matcher.ts';
import { listRemotes } from '../../workspace/git/remote.ts';
import { REPOSITORIES } from '../../workspace/journal/record.ts';
import type { OperationContext } from '../context.ts';
import { foreignLines, seesFile, visibleTo } from '../visible-to.ts';

/** The places an erasure would touch, collected before the user agrees to it. */
export interface Reach {
  /** Where the words stand now; what histories, the journal and the index hold of them goes as well. */
  readonly touches: readonly TouchedPlace[];
  /** Copies that only the person can see to. */
  readonly unreachable: readonly string[];
}

export interface TouchedPlace {
  /** Relative to the home. */
  readonly path: string;
  /** null where the words go over several lines, or stand in what has none. */
  readonly line: number | null;
  /** The line, as far as it has to be read to judge whether it should lose the words. */
  readonly text: string;
}

/** A text this short stands in too many places that mean something else. */
const MIN_PIECE = 6;
/** A single line of a longer text counts as the text from this length on. */
const MIN_LINE = 24;
const MAX_SHOWN_CHARS = 160;
/** A link to somebody is no text of its own: the same words stand with everybody else who has it. */
const RELATION = /^[~\p{L}\p{N} _-]+\[\[[^\]]+\]\][~\s]*$/u;
/** The parts of a bullet beside its words: a box, a date, a strikethrough. */
const TRIMMINGS = [/^\[.\]\s+/u, /^\**\[?\d{4}(?:-\d{2}){0,2}\]?\**\s*[:—–]?\s+/u];

/**
 * The texts to erase for some memories: the longest first, or a short one would leave the rest of a long one behind.
 * The lines of a longer text are texts of their own, because summaries and prompts quote single ones.
 */
export function erasedTexts(pieces: readonly string[]): string[] {
  const whole = pieces.map((piece) => piece.trim()).filter((piece) => !RELATION.test(piece));
  const lines = whole
    .filter((piece) => piece.includes('\n'))
    .flatMap((piece) => piece.split('\n').map((line) => line.trim()))
    .filter((line) => line.length >= MIN_LINE);
  const texts = [...whole, ...whole.map(bareText), ...lines].filter((text) => text.length >= MIN_PIECE);
  return [...new Set(texts)].toSorted((left, right) => right.length - left.length);
}

/** As it is told elsewhere, such as in the conversation it came from. */
function bareText(piece: string): string {
  const words = TRIMMINGS.reduce((text, pattern) => text.replace(pattern, ''), piece);
  return /^~~([\s\S]+?)~~/u.exec(words)?.[1]?.trim() ?? words;
}

/** As far as the requester may see it: where else the words stand would tell that somebody else knows them. */
export async function findSeenReach(context: OperationContext, texts: readonly string[]): Promise<Reach> {
  const reach = await findReach(context, texts);
  const visible = visibleTo(context);
  if (visible.seesHome) return reach;
  const isSeen = ({ path: place, line }: TouchedPlace): boolean => {
    const file = place.startsWith(WORKSPACE) ? place.slice(WORKSPACE.length) : undefined;
    if (file === undefined || !seesFile(context, file)) return false;
    const text = context.homeIndex.files.read({ source: 'workspace', path: file })?.text ?? '';
    return line === null || !foreignLines(visible, text).has(line);
  };
  return { touches: reach.touches.filter(isSeen), unreachable: [] };
}

const WORKSPACE = 'workspace/';

async function findReach(context: OperationContext, texts: readonly string[]): Promise<Reach> {
  const { paths, root } = context.workspace;
  const erase = createByteEraser(texts, '');
  const folders = [root, paths.repositories.raw.workTree, paths.repositories.chain.workTree, paths.journal];
  // Backups are looked through when something is erased, which takes long; here it is only told what would be reached.
  const isSkipped = (full: string): boolean =>
    isBackupName(path.basename(full)) ||
    path.basename(full) === '.git' ||
    full === paths.writeAhead ||
    full === path.join(paths.journal, 'forget');
  const files = [...folders, paths.backups, paths.logs].flatMap((folder) => filesBelow(folder, isSkipped));
  const touches = files.flatMap((file) =>
    placesIn(file, path.relative(context.home, file).replaceAll('\\', '/'), erase),
  );
  return { touches, unreachable: await listUnreachable(context) };
}

function placesIn(file: string, shown: string, erase: EraseBytes): TouchedPlace[] {
  const bytes = fs.readFileSync(file);
  const plain = file.endsWith('.gz') ? gunzipSync(bytes) : bytes;
  if (erase(plain) === plain) return [];
  const lines = plain.toString('utf8').split('\n');
  const places = lines.flatMap((text, index) => {
    const line = Buffer.from(text, 'utf8');
    return erase(line) === line ? [] : [{ path: shown, line: index + 1, text: excerpt(text, erase) }];
  });
  return places.length === 0 ? [{ path: shown, line: null, text: '' }] : places;
}

/** Around the words, because the lines of a log are long. */
function excerpt(line: string, erase: EraseBytes): string {
  const kept = erase(Buffer.from(line, 'utf8')).toString('utf8');
  let at = 0;
  while (at < kept.length && kept[at] === line[at]) at += 1;
  const start = Math.max(0, at - MAX_SHOWN_CHARS / 4);
  return (start > 0 ? '…' : '') + line.slice(start, start + MAX_SHOWN_CHARS).trim();
}

async function listUnreachable({ workspace }: OperationContext): Promise<string[]> {
  const unreachable: string[] = [];
  for (const repository of REPOSITORIES) {
    const git = workspace.git[repository];
    if (!fs.existsSync(path.join(git.location.gitDir, 'HEAD'))) continue;
    const remotes = await listRemotes(git);
    unreachable.push(...remotes.map(({ name, url }) => `the remote ${name} (${url}) of ${repository}`));
  }
  return unreachable;
}

function filesBelow(folder: string, isSkipped: (full: string) => boolean): string[] {
  if (!fs.existsSync(folder)) return [];
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const full = path.join(folder, entry.name);
    if (isSkipped(full)) return [];
    if (entry.isDirectory()) return filesBelow(full, isSkipped);
    return entry.isFile() ? [full] : [];
  });
}
