import { isMnemeError } from '../../../model/errors.ts';
import { parseWorkspacePath } from '../../../workspace/safety/paths.ts';
import type { ImportRun } from '../import-run.ts';

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
