import fs from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';

interface MemoryFile {
  readonly file: string;
  readonly text: string;
}

/** The stores and the archive; roll-ups, proposals and views only tell again what stands elsewhere. */
function readStores(home: string): readonly MemoryFile[] {
  const folder = path.join(home, 'workspace', 'memory');
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => /\.md(?:\.gz)?$/u.test(entry.name))
    .filter(({ parentPath }) => !/[\\/](?:meta|weekly|monthly)(?:[\\/]|$)/u.test(parentPath))
    .map((entry) => {
      const file = path.join(entry.parentPath, entry.name);
      const bytes = fs.readFileSync(file);
      return { file, text: (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8') };
    });
}

/** A statement that stands twice in a file was learnt twice; a journal may mention it in two sections, but a session once. */
export function findRepeated(home: string): string[] {
  return readStores(home).flatMap(({ file, text }) => {
    const pattern = file.includes(`${path.sep}journal${path.sep}`)
      ? /<!-- session:\S+/gu
      : /(?:boat number|harbour street|Buoy) \d+\b/gu;
    const found = [...text.matchAll(pattern)].map(([words]) => words);
    const twice = found.filter((words, index) => found.indexOf(words) !== index);
    return twice.length === 0 ? [] : [`${file} says twice: ${[...new Set(twice)].join(', ')}`];
  });
}

/** What was remembered at once, and every conversation, must be somewhere. */
export function findLost(home: string, rounds: number): string[] {
  const words = readStores(home)
    .map(({ text }) => text)
    .join('\n');
  const transcripts = new Set(
    fs
      .readdirSync(path.join(home, 'raw/conversations'), { recursive: true })
      .map(String)
      .map((file) => /ses_crash\d+/u.exec(file)?.[0]),
  );
  return Array.from({ length: rounds }, (_, index) => index + 1).flatMap((round) => [
    ...(new RegExp(`Buoy ${round}\\b`, 'u').test(words) ? [] : [`Buoy ${round} is lost`]),
    ...(transcripts.has(`ses_crash${String(round).padStart(4, '0')}`)
      ? []
      : [`the conversation of round ${round} is lost`]),
  ]);
}
