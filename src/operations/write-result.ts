import type { CommitResult } from '../workspace/door/request.ts';

/** What a write tells its caller, in every interface. */
export interface WriteResult {
  /** null when the file was that way already. */
  readonly mutation: string | null;
  readonly files: readonly {
    readonly path: string;
    readonly action: string;
    readonly merged: boolean;
    readonly conflicts: number;
  }[];
  readonly redacted: readonly string[];
  readonly warnings: readonly string[];
  /** null until git has followed; the CLI waits for it. */
  readonly commit: string | null;
}

export function describeWrite(result: CommitResult): WriteResult {
  const indexWarning = result.indexError === undefined ? [] : [`The index could not follow: ${result.indexError}`];
  return {
    mutation: result.mutation ?? null,
    files: result.files.map(({ path, action, merged, conflicts }) => ({
      path,
      action,
      merged,
      conflicts: conflicts.length,
    })),
    redacted: result.redactions.map(({ rule }) => rule),
    warnings: [...result.warnings, ...indexWarning],
    commit: null,
  };
}
