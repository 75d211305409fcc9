import fs from 'node:fs';
import { z } from 'zod';
import { isMnemeError, MnemeError } from '../../model/errors.ts';
import { ProcessLock } from '../../platform/process-lock.ts';
import { isOpen } from '../../proposals/state.ts';
import type { OperationContext } from '../context.ts';
import { defineVerb } from '../verb.ts';
import { assertReconstructionName, branchOf, reconstructionPlaces } from './places.ts';
import { RECONSTRUCTOR } from './prepare.ts';
import { getRecord } from './record.ts';

export interface DroppedReconstruction {
  readonly name: string;
  readonly branch: string;
  /** Proposals that were withdrawn with it. */
  readonly withdrawn: readonly string[];
}

export const dropReconstruction = defineVerb({
  name: 'reconstruct drop',
  summary: 'Forget a reconstruction: its copy, its branch, and what it proposed.',
  input: z.strictObject({ name: z.string().trim().min(1) }),
  args: ['name'],
  effect: 'write',
  withoutLease: 'own',
  async run(context, { name }): Promise<DroppedReconstruction> {
    assertReconstructionName(name);
    const places = reconstructionPlaces(context.workspace.paths, name);
    // Also what a crash left without a record.
    if (!fs.existsSync(places.folder)) getRecord(context.workspace.paths, name);
    const lock = ProcessLock.tryTake(places.lock);
    if (lock === undefined) {
      throw new MnemeError('locked', `${name} is being worked on by another process.`, { hint: 'Stop it first.' });
    }
    try {
      const withdrawn = await withdraw(context, name);
      await context.workspace.git.workspace.attempt(['update-ref', '-d', `refs/heads/${branchOf(name)}`]);
      fs.rmSync(places.folder, { recursive: true, force: true });
      return { name, branch: branchOf(name), withdrawn };
    } finally {
      lock.release();
      for (const left of [places.lock, `${places.lock}.holder`]) fs.rmSync(left, { force: true });
    }
  },
  http: { isLong: true },
  cli: { path: 'learn reconstruct drop', formerly: ['reconstruct drop'] },
  render: async (view, output) => (await import('./render.ts')).renderDropped(view, output),
});

async function withdraw(context: OperationContext, name: string): Promise<string[]> {
  const withdrawn: string[] = [];
  for (const id of proposalsOf(context, name)) {
    const proposal = context.proposals.list().proposals.find((each) => each.id === id);
    if (proposal === undefined || !isOpen(proposal.state)) continue;
    await context.proposals.withdraw(id, { actor: RECONSTRUCTOR, why: `the reconstruction ${name} was dropped` });
    withdrawn.push(id);
  }
  return withdrawn;
}

/** A record that cannot be read names none; the branch among the evidence does. */
function proposalsOf(context: OperationContext, name: string): readonly string[] {
  try {
    return getRecord(context.workspace.paths, name).proposals;
  } catch (error) {
    if (!isMnemeError(error)) throw error;
    const { proposals } = context.proposals.list({ kind: 'reconstruction' });
    return proposals.filter(({ evidence }) => evidence.includes(branchOf(name))).map(({ id }) => id);
  }
}
