import { z } from 'zod';
import { gitRemote } from '../../model/config/values.ts';
import { MnemeError } from '../../model/errors.ts';
import type { AdoptedFile } from '../../workspace/door/adopt.ts';
import type { Git } from '../../workspace/git/git.ts';
import { changesBetween, isRegularFile, type FileStatus } from '../../workspace/git/objects.ts';
import { syncRepository, type PullPlan, type SyncDirection } from '../../workspace/git/sync.ts';
import type { OperationContext } from '../context.ts';
import { callInstead, defineVerb } from '../verb.ts';
import { countWaiting, exchangeOthers, type RepositoryExchange } from './exchange-repositories.ts';
import { createMergeRule, describeConflict, reportConflicts, type KeptConflict } from './merge-rule.ts';
import { acceptCriticalFiles, createIds, settleHistory } from './open-history.ts';
import { withRemote, type ChosenRemote } from './remote-choice.ts';
import { syncSealed } from './sealed/sealed-sync.ts';

const input = z
  .object({
    remote: gitRemote(
      'A remote of the workspace by name, or the address of a git repository, remembered from then on.',
    ),
    pushOnly: z.boolean().default(false).describe('Send what is here and take nothing.'),
    pullOnly: z.boolean().default(false).describe('Take what is there and send nothing.'),
    allowUnrelated: z
      .boolean()
      .default(false)
      .describe('Join two memories that were begun apart, as when a second machine syncs for the first time.'),
    withPrivateScopes: z
      .boolean()
      .default(false)
      .describe('Send private scopes too, although git.private_scopes keeps them here.'),
  })
  .refine(({ pushOnly, pullOnly }) => !(pushOnly && pullOnly), 'push-only and pull-only exclude each other');

export type SyncInput = z.input<typeof input>;

export interface ArrivedFile {
  readonly path: string;
  readonly status: FileStatus;
}

export interface Synced {
  readonly remote: ChosenRemote;
  readonly branch: string;
  /** The commits of others that were pulled, and their changes here. */
  readonly pulled: { readonly commits: number; readonly files: readonly ArrivedFile[] };
  /** Files that both sides had changed; both versions were kept. */
  readonly conflicts: readonly KeptConflict[];
  /** The commits pushed, and the tags refused. */
  readonly pushed: { readonly commits: number; readonly refusedTags: readonly string[] };
  readonly tip: string;
  readonly attempts: number;
  /** Whether the remote received nothing but cipher text. */
  readonly isSealed: boolean;
  /** The memory, the transcripts and the chain: what came, what went, what still waits. */
  readonly repositories: readonly RepositoryExchange[];
}

/** `problem`: why what both sides changed could not be filed for somebody to settle. */
type SyncedWorkspace = Omit<Synced, 'repositories'> & { readonly problem: string | null };

export const sync = defineVerb({
  name: 'sync',
  summary: 'Exchange the memory with another machine through a git remote.',
  description: 'Pull, merge by block, and push. Where both sides changed the same, both versions are kept.',
  examples: ['mneme sync --remote git@example.org:me/memory.git', 'mneme sync'],
  input,
  effect: 'write',
  withoutLease: 'own',
  async run(context, given): Promise<Synced> {
    const git = await settleHistory(context);
    const { problem, ...synced } = await syncWorkspace(context, git, given);
    const { remote, branch, pulled, pushed, conflicts } = synced;
    const waiting = synced.isSealed ? { toPush: 0, toPull: 0 } : await countWaiting(git, remote.name, branch);
    const counts = { came: pulled.commits, went: pushed.commits, ...waiting, conflicts, problem };
    const workspace = { repository: 'workspace', remote: remote.url, ...counts } as const;
    const options = { direction: directionOf(given), withPrivateScopes: given.withPrivateScopes };
    return { ...synced, repositories: [workspace, ...(await exchangeOthers(context, options))] };
  },
  http: { needs: 'own', isLong: true },
  cli: {
    section: 'upkeep',
    options: { remote: { value: 'address' } },
    extra: {
      newKey: {
        flags: '--new-key',
        help: 'make the key that git.private_scopes: encrypt seals with, and nothing else: sync keys new',
      },
    },
    async instead({ extra }) {
      if (extra['newKey'] !== true) return undefined;
      const { newSealKey } = await import('./sealed/keys.ts');
      return callInstead(newSealKey, {});
    },
  },
  render: async (view, output) => (await import('./render-sync.ts')).renderSynced(view, output),
});

async function syncWorkspace(
  context: OperationContext,
  git: Git,
  given: z.output<typeof input>,
): Promise<SyncedWorkspace> {
  if (context.config.git.private_scopes === 'encrypt' && !given.withPrivateScopes) {
    return withRemote(context, git, given.remote, async (remote) => {
      const exchanged = (mirror: ChosenRemote): Promise<SyncedWorkspace> => exchange(context, git, mirror, given);
      return { ...(await syncSealed(context, git, remote, exchanged, !given.pullOnly)), remote, isSealed: true };
    });
  }
  if (!given.pullOnly && !given.withPrivateScopes) await refusePrivateScopes(context, git);
  return withRemote(context, git, given.remote, (remote) => exchange(context, git, remote, given));
}

