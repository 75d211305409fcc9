import { isMnemeError, MnemeError } from '../model/errors.ts';

/** Whether an error of the index means that it has to be made anew. */
export function isDamaged(error: unknown): boolean {
  return isMnemeError(error, 'integrity');
}

export function damaged(what: string, cause?: unknown): MnemeError {
  return new MnemeError('integrity', `The search index is damaged: ${what}.`, {
    hint: 'Run `mneme index rebuild`; it is made anew from the files and nothing is lost.',
    cause,
  });
}
