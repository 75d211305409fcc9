import { errorMessage, MnemeError } from '../../model/errors.ts';
import { explainDiskFailure, sqliteCode } from '../../platform/disk-failure.ts';
import { isBusy, isCorrupt } from '../../platform/sqlite.ts';
import { damaged } from '../damage.ts';

const SQLITE_ERROR = 1;
const SQLITE_FULL = 13;

/** Turns an error of SQLite into one a reader can act on. */
export function explainFailure(file: string, error: unknown): unknown {
  const code = sqliteCode(error);
  if (code === undefined) return error;
  if (isCorrupt(error)) return damaged(errorMessage(error), error);
  // A statement that used to compile and does not: tables are missing.
  if ((code & 0xff) === SQLITE_ERROR) return damaged(errorMessage(error), error);
  if ((code & 0xff) === SQLITE_FULL) {
    return new MnemeError('failure', `The search index ${file} cannot grow: the disk is full.`, {
      hint: 'Free some space and run `mneme index sync`; what the index had before is unchanged.',
      cause: error,
    });
  }
  if (isBusy(error)) {
    return new MnemeError('locked', `Another process is writing the search index ${file} and does not finish.`, {
      hint: 'Try again; if it stays so, look for a stopped mneme process and end it.',
      cause: error,
    });
  }
  const explained = explainDiskFailure(file, error);
  if (explained !== error) return explained;
  return new MnemeError('failure', `The search index ${file} cannot be used: ${errorMessage(error)}.`, {
    hint: 'Check that the folder is writable; the file may be deleted and is made anew.',
    cause: error,
  });
}
