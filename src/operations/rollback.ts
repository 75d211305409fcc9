import { z } from 'zod';
import { MnemeError } from '../model/errors.ts';
import { isMutationId } from '../model/ids.ts';
import { roleOf } from '../model/mutation.ts';
import { isAnswer, parseAck } from '../audit/acknowledgement.ts';
import { planUndo, undoRequest, type UndoPlan, type UndoTarget } from '../audit/undo.ts';
import { findMutationId } from '../workspace/git/revisions.ts';
import { type View, paintDiff } from './command-line/style.ts';
import { commitOrPropose } from './commit-or-propose.ts';
import type { OperationContext } from './context.ts';
import { findItem, looksLikeItemId } from './find-item.ts';
import { presentIfFuture } from './history/open-history.ts';
import { runOperation } from './operation.ts';
import { defineVerb } from './verb.ts';
import { toWorkspacePath } from './workspace-files.ts';

const input = z.object({
  target: z
    .string()
    .optional()
    .describe(
      'A mutation id, an item id, a proposal id, or a file (with `to`). Without it, the whole workspace (with `to`).',
    ),
  to: z.string().optional().describe('Back to how it was: a date, `yesterday`, a tag, a mutation id.'),
  session: z.string().optional().describe('Everything a session or reflection did.'),
  isWholeBatch: z.boolean().default(false).describe('With batch cadence: undo everything in the same commit.'),
  isDryRun: z.boolean().default(false).describe('Only show what would happen.'),
});

export interface RollbackResult {
  readonly summary: string;
  /** null for a dry run, or when there was nothing left to undo. */
  readonly mutation: string | null;
  readonly preview: UndoPlan['preview'];
  readonly skipped: UndoPlan['skipped'];
  /** Another machine writes, so it waits as a proposal; `mutation` is that one's. */
  readonly isProposed: boolean;
  readonly warnings: readonly string[];
  readonly commit: string | null;
}

export type RollbackInput = z.input<typeof input>;

export const rollback = defineVerb({
  name: 'rollback',
  summary: 'Undo a change, also when later ones touched the same file.',
  description:
    'Undo a mutation, an item’s last change, or a proposal; take a file or the whole workspace back to a time with --to. ' +
    'Later changes are kept; what cannot be undone is said.',
  examples: [
    'mneme rollback 4T7K2M9Q',
    'mneme rollback MEMORY.md --to yesterday',
    'mneme rollback --session ses_a1b2 -n',
  ],
  input,
  args: ['target'],
  effect: 'write',
  withoutLease: 'proposes',
  async run(context, given): Promise<RollbackResult> {
    await context.workspace.drain();
    const to = given.to === undefined ? undefined : presentIfFuture(context, given.to);
    const target = await targetOf(context, { ...given, to });
    const moment = { nowMs: context.clock.now(), timeZone: context.config.time_zone };
    const plan = await planUndo(context.workspace, target, moment);
    const { summary, preview, skipped } = plan;
    if (given.isDryRun || plan.changes.length === 0) {
      return { summary, mutation: null, preview, skipped, isProposed: false, warnings: [], commit: null };
    }
    const isPerson = roleOf(context.actor) === 'human';
    const { mutation, files, warnings } = await commitOrPropose(
      context,
      undoRequest(plan, { actor: context.actor, approval: isPerson ? '—' : 'auto' }),
    );
    const isProposed = mutation !== undefined && files.length === 0;
    return { summary, mutation: mutation ?? null, preview, skipped, isProposed, warnings, commit: null };
  },
  http: { isLong: true },
  library: { args: [] },
  cli: {
    section: 'everyday',
    aliases: ['undo'],
    options: {
      to: { value: 'when' },
      session: { value: 'id' },
      isWholeBatch: { flag: 'whole-batch' },
      isDryRun: { flag: 'dry-run', short: 'n' },
    },
    async finish({ workspace }, undone) {
      const { commits } = await workspace.drainIfDue();
      return { ...undone, commit: commits.get(undone.mutation ?? '') ?? null };
    },
  },
  render: renderRollback,
});

