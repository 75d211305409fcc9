import { fileStem } from '../../workspace/formats/layout.ts';

const SCOPE_FOLDER = /^memory\/scopes\/[^/]+\//u;
/** Longer names are cut: the id behind them keeps them apart, and 255 bytes is all a file system gives. */
const MAX_STEM_BYTES = 160;

/**
 * Where something taken from `path` is kept: `memory/archive/2026-11/` and the path it had, so that the layout still
 * knows what kind it is. An item's file carries its id. A core bullet leaves core memory for good: its file is no
 * second MEMORY.md, which would have caps of its own.
 */
export function archivePathOf(path: string, month: string, item?: string): string {
  const scope = SCOPE_FOLDER.exec(path)?.[0] ?? '';
  const own = path.slice(scope.length).replace(/^memory\//u, '');
  const folder = own.slice(0, own.lastIndexOf('/') + 1);
  const name = own === 'MEMORY.md' ? 'core.md' : own.slice(folder.length);
  const file = item === undefined ? name : `${cut(fileStem(name))}.${item}.md`;
  return `${scope}memory/archive/${month}/${folder}${file}`;
}

/** `path`, or the first `path` with a number that is free. */
export function freePath(path: string, isTaken: (path: string) => boolean): string {
  const dot = path.lastIndexOf('.');
  let free = path;
  for (let number = 2; isTaken(free); number += 1) free = `${path.slice(0, dot)}.${number}${path.slice(dot)}`;
  return free;
}

export function isArchivePath(path: string): boolean {
  return path.replace(SCOPE_FOLDER, '').startsWith('memory/archive/');
}

function cut(stem: string): string {
  let short = stem;
  while (Buffer.byteLength(short, 'utf8') > MAX_STEM_BYTES) short = [...short].slice(0, -1).join('');
  return short;
}