async function exchange(
  context: OperationContext,
  git: Git,
  remote: ChosenRemote,
  given: z.output<typeof input>,
): Promise<SyncedWorkspace> {
  const { branch } = context.config.git;
  const problems: string[] = [];
  const result = await syncRepository(git, {
    remote: remote.name,
    branch,
    direction: directionOf(given),
    merge: createMergeRule(context),
    nowMs: context.clock.now(),
    nextMutation: createIds(context),
    allowUnrelated: given.allowUnrelated,
    publish: (plan) => takeIn(context, git, plan, problems),
  });
  if (result.pulled.length > 0) await context.audit.sync();
  return {
    remote,
    branch,
    pulled: await describePulls(git, result.pulled),
    conflicts: result.pulled.flatMap(({ conflicts, theirs: commit }) => {
      const theirs = commit === undefined ? undefined : { gitDir: git.location.gitDir, commit };
      return conflicts.map((conflict) => describeConflict(conflict, theirs));
    }),
    pushed: { commits: result.pushedCommits, refusedTags: result.push?.refusedTags ?? [] },
    tip: await git.text(['rev-parse', '--verify', `refs/heads/${branch}`]),
    attempts: result.attempts,
    isSealed: false,
    problem: problems[0] ?? null,
  };
}

function directionOf({ pushOnly, pullOnly }: z.output<typeof input>): SyncDirection {
  if (pushOnly) return 'push';
  return pullOnly ? 'pull' : 'both';
}

const SCOPES_FOLDER = 'memory/scopes';

/** A push sends the whole history, so one private file in it, even a deleted one, would go along. */
async function refusePrivateScopes({ config }: OperationContext, git: Git): Promise<void> {
  const found = await git.text(['rev-list', '--max-count=1', `refs/heads/${config.git.branch}`, '--', SCOPES_FOLDER]);
  if (found === '') return;
  throw new MnemeError('refused', `The history holds private scopes (${SCOPES_FOLDER}/), which stay on this machine.`, {
    hint:
      'Send everything sealed (`mneme sync --new-key`, then `mneme config set git.private_scopes encrypt`), take only ' +
      '(--pull-only), or send them to a remote that you trust with them (--with-private-scopes).',
  });
}

/** Brings a pull into the files, beside whoever is writing; false when a file it touches has changed meanwhile. */
async function takeIn(context: OperationContext, git: Git, plan: PullPlan, problems: string[]): Promise<boolean> {
  const { mutation, ours, commit, theirs = commit } = plan;
  const isTaken = await context.workspace.checkOut({
    branch: `refs/heads/${plan.branch}`,
    pull: { ours, commit, theirs },
    mutation,
    summary: `pulled ${plan.files.length} file${plan.files.length === 1 ? '' : 's'}`,
    trigger: 'sync',
    plan: () => adoptedFiles(git, plan),
  });
  if (!isTaken) return false;
  await acceptCriticalFiles(
    context,
    plan.files.map(({ path }) => path),
  );
  await reportConflicts(context, mutation, plan.conflicts);
  if (plan.conflicts.length > 0) problems.push(...(await context.proposals.settle()));
  // Conflict resolutions are written like everything else and go out with this push.
  await context.workspace.drain();
  return true;
}

async function adoptedFiles(git: Git, plan: PullPlan): Promise<AdoptedFile[]> {
  const contents = new Map(plan.files.map((file) => [file.path, file.content]));
  const changes = await changesBetween(git, plan.ours, plan.commit);
  // Links and nested repositories are left to the person who made them.
  const regular = changes.filter(({ before, after }) =>
    [before, after].every((entry) => entry === undefined || isRegularFile(entry)),
  );
  return regular.map(({ path, before }) => ({ path, before: before?.blob ?? null, content: contents.get(path) }));
}

async function describePulls(git: Git, pulls: readonly PullPlan[]): Promise<Synced['pulled']> {
  const [first] = pulls;
  if (first === undefined) return { commits: 0, files: [] };
  const theirs = pulls.map((plan) => plan.theirs ?? plan.commit);
  // Merges only join the two sides; what they joined is counted itself.
  const commits = await git.text(['rev-list', '--count', '--no-merges', ...theirs, `^${first.ours}`, '--']);
  const files = new Map<string, ArrivedFile>();
  for (const { ours, commit } of pulls) {
    for (const { path, status } of await changesBetween(git, ours, commit)) files.set(path, { path, status });
  }
  return { commits: Number(commits), files: [...files.values()] };
}
