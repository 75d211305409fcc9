import { z } from 'zod';
import { AnchorReceipts } from '../../chain/anchors/receipts.ts';
import type { AnchorReceipt } from '../../chain/anchors/port.ts';
import { hashLine, type Head } from '../../chain/entry.ts';
import { readEntries } from '../../chain/file.ts';
import { fingerprintOf } from '../../chain/key-files.ts';
import { linksOf } from '../../chain/others.ts';
import { defineVerb } from '../verb.ts';
import { openChain } from './note-memories.ts';

export interface ChainStats {
  readonly isEnabled: boolean;
  readonly chain: string | null;
  readonly entries: number;
  readonly bytes: number;
  /** `SEQ:HASH` of the last entry: note it somewhere else, and nothing before it can be changed unseen. */
  readonly head: string | null;
  readonly types: Readonly<Record<string, number>>;
  readonly first: string | null;
  readonly last: string | null;
  readonly lastCheckpoint: number | null;
  readonly keys: readonly { readonly fingerprint: string; readonly since: string; readonly seq: number }[];
  readonly hasKey: boolean;
  readonly anchors: readonly AnchorReceipt[];
  /** The last known heads of other machines' chains. */
  readonly links: readonly Head[];
  /** Notes that wait to be entered. */
  readonly waiting: number;
  readonly notes: readonly string[];
}

export const chainStats = defineVerb({
  name: 'chain stats',
  summary: 'Show what the provable history holds, and its head.',
  description:
    'Show what the provable history holds, and its head. Note the head somewhere else: `chain verify --head` checks against it.',
  input: z.strictObject({}),
  effect: 'read',
  async run(context): Promise<ChainStats> {
    const { chain, notes } = await openChain(context);
    const bytes = chain.read();
    const types: Record<string, number> = {};
    const keys: { fingerprint: string; since: string; seq: number }[] = [];
    let first: string | null = null;
    let last: { readonly seq: number; readonly time: string; readonly hash: string } | undefined;
    let lastCheckpoint: number | null = null;
    for (const { entry, line } of readEntries(bytes)) {
      types[entry.type] = (types[entry.type] ?? 0) + 1;
      first ??= entry.time;
      last = { seq: entry.seq, time: entry.time, hash: hashLine(line) };
      if (entry.type === 'checkpoint') lastCheckpoint = entry.seq;
      if (entry.type === 'key') {
        keys.push({ fingerprint: fingerprintOf(entry.body.publicKey), since: entry.time, seq: entry.seq });
      }
    }
    const current = keys.at(-1);
    return {
      isEnabled: context.chain.isEnabled,
      chain: keys[0]?.fingerprint ?? null,
      entries: last === undefined ? 0 : last.seq + 1,
      bytes: bytes.length,
      head: last === undefined ? null : `${last.seq}:${last.hash}`,
      types,
      first,
      last: last?.time ?? null,
      lastCheckpoint,
      keys,
      hasKey: current !== undefined && chain.keys.read()?.fingerprint === current.fingerprint,
      anchors: new AnchorReceipts(chain.folder).read(),
      links: [...new Map(linksOf(bytes).map((link) => [link.chain, link])).values()],
      waiting: context.chain.queue.names().length,
      notes: [...notes, ...chain.keys.problems()],
    };
  },
  render: async (view, output) => (await import('./render-chain.ts')).renderStats(view, output),
});
