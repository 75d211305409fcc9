import type { CommitResult } from '../workspace/door/request.ts';
import type { View } from './command-line/style.ts';
import type { OperationContext } from './context.ts';
import { counted } from '../model/text.ts';

/** The result of a write for its caller, in every interface. */
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

/** Waits for git unless it gathers changes: a command ends its process. */
export async function withCommit<Result extends { readonly mutation: string | null }>(
  { workspace }: OperationContext,
  result: Result,
): Promise<Result & { readonly commit: string | null }> {
  const { commits } = await workspace.drainIfDue();
  return { ...result, commit: commits.get(result.mutation ?? '') ?? null };
}

export function renderWrite({ style }: View, result: WriteResult): string {
  if (result.mutation === null) return 'Nothing changed.\n';
  const lines = result.files.flatMap((file) => [
    `${style.green(file.action)} ${file.path}${file.merged ? ' (merged with what was written meanwhile)' : ''}`,
    ...(file.conflicts === 0
      ? []
      : [
          style.yellow(
            `  ${counted(file.conflicts, 'conflict')}: both versions are kept; \`mneme proposals\` shows them.`,
          ),
        ]),
  ]);
  if (result.redacted.length > 0) lines.push(`${style.yellow('Redacted')} ${result.redacted.join(', ')}`);
  lines.push(...result.warnings.map((warning) => `${style.yellow('note')} ${warning}`));
  lines.push(style.dim(`undo: mneme rollback ${result.mutation}`));
  return `${lines.join('\n')}\n`;
}
