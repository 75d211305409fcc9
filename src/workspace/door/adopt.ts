import { MnemeError } from '../../model/errors.ts';
import type { JournalPosition } from '../journal/journal.ts';
import { type KnownFiles, blobId } from '../known-files.ts';
import type { Batch, StagedFile } from './batch.ts';

/** A file on its way to a state that git has already. */
export interface AdoptedFile {
  readonly path: string;
  /** The file's version in history; any other version there means that the plan is out of date. */
  readonly before: string | null;
  /** undefined when the file goes. */
  readonly content: Buffer | undefined;
}

/** A change of the files that git brings along: another branch's state, or what a pull made. */
export interface Adoption {
  readonly mutation: string;
  readonly timeMs: number;
  readonly summary: string;
  readonly trigger: string;
  /** Called under the lock, so that nothing is acknowledged between planning and writing. */
  readonly plan: (known: KnownFiles) => Promise<readonly AdoptedFile[]>;
  /** Called before anything is written, with the place in the journal where the new state begins. */
  readonly announce: (end: JournalPosition) => void;
}

/**
 * Stages the files and one record of all of them. False when a file is not what the plan was made from; a person's
 * edit found that way is in the batch instead.
 */
export async function stageAdoption(batch: Batch, adoption: Adoption, files: readonly AdoptedFile[]): Promise<boolean> {
  const staged: StagedFile[] = [];
  for (const file of files) staged.push(await batch.load(file.path));
  if (staged.some((file, index) => file.recorded !== files[index]?.before)) return false;
  refuseToOverwrite(batch, staged);
  for (const [index, file] of staged.entries()) batch.stage(file.path, file, files[index]?.content);
  const { mutation, timeMs, summary, trigger } = adoption;
  batch.records.push({
    id: mutation,
    timeMs,
    repository: 'workspace',
    action: 'MERGE',
    summary,
    // An edit from outside the write path; the drain makes no commit of it where git has it already.
    actor: 'external',
    approval: '—',
    trigger,
    files: files.map(({ path, before, content }) => ({
      path,
      before,
      after: content === undefined ? null : blobId(content),
    })),
    contents: files.map(({ content }) => content),
  });
  return true;
}

/** An edit that is kept out of history (a secret, a file too large) exists nowhere but on the disk. */
function refuseToOverwrite(batch: Batch, files: readonly StagedFile[]): void {
  const unrecorded = files.find((file) => (file.current === undefined ? null : blobId(file.current)) !== file.recorded);
  if (unrecorded === undefined) return;
  const reason = batch.warnings.find((warning) => warning.startsWith(unrecorded.path));
  throw new MnemeError('conflict', reason ?? `${unrecorded.path} holds an edit that is not in the history.`, {
    hint: 'It would be overwritten. Take out what keeps it from being recorded, or move the file away, and try again.',
  });
}
