import { MnemeError } from '../../model/errors.ts';
import { findTip, planTree, type CheckoutStep } from './checkout.ts';
import type { Git } from './git.ts';
import { mergeTrees, type FileConflict, type MergedFile, type MergeText } from './merge-trees.ts';
import { readLocalSettings } from './settings.ts';
import { DAY_MS } from '../../model/time.ts';

/*
 * Trial branches (what-if). While one is checked out, the work tree shows it and everything Mneme writes goes to it. Switching
 * is the workspace's (`checkOut`): this module says where to go and what to write.
 */

const BRANCH_ROOT = 'explore/';
const NAME_PATTERN = /^[\p{L}\p{N}](?!.*(?:\.\.|\.lock$|\.$))[\p{L}\p{N}._-]{0,99}$/u;
const DEFAULT_MAX_AGE_DAYS = 7;
const DEFAULT_FROM = 'main';

export interface Exploration {
  readonly name: string;
  readonly branch: string;
  readonly tip: string;
  /** The branch it came from and goes back to. */
  readonly from: string;
  readonly startedMs: number;
  readonly isCurrent: boolean;
}

/** The end of an exploration; its commits stay under `refs/mneme/OUTCOME/NAME-ID`, so that nothing is lost. */
export type ExplorationOutcome = 'merged' | 'dropped';

/** Prepares an exploration that begins where HEAD is when the returned step is carried out. */
export async function planExploration(
  git: Git,
  options: { readonly name: string; readonly nowMs: number },
): Promise<CheckoutStep> {
  const { name, nowMs } = options;
  if (!NAME_PATTERN.test(name)) {
    throw new MnemeError('usage', `"${name}" cannot name an exploration.`, {
      hint: 'Use letters, digits, dots and dashes, without spaces: what-if-postgres.',
    });
  }
  if ((await findExploration(git, name)) !== undefined) {
    throw new MnemeError('conflict', `There is an exploration "${name}" already.`, { hint: 'Choose another name.' });
  }
  const branch = `${BRANCH_ROOT}${name}`;
  const from = await git.text(['symbolic-ref', '--short', 'HEAD']);
  // Before the branch exists: there is never one that does not know where it is from.
  await git.bytes(['config', '--local', `branch.${branch}.mnemeFrom`, from]);
  await git.bytes(['config', '--local', `branch.${branch}.mnemeStarted`, String(nowMs)]);
  return {
    branch: `refs/heads/${branch}`,
    summary: `began the exploration ${name}`,
    trigger: `explore start ${name}`,
    plan: () => Promise.resolve([]),
  };
}

/** The way back to the branch an exploration came from, with the files as they are there. */
export function planReturn(git: Git, { name, from }: Exploration): CheckoutStep {
  const branch = `refs/heads/${from}`;
  return {
    branch,
    summary: `back to ${from}`,
    trigger: `leaving the exploration ${name}`,
    plan: async (known) => {
      const tip = await findTip(git, branch);
      if (tip !== undefined) return planTree(git, tip, known);
      throw new MnemeError('not-found', `The branch ${from}, which "${name}" came from, is gone.`, {
        hint: `Make it again (\`git branch ${from} COMMIT\`) and try once more.`,
      });
    },
  };
}

/** Oldest first. */
export async function listExplorations(git: Git): Promise<Exploration[]> {
  const settings = await readLocalSettings(git);
  const format = ['%(refname:strip=2)', '%(objectname)', '%(committerdate:unix)', '%(HEAD)'].join('%00');
  const output = await git.text(['for-each-ref', `--format=${format}`, `refs/heads/${BRANCH_ROOT}`]);
  const explorations = output
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Exploration => {
      const [branch = '', tip = '', seconds = '', head = ''] = line.split('\0');
      // A branch a person made by plain git has no settings; its last commit tells its age.
      const started = settings.get(`branch.${branch}.mnemestarted`);
      return {
        name: branch.slice(BRANCH_ROOT.length),
        branch,
        tip,
        from: settings.get(`branch.${branch}.mnemefrom`) ?? DEFAULT_FROM,
        startedMs: started === undefined ? Number(seconds) * 1000 : Number(started),
        isCurrent: head === '*',
      };
    });
  return explorations.sort((one, other) => one.startedMs - other.startedMs);
}

async function findExploration(git: Git, name: string): Promise<Exploration | undefined> {
  const short = name.startsWith(BRANCH_ROOT) ? name.slice(BRANCH_ROOT.length) : name;
  return (await listExplorations(git)).find((exploration) => exploration.name === short);
}

