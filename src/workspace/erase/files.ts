import fs from 'node:fs';
import path from 'node:path';
import { replaceFile } from '../../platform/fs.ts';
import { pack, unpack } from '../packed.ts';
import type { EraseBytes } from './matcher.ts';

/** Rewrites every file below a folder that holds the text, also compressed ones; returns how many there were. */
export function eraseInFolder(
  folder: string,
  erase: EraseBytes,
  isSkipped: (full: string) => boolean = () => false,
): number {
  if (!fs.existsSync(folder)) return 0;
  let count = 0;
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const full = path.join(folder, entry.name);
    if (isSkipped(full)) continue;
    if (entry.isDirectory()) count += eraseInFolder(full, erase, isSkipped);
    else if (entry.isFile() && eraseInFile(full, erase)) count += 1;
    count += eraseInName(folder, entry.name, erase);
  }
  return count;
}

function eraseInFile(full: string, erase: EraseBytes): boolean {
  const bytes = fs.readFileSync(full);
  const isCompressed = full.endsWith('.gz');
  const plain = isCompressed ? unpack(bytes, full) : bytes;
  const next = erase(plain);
  if (next === plain) return false;
  const { mode } = fs.statSync(full);
  replaceFile(full, isCompressed ? pack(next) : next, { mode, flush: true });
  return true;
}

function eraseInName(folder: string, name: string, erase: EraseBytes): number {
  const bytes = Buffer.from(name, 'utf8');
  const next = erase(bytes).toString('utf8');
  if (next === name || !fs.existsSync(path.join(folder, name))) return 0;
  let free = next;
  for (let number = 2; fs.existsSync(path.join(folder, free)); number += 1) free = `${number}-${next}`;
  fs.renameSync(path.join(folder, name), path.join(folder, free));
  return 1;
}
