import { isMnemeError, must } from '../../model/errors.ts';
import type { Actor } from '../../model/mutation.ts';
import type { OperationContext } from '../context.ts';
import { runOperation } from '../operation.ts';
import { remember, type RememberInput, type Remembered } from '../remember.ts';
import { defineVerb, NOT_OFFERED } from '../verb.ts';
import { readWorkspaceText } from '../workspace-files.ts';
import type { Proposed, RequestedChange } from '../../proposals/request.ts';
import type { Change, CommitRequest, CommitResult } from '../../workspace/door/request.ts';
import { WriteQueue } from '../../workspace/write-queue.ts';

export interface ProposedMemory {
  readonly outcome: Proposed['outcome'];
  readonly proposal: string;
  readonly store: Remembered['store'];
  readonly path: string;
  readonly redacted: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * Files the effect of remembering as a proposal. `remember` itself decides where a memory goes and how it looks; only its
 * writes end in a proposal instead of the write path, so both ways can never drift apart.
 */
export const proposeAsWritten = defineVerb({
  name: 'remember propose',
  summary: 'Propose what `remember` would write, with its place and its form.',
  input: remember.input,
  effect: 'propose',
  withoutLease: 'proposes',
  ...NOT_OFFERED,
  async run(context, input): Promise<ProposedMemory> {
    let proposed: Proposed | undefined;
    const writes = proposingQueue(async (request) => {
      proposed = await propose(context, request, input);
      return toCommitResult(context, proposed);
    });
    const actor = writerFor(context.actor);
    const { store, path, redacted } = await runOperation(
      remember,
      // A proposal may wait on any machine, whichever of them writes.
      { ...context, writes, actor, writer: undefined },
      { ...input, strategy: 'immediate' },
    );
    const { outcome, id, warnings } = must(proposed, 'proposal');
    return { outcome, proposal: id, store, path, redacted, warnings };
  },
});

/** The name it will be written under once somebody approves; the proposal itself is the client's own. */
function writerFor(actor: Actor): Actor {
  return actor.startsWith('subagent:') ? actor.replace(/^subagent/u, 'bot:commit-from') : actor;
}

function proposingQueue(commit: (request: CommitRequest) => Promise<CommitResult>): WriteQueue {
  return new WriteQueue({
    commit,
    strategy: 'immediate',
    batchSize: 1,
    batchIntervalMs: 0,
    idleMs: 0,
    immediateImportance: 0,
    conditionalImportance: 0,
  });
}

async function propose(context: OperationContext, request: CommitRequest, input: RememberInput): Promise<Proposed> {
  const changes = await Promise.all(request.changes.map((change) => toRequested(context, change)));
  return context.proposals.propose({
    kind: 'memory',
    title: request.summary,
    why: '',
    evidence: [],
    actor: context.actor,
    trust: input.trust ?? 'agent',
    scope: input.scope,
    confidence: input.confidence,
    changes,
    trigger: request.trigger,
    session: request.session,
  });
}

async function toRequested(context: OperationContext, change: Change): Promise<RequestedChange> {
  const edit = must('edit' in change ? change.edit : undefined, 'edit of a remembered text');
  const before = await findText(context, change.path);
  const after = edit(before);
  return { path: change.path, before, after };
}

async function findText(context: OperationContext, path: string): Promise<string | undefined> {
  try {
    return await readWorkspaceText(context, path);
  } catch (error) {
    if (isMnemeError(error, 'not-found')) return undefined;
    throw error;
  }
}

function toCommitResult({ clock }: OperationContext, { mutation, redactions, warnings }: Proposed): CommitResult {
  return { mutation: mutation ?? '', timeMs: clock.now(), files: [], redactions, warnings, indexError: undefined };
}