export async function getExploration(git: Git, name: string): Promise<Exploration> {
  const explorations = await listExplorations(git);
  const found = explorations.find((exploration) => exploration.name === name || exploration.branch === name);
  if (found !== undefined) return found;
  throw new MnemeError('not-found', `There is no exploration "${name}".`, {
    hint:
      explorations.length === 0 ? 'There are none.' : `There are: ${explorations.map((one) => one.name).join(', ')}.`,
  });
}

export interface ExplorationMerge {
  readonly exploration: Exploration;
  /** The tip of `exploration.from` that `files` apply to. */
  readonly onto: string;
  /** The files to write there, through the write path. */
  readonly files: readonly MergedFile[];
  readonly conflicts: readonly FileConflict[];
}

/** Plans the merge of an exploration. Once that is written, `finishExploration` puts the branch away. */
export async function planExplorationMerge(git: Git, name: string, merge: MergeText): Promise<ExplorationMerge> {
  const exploration = await getExploration(git, name);
  const onto = await git.text(['rev-parse', '--verify', `refs/heads/${exploration.from}`]);
  const base = await git.text(['merge-base', onto, exploration.tip]);
  const { files, conflicts } = await mergeTrees(git, { base, ours: onto, theirs: exploration.tip }, merge);
  return { exploration, onto, files, conflicts };
}

/** Puts a branch away after its merge, or drops it; its commits are kept under a ref of ours. */
export async function finishExploration(
  git: Git,
  name: string,
  options: { readonly outcome: ExplorationOutcome; readonly id: string },
): Promise<string> {
  const exploration = await getExploration(git, name);
  if (exploration.isCurrent) {
    throw new MnemeError('conflict', `The exploration "${name}" is checked out.`, { hint: 'Leave it first.' });
  }
  await assertNoneBeganHere(git, exploration);
  const kept =
    (await findKept(git, exploration, options.outcome)) ??
    `refs/mneme/${options.outcome}/${exploration.name}-${options.id}`;
  await git.bytes(['update-ref', kept, exploration.tip]);
  await git.bytes(['branch', '--delete', '--force', '--quiet', exploration.branch]);
  return kept;
}

/** Finds what a process that died before the branch was gone has kept of it already. */
async function findKept(
  git: Git,
  { name, tip }: Exploration,
  outcome: ExplorationOutcome,
): Promise<string | undefined> {
  const folder = `refs/mneme/${outcome}/`;
  const refs = await git.text(['for-each-ref', '--format=%(refname)', `--points-at=${tip}`, folder]);
  const start = `${folder}${name}-`;
  // Another exploration may be called the same with a word more.
  return refs.split('\n').find((ref) => ref.startsWith(start) && !ref.slice(start.length).includes('-'));
}

export interface PruneOptions {
  readonly nowMs: number;
  readonly maxAgeDays?: number | undefined;
}

export interface ExplorationPrune {
  readonly expired: readonly Exploration[];
  /** Too old as well, but checked out or the beginning of another one: somebody is working there. */
  readonly inUse: readonly Exploration[];
}

export async function planExplorationPrune(git: Git, options: PruneOptions): Promise<ExplorationPrune> {
  const oldestMs = options.nowMs - (options.maxAgeDays ?? DEFAULT_MAX_AGE_DAYS) * DAY_MS;
  const all = await listExplorations(git);
  const old = all.filter((exploration) => exploration.startedMs < oldestMs);
  const isInUse = (one: Exploration): boolean => one.isCurrent || all.some(({ from }) => from === one.branch);
  return { expired: old.filter((one) => !isInUse(one)), inUse: old.filter(isInUse) };
}

/** Drops what a plan names and returns the refs that keep the commits. */
export async function applyExplorationPrune(git: Git, plan: ExplorationPrune, nextId: () => string): Promise<string[]> {
  const kept: string[] = [];
  for (const { name } of plan.expired)
    kept.push(await finishExploration(git, name, { outcome: 'dropped', id: nextId() }));
  return kept;
}

/** An exploration of an exploration would not know where to go back to. */
export async function assertNoneBeganHere(git: Git, { name, branch }: Exploration): Promise<void> {
  const later = (await listExplorations(git)).find((exploration) => exploration.from === branch);
  if (later === undefined) return;
  throw new MnemeError('conflict', `The exploration "${later.name}" began within "${name}".`, {
    hint: `Merge or drop ${later.name} first.`,
  });
}