function renderRollback({ style }: View, result: RollbackResult, { isDryRun }: z.output<typeof input>): string {
  const diffs = result.preview.map(({ diff }) => paintDiff(style, diff.trimEnd()));
  const skipped = result.skipped.map(({ path, block, reason }) => {
    const where = block === undefined ? path : `${path}, "${block}"`;
    return `${style.yellow('left as it is')} ${where}: ${reason}`;
  });
  const outcome =
    result.mutation !== null && !result.isProposed
      ? [`${style.green('Done')}: ${result.summary}`, style.dim(`undo this: mneme rollback ${result.mutation}`)]
      : [whyNotUndone(result, isDryRun)];
  const warnings = result.warnings.map((warning) => style.yellow(warning));
  return `${[...diffs, ...skipped, ...outcome, ...warnings].join('\n')}\n`;
}

function whyNotUndone({ isProposed, preview, summary }: RollbackResult, isDryRun: boolean): string {
  if (isProposed) return `Proposed: ${summary}`;
  return isDryRun && preview.length > 0
    ? 'This would be undone (nothing was changed).'
    : 'There is nothing left to undo.';
}

/** A change as `log` and `status` name it: a mutation id, its end, or a commit of a person's own. */
async function findChange(context: OperationContext, target: string): Promise<string | undefined> {
  const upper = target.toUpperCase();
  if (isMutationId(upper)) return upper;
  const git = context.workspace.git.workspace;
  if (/^[0-9A-Z]{6,25}$/u.test(upper)) {
    const mutation = await findMutationId(git, upper);
    if (mutation !== undefined) return mutation;
  }
  const [, hash] = /^(?:git:)?([0-9a-f]{7,40})$/u.exec(target) ?? [];
  if (hash === undefined) return undefined;
  const commit = await git.attempt(['rev-parse', '--verify', '-q', `${hash}^{commit}`]);
  return commit.code === 0 ? `git:${commit.stdout.toString('utf8').trim()}` : undefined;
}

/** Among so many changes is one of a file: an answer to a question changes none. */
const RECENT = 20;

async function targetOf(context: OperationContext, given: z.output<typeof input>): Promise<UndoTarget> {
  const { target, to, session } = given;
  if (session !== undefined) return { kind: 'session', session };
  if (target === undefined) {
    if (to !== undefined) return { kind: 'workspace', revision: to };
    const { log } = await import('./history/log.ts');
    const { entries } = await runOperation(log, context, { limit: RECENT });
    const { mutations = [], summary = '' } = entries.find(({ files }) => files.length > 0) ?? {};
    const last = mutations[0] === undefined ? '' : `The last change: ${summary}. Undo it: mneme undo ${mutations[0]}\n`;
    throw new MnemeError('usage', 'What should be undone?', {
      hint: `${last}Give a change of \`mneme history log\`, an item, or a file with --to; --to alone takes everything back.`,
    });
  }
  if (looksLikeItemId(target)) {
    const { id, path } = await findItem(context, target);
    return { kind: 'item', id, path };
  }
  const mutation = await findChange(context, target);
  if (mutation !== undefined) {
    const isProposal = context.proposals.list().proposals.some(({ id }) => id === mutation);
    if (isProposal) return { kind: 'proposal', proposal: mutation };
    refuseAnswer(context, mutation);
    return { kind: 'mutation', mutation, isWholeBatch: given.isWholeBatch };
  }
  if (to === undefined) {
    throw new MnemeError('usage', `Back to when should ${target} go?`, {
      hint: `\`mneme rollback ${target} --to yesterday\`; \`mneme history log ${target}\` shows its changes.`,
    });
  }
  return { kind: 'file', path: toWorkspacePath(context, target), revision: to };
}

/** An answer changes no file: another answer takes its place. */
function refuseAnswer({ audit }: OperationContext, mutation: string): void {
  const [answer] = audit.query({ accepts: (line) => line.reference === mutation && isAnswer(line), limit: 1 });
  const given = parseAck(answer?.trigger);
  if (given === undefined) return;
  const isMine = given.answer === 'mine';
  throw new MnemeError(
    'refused',
    `${mutation} is your answer that changes were ${isMine ? '' : 'not '}yours; it changed no file.`,
    {
      hint: `Give the other answer: mneme audit ack${isMine ? ' --not-mine' : ''} ${mutation}`,
    },
  );
}
