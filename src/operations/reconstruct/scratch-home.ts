import fs from 'node:fs';
import type { Config } from '../../model/config/schema.ts';
import { homePaths } from '../../workspace/home-paths.ts';
import { Git } from '../../workspace/git/git.ts';
import { initRepository } from '../../workspace/git/repository.ts';
import type { OpenedHome, OperationContext } from '../context.ts';
import { branchOf, type ReconstructionPlaces } from './places.ts';
import type { ReconstructionRecord } from './record.ts';

/** The settings with which conversations are looked at again. */
export function settingsFor(
  config: Config,
  { provider, model }: Pick<ReconstructionRecord, 'provider' | 'model'>,
): Config {
  const { reasoner } = config;
  const known = reasoner.provider === provider ? reasoner.provider : providerOf(provider);
  const models = model === null ? reasoner.models : { ...reasoner.models, extract: model, summarise: model };
  // The copy stands in a folder of its own, wherever the memory itself is.
  const workspace = { ...config.workspace, path: 'workspace', git_dir: null };
  // A trial needs no proof of integrity later.
  const chain = { ...config.chain, enabled: false };
  return { ...config, workspace, chain, reasoner: { ...reasoner, provider: known, models } };
}

const PROVIDERS: readonly Config['reasoner']['provider'][] = [
  'heuristic',
  'anthropic',
  'openai',
  'google',
  'openai-compatible',
];

export function findProvider(name: string): Config['reasoner']['provider'] | undefined {
  return PROVIDERS.find((provider) => provider === name);
}

function providerOf(name: string): Config['reasoner']['provider'] {
  return findProvider(name) ?? 'heuristic';
}

/** A copy of the memory as it was at a commit, with a history that begins there. Made once; what is there is kept. */
export async function makeScratch(
  context: OperationContext,
  places: ReconstructionPlaces,
  record: ReconstructionRecord,
): Promise<void> {
  const { branch } = context.config.git;
  const location = homePaths(places.home).repositories.workspace;
  if (await holdsBase(new Git(location), record.base)) return;
  // Half of a copy is no copy.
  fs.rmSync(places.home, { recursive: true, force: true });
  fs.mkdirSync(places.home, { recursive: true, mode: 0o700 });
  const { git } = await initRepository({ ...location, kind: 'workspace', branch });
  const { gitDir } = context.workspace.git.workspace.location;
  const from = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', gitDir];
  await git.bytes([...from, `+refs/heads/${branch}:refs/remotes/memory/${branch}`]);
  await git.bytes(['reset', '--hard', '--quiet', record.base]);
  await git.bytes(['update-ref', '-d', `refs/remotes/memory/${branch}`]);
}

async function holdsBase(git: Git, base: string): Promise<boolean> {
  if (!fs.existsSync(git.location.gitDir)) return false;
  // The branch moves last: once it has, all files are there.
  return (await git.attempt(['merge-base', '--is-ancestor', base, 'HEAD'])).code === 0;
}

/** Opens the copy as a home with the settings of the reconstruction. */
export function openScratch(
  context: OperationContext,
  places: ReconstructionPlaces,
  record: ReconstructionRecord,
): Promise<OpenedHome> {
  const config = settingsFor(context.config, record);
  return context.openAnother({ home: places.home, config, layout: context.layout });
}

/** Makes the copy's history a branch of the memory's own, where `git diff` and `git log` find it. */
export async function publish(context: OperationContext, places: ReconstructionPlaces, name: string): Promise<void> {
  const { branch } = context.config.git;
  const { gitDir } = homePaths(places.home).repositories.workspace;
  await context.workspace.git.workspace.bytes([
    'fetch',
    '--quiet',
    '--no-tags',
    '--no-write-fetch-head',
    gitDir,
    `+refs/heads/${branch}:refs/heads/${branchOf(name)}`,
  ]);
}
