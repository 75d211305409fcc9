import type { FoundEntry } from '../../operations/files/read-visible.ts';
import { isHidden } from '../../search-index/sync/home-files.ts';

const MAX_DEPTH = 2;

/** As the documentation shows a directory. */
export function renderListing(shown: string, entries: readonly FoundEntry[]): string {
  const total = entries.reduce((sum, { isFolder, bytes }) => (isFolder ? sum : sum + bytes), 0);
  const lines = entries
    .filter(({ depth, path: relative }) => depth <= MAX_DEPTH && !relative.split('/').some(isHidden))
    .map(({ path: relative, isFolder, bytes }) => `${humanSize(bytes)}\t${shown}/${relative}${isFolder ? '/' : ''}`);
  const head = `Here're the files and directories up to 2 levels deep in ${shown}, excluding hidden items and node_modules:`;
  return [head, `${humanSize(total)}\t${shown}`, ...lines].join('\n');
}

const UNITS = ['B', 'K', 'M', 'G'] as const;

function humanSize(bytes: number): string {
  let unit = 0;
  let amount = bytes;
  while (amount >= 1024 && unit < UNITS.length - 1) {
    amount /= 1024;
    unit += 1;
  }
  return `${Number.isInteger(amount) ? amount : amount.toFixed(1)}${UNITS[unit]}`;
}
