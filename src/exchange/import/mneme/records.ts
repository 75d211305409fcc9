import path from 'node:path';
import { isMnemeError } from '../../../model/errors.ts';
import { nodeFileSystem } from '../../../platform/fs.ts';
import { parseWorkspacePath } from '../../../workspace/safety/paths.ts';
import type { ImportRun } from '../import-run.ts';

/**
 * Records of a home's own work that another home can continue with: what was imported, learned and condensed, how often
 * memories were used, what agents hold in mind, what they were told, what it cost.
 */
const RECORDS: readonly RegExp[] = [
  /^imports\.jsonl$/u,
  /^extracted\.txt$/u,
  /^consolidation\.json$/u,
  /^costs\.jsonl$/u,
  /^access\//u,
  /^working\//u,
  /^receipts\//u,
  /^topics\/(?!sessions\/)/u,
];

const LINES = /\.(?:jsonl|txt)$/u;

/** Whether a file of the journal is exported and taken back in; locks, open sessions and running work are not. */
export function isRecord(name: string): boolean {
  const relative = name.replace(/^journal\//u, '');
  return RECORDS.some((pattern) => pattern.test(relative));
}

/** Lines are added to this home's own, other records only where it has none. */
export async function importRecords(run: ImportRun, files: AsyncGenerator<CheckedFile>): Promise<void> {
  for await (const { path: name, bytes } of files) {
    const relative = workspacePath(run, name.slice('journal/'.length));
    if (relative === undefined || run.request.dryRun === true) continue;
    // Others that import meanwhile add to the same files.
    await run.writer.exclusively(() => takeRecord(run, relative, bytes));
  }
}

async function takeRecord(run: ImportRun, relative: string, bytes: Buffer): Promise<void> {
  const full = path.join(run.home.workspace.paths.journal, relative);
  const current = nodeFileSystem.read(full);
  if (current === undefined) await write(full, bytes);
  else if (LINES.test(relative)) await addLines(full, current, bytes);
  else if (!current.equals(bytes)) run.tally.add('record', 'this home has its own');
}

async function addLines(full: string, current: Buffer, added: Buffer): Promise<void> {
  const known = new Set(current.toString('utf8').split('\n'));
  const fresh = added
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '' && !known.has(line));
  if (fresh.length === 0) return;
  const file = nodeFileSystem.open(full);
  try {
    const isTorn = current.length > 0 && current.at(-1) !== 0x0a;
    file.write(Buffer.from(`${isTorn ? '\n' : ''}${fresh.join('\n')}\n`, 'utf8'), file.size());
    await file.sync();
  } finally {
    file.close();
  }
}

async function write(full: string, bytes: Uint8Array): Promise<void> {
  nodeFileSystem.makeDirectory(path.dirname(full));
  nodeFileSystem.write(`${full}.new`, bytes);
  await nodeFileSystem.rename(`${full}.new`, full);
}

/** A file of an export, read and compared with the list of contents. */
export interface CheckedFile {
  readonly path: string;
  readonly bytes: Buffer;
}

/** Names in an export are somebody's input like any others. */
export function workspacePath(run: ImportRun, name: string): string | undefined {
  try {
    return parseWorkspacePath(name);
  } catch (error) {
    if (!isMnemeError(error)) throw error;
    run.tally.addDamage('file', error.message, { file: name, at: undefined });
    return undefined;
  }
}
