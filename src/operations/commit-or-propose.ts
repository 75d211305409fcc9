import { MnemeError } from '../model/errors.ts';
import { counted } from '../model/text.ts';
import { nodeFileSystem } from '../platform/fs.ts';
import type { RequestedChange } from '../proposals/request.ts';
import type { Change, CommitRequest, CommitResult } from '../workspace/door/request.ts';
import { kindOfPath } from '../workspace/formats/layout.ts';
import type { View } from './command-line/style.ts';
import type { OperationContext } from './context.ts';
import { writeOrPropose } from './writer-gate.ts';

/** As `workspace.commit`; where another machine writes, an agent's change waits as a proposal, and a warning says so. */
export async function commitOrPropose(context: OperationContext, request: CommitRequest): Promise<CommitResult> {
  return writeOrPropose(
    context,
    () => context.workspace.commit(request),
    (reason) => proposeCommit(context, request, reason),
  );
}

/** Files what a commit would change as a proposal. */
export async function proposeCommit(
  context: OperationContext,
  request: CommitRequest,
  reason: string,
): Promise<CommitResult> {
  const changes = draft(context, request.changes);
  const result = { timeMs: context.clock.now(), files: [], indexError: undefined };
  if (changes.length === 0) return { ...result, mutation: undefined, redactions: [], warnings: [] };
  const { actor, proposals } = context;
  const { summary, trigger, session } = request;
  const asked = { kind: 'memory', title: summary, why: reason, evidence: [], trust: 'agent', changes } as const;
  const { id, outcome, mutation, redactions, warnings } = await proposals.propose({
    ...asked,
    actor,
    trigger,
    session,
  });
  const what = outcome === 'rejected-before' ? `The same was rejected before (${id}).` : `It waits as proposal ${id}.`;
  return { ...result, mutation, redactions, warnings: [`${reason} ${what}`, ...warnings] };
}

/** Drafts the result of the changes on the present files; generated files follow automatically. */
function draft(context: OperationContext, changes: readonly Change[]): RequestedChange[] {
  const drafted = new Map<string, RequestedChange>();
  for (const change of changes) {
    const { path } = change;
    if (kindOfPath(path, context.layout) === 'generated') continue;
    const before = nodeFileSystem.read(`${context.workspace.root}/${path}`)?.toString('utf8');
    if ('renameTo' in change) {
      drafted.set(path, { path, before, after: before, renameTo: change.renameTo });
    } else if ('edit' in change) {
      const known = drafted.get(path);
      drafted.set(path, { path, before, after: change.edit(known === undefined ? before : known.after) });
    } else if ('content' in change) {
      const base = change.base === undefined ? before : textOf(path, change.base);
      drafted.set(path, {
        path,
        before: base,
        after: change.content === undefined ? undefined : textOf(path, change.content),
      });
    } else throw notText(path);
  }
  return [...drafted.values()].filter(({ before, after, renameTo }) => before !== after || renameTo !== undefined);
}

function textOf(path: string, content: string | Uint8Array): string {
  if (typeof content === 'string') return content;
  throw notText(path);
}

function notText(path: string): MnemeError {
  return new MnemeError('locked', `Another machine writes this memory now, and ${path} is not text to propose.`, {
    hint: 'Try again when it is this machine’s turn, or do it there.',
  });
}

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
