import { z } from 'zod';
import type { BodyDraft } from '../../chain/writer.ts';
import type { Head } from '../../chain/entry.ts';
import { exchangeChains, linksOf, readOthers, type OtherChain } from '../../chain/others.ts';
import { gitRemote } from '../../model/config/values.ts';
import { MnemeError } from '../../model/errors.ts';
import { defineVerb } from '../verb.ts';
import { openChain } from './note-memories.ts';

const input = z.strictObject({
  remote: gitRemote('The repository that the machines share; git.chain_remote when not given.').optional(),
});

export type ChainSyncInput = z.input<typeof input>;

export interface ChainSynced {
  readonly remote: string;
  readonly chain: string;
  readonly others: readonly OtherChain[];
  /** Heads of other chains that ours names now. */
  readonly linked: readonly Head[];
  readonly notes: readonly string[];
}

/** Chains vouch for each other: each names the heads of the others, so that none can be rewritten unseen by all. */
export const chainSync = defineVerb({
  name: 'chain sync',
  summary: 'Exchange chains with your other machines, and note each other’s heads.',
  input,
  args: ['remote'],
  effect: 'write',
  withoutLease: 'own',
  async run(context, given): Promise<ChainSynced> {
    const remote = given.remote ?? context.config.git.chain_remote;
    if (remote === null) {
      throw new MnemeError('usage', 'With which repository? git.chain_remote is not set.', {
        hint: '`mneme config set git.chain_remote ADDRESS`, or name it.',
      });
    }
    const { chain, notes } = await openChain(context);
    const id = await chain.exclusively(async (writer) => {
      // A chain that is shared has something to share: its key.
      if (writer.next === 0) await writer.append([{ type: 'checkpoint' }]);
      return writer.chain ?? '';
    });
    await context.workspace.drain();
    const { branch } = context.config.git;
    const git = context.workspace.git.chain;
    await exchangeChains(git, remote, id, branch);
    const known = linksOf(chain.read());
    const others = await readOthers(git, id, known);
    const linked = others.flatMap(({ chain: other, entries, head, news, findings }): Head[] => {
      return findings.length === 0 && news > 0 ? [{ chain: other, seq: entries - 1, head }] : [];
    });
    await chain.exclusively((writer) => writer.append(linked.map((body): BodyDraft => ({ type: 'link', body }))));
    if (linked.length > 0) {
      await context.workspace.drain();
      await exchangeChains(git, remote, id, branch);
    }
    return { remote, chain: id, others, linked, notes };
  },
  http: false,
  library: { args: [] },
  cli: { exitCode: ({ others }) => (others.some(({ findings }) => findings.length > 0) ? 'integrity' : 'ok') },
  render: async (view, output) => (await import('./render-chain.ts')).renderSynced(view, output),
});
