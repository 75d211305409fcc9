import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';

/** Everything readable in a home, in lower case: contents and names of files, git objects unpacked, packed files opened. */
export function readEverything(home: string): string {
  const pieces: string[] = [];
  for (const entry of fs.readdirSync(home, { recursive: true, withFileTypes: true })) {
    pieces.push(entry.name);
    if (!entry.isFile()) continue;
    const bytes = fs.readFileSync(path.join(entry.parentPath, entry.name));
    pieces.push(bytes.toString('latin1'));
    if (bytes[0] === 0x1f && bytes[1] === 0x8b) pieces.push(gunzipSync(bytes).toString('latin1'));
  }
  for (const repository of ['workspace', 'raw', 'chain']) {
    const cwd = path.join(home, repository);
    if (!fs.existsSync(path.join(cwd, '.git'))) continue;
    pieces.push(
      execFileSync('git', ['cat-file', '--batch', '--batch-all-objects', '--unordered'], {
        cwd,
        encoding: 'latin1',
        maxBuffer: 1 << 28,
      }),
      execFileSync('git', ['for-each-ref'], { cwd, encoding: 'latin1' }),
    );
  }
  return pieces.join('\n').toLowerCase();
}
