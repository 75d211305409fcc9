import { agentsCommit, agentsReject } from '../../../src/operations/agents/decide.ts';
import { agentsPropose } from '../../../src/operations/agents/propose.ts';
import { agentsTrust } from '../../../src/operations/agents/standing.ts';
import { isMnemeError } from '../../../src/model/errors.ts';
import { runOperation } from '../../../src/operations/operation.ts';
import { attack, control, type Family } from '../table.ts';
import { contextAs, type World } from '../world.ts';

let count = 0;

/** Something proposed by somebody; each time another statement. */
async function proposedBy(world: World, actor: string): Promise<string> {
  count += 1;
  const text = `Berth ${count} belongs to the pilot ${count}.`;
  return (await runOperation(agentsPropose, contextAs(world, actor), { text, confidence: 'high' })).id;
}

/** Undefined when it was refused with this code and such words. */
async function refusedWith(run: () => Promise<unknown>, code: string, words: RegExp): Promise<string | undefined> {
  try {
    return `was let through: ${JSON.stringify(await run()).slice(0, 200)}`;
  } catch (error) {
    if (!isMnemeError(error)) throw error;
    return error.code === code && words.test(error.message) ? undefined : `${error.code}: ${error.message}`;
  }
}

const commit = (world: World, actor: string, id: string): Promise<unknown> =>
  runOperation(agentsCommit, contextAs(world, actor), { ids: [id] });

export const REVIEWERS: Family<World> = {
  title: 'Who decides on whose proposals',
  cases: [
    attack('a sub-agent keeping its own', async (world) => {
      const id = await proposedBy(world, 'subagent:spy');
      return refusedWith(() => commit(world, 'subagent:spy', id), 'refused', /only a person or the main agent/u);
    }),
    attack('a sub-agent keeping its own under another name', async (world) => {
      const id = await proposedBy(world, 'subagent:spy');
      return refusedWith(
        () => commit(world, 'subagent:spy:reviewer', id),
        'refused',
        /only a person or the main agent/u,
      );
    }),
    attack('a reader keeping what a sub-agent proposed', async (world) => {
      const id = await proposedBy(world, 'subagent:spy');
      return refusedWith(() => commit(world, 'reader:spy', id), 'refused', /only a person or the main agent/u);
    }),
    ...['bot:main', 'bot:other', 'skill:reviewer', 'reflection:r-1'].map((actor) =>
      attack<World>(`${actor} approving what the main agent proposed itself`, async (world) => {
        const id = await proposedBy(world, 'bot:main');
        const approving = (): Promise<unknown> => world.server.mneme.internals.proposals.approve(id, { actor });
        return refusedWith(approving, 'refused', /proposed themselves|only what sub-agents propose/u);
      }),
    ),
    attack('somebody approving as whoever changes files by other means', async (world) => {
      const id = await proposedBy(world, 'subagent:spy');
      const approving = (): Promise<unknown> =>
        world.server.mneme.internals.proposals.approve(id, { actor: 'external' });
      return refusedWith(approving, 'refused', /decides nothing/u);
    }),
    attack('an agent that trusts itself', (world) =>
      refusedWith(
        () => runOperation(agentsTrust, contextAs(world, 'bot:main'), { name: 'main' }),
        'refused',
        /only a person may/u,
      ),
    ),
    attack('two reviewers that decide otherwise at the same moment', async (world) => {
      const id = await proposedBy(world, 'subagent:spy');
      const outcomes = await Promise.allSettled([
        commit(world, 'bot:main', id),
        runOperation(agentsReject, contextAs(world, 'manual'), { ids: [id], why: 'no' }),
      ]);
      const done = outcomes.filter(({ status }) => status === 'fulfilled').length;
      const { state } = world.server.mneme.internals.proposals.get(id);
      return done === 1 && (state === 'applied' || state === 'rejected')
        ? undefined
        : `${done} decided, it is ${state}`;
    }),
    control('the main agent keeps what a sub-agent proposed', async (world) => {
      const id = await proposedBy(world, 'subagent:spy');
      await commit(world, 'bot:main', id);
      const { state } = world.server.mneme.internals.proposals.get(id);
      return state === 'applied' ? undefined : state;
    }),
    control('a person approves what the main agent proposed', async (world) => {
      const id = await proposedBy(world, 'bot:main');
      const { state } = await world.server.mneme.internals.proposals.approve(id, { actor: 'manual' });
      return state === 'applied' ? undefined : state;
    }),
  ],
};
