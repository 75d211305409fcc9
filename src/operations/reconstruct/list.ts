import { z } from 'zod';
import { isMnemeError } from '../../model/errors.ts';
import type { OperationContext } from '../context.ts';
import { defineVerb } from '../verb.ts';
import { branchOf, listReconstructionNames, reconstructionPlaces } from './places.ts';
import { getRecord, readDone } from './record.ts';

export interface ReconstructionInfo {
  readonly name: string;
  readonly branch: string;
  readonly created: string;
  readonly state: 'running' | 'ready' | 'proposed' | 'damaged';
  readonly sessions: { readonly done: number; readonly total: number };
  readonly extractors: readonly string[];
  readonly provider: string;
  readonly model: string | null;
}

export const listReconstructions = defineVerb({
  name: 'reconstruct list',
  summary: 'The reconstructions there are, and how far they are.',
  input: z.object({}),
  effect: 'read',
  run: async (context): Promise<ReconstructionInfo[]> =>
    listReconstructionNames(context.workspace.paths).map((name) => describe(context, name)),
  cli: { path: 'learn reconstruct list', formerly: ['reconstruct list', 'reconstruct'], isDefault: true },
  render: async (view, output) => (await import('./render.ts')).renderReconstructions(view, output),
});

function describe({ workspace }: OperationContext, name: string): ReconstructionInfo {
  const branch = branchOf(name);
  try {
    const { created, state, sessions, versions, provider, model } = getRecord(workspace.paths, name);
    const done = readDone(reconstructionPlaces(workspace.paths, name)).size;
    const counts = { done, total: sessions.length };
    const shown = state === 'ready' || state === 'proposed' ? state : 'running';
    return { name, branch, created, state: shown, sessions: counts, extractors: versions, provider, model };
  } catch (error) {
    if (!isMnemeError(error)) throw error;
    const counts = { done: 0, total: 0 };
    return { name, branch, created: '', state: 'damaged', sessions: counts, extractors: [], provider: '', model: null };
  }
}
