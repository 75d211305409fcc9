import { MnemeError } from '../../model/errors.ts';
import { UlidFactory } from '../../model/ids.ts';
import type { Git } from '../../workspace/git/git.ts';
import { type DayEdge, type Revision, parseMoment, resolveRevision } from '../../workspace/git/revisions.ts';
import type { OperationContext } from '../context.ts';
import { toReadablePath } from '../workspace-files.ts';

export interface OpenedHistory {
  readonly git: Git;
  /** Why something acknowledged is not in the history yet; empty as a rule. */
  readonly postponed: readonly string[];
}

/** The workspace's history, with everything acknowledged so far in it. */
export async function openHistory(context: OperationContext): Promise<OpenedHistory> {
  const { postponed } = await context.workspace.drain();
  const git = context.workspace.git.workspace;
  const head = await git.attempt(['rev-parse', '--verify', '--quiet', 'HEAD']);
  if (head.code === 0) return { git, postponed };
  throw new MnemeError('not-found', `${context.workspace.root} has no history yet.`, {
    hint: 'It begins with the first thing remembered: `mneme remember TEXT`.',
  });
}

/** As `openHistory`, for what moves HEAD: edits made outside are recorded first, and nothing may be left waiting. */
export async function settleHistory(context: OperationContext): Promise<Git> {
  await context.workspace.scan();
  const { git, postponed } = await openHistory(context);
  if (postponed.length === 0) return git;
  throw new MnemeError('conflict', `Git is not in step with the memory: ${postponed.join('; ')}.`, {
    hint: 'Finish what is under way there and try again.',
  });
}

/** The commit a person means; a time to come is now. */
export async function resolvePoint(context: OperationContext, git: Git, text: string): Promise<Revision> {
  const { time_zone: timeZone } = context.config;
  return resolveRevision(git, presentIfFuture(context, text), context.clock.now(), timeZone);
}

/** A time to come as what there is now; git itself loses its way in the far future. */
export function presentIfFuture({ clock, config }: OperationContext, text: string): string {
  const nowMs = clock.now();
  return (parseMoment(text, nowMs, config.time_zone) ?? nowMs) > nowMs ? 'HEAD' : text;
}

/** Beyond this nothing differs, and git cannot read every year. */
const FAR_MS = 366 * 86_400_000;

export function getMoment(context: OperationContext, text: string, edge: DayEdge): number {
  const nowMs = context.clock.now();
  const momentMs = parseMoment(text, nowMs, context.config.time_zone, edge);
  if (momentMs !== undefined) return Math.min(momentMs, nowMs + FAR_MS);
  throw new MnemeError('usage', `"${text}" is not a time.`, {
    hint: 'Write 2026-02-16, 2026-02-16T14:30, yesterday or "3 days ago".',
  });
}

/** A file or folder as a person names it. */
export function toHistoryPath(context: OperationContext, given: string): string {
  return toReadablePath(context, given.replace(/\/+$/u, ''));
}

/** Makes ids for what this call does. */
export function createIds({ random, clock }: OperationContext): () => string {
  const ulids = new UlidFactory((length) => random.bytes(length));
  return () => ulids.next(clock.now());
}

/** Critical files that git changed are as they should be; whoever changed them answers for it in the history. */
export async function acceptCriticalFiles(context: OperationContext, paths: readonly string[]): Promise<void> {
  const critical = paths.filter((path) => context.audit.isCritical(path));
  if (critical.length > 0) await context.checksums.accept(critical);
}
