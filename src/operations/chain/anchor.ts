import path from 'node:path';
import { z } from 'zod';
import { AnchorReceipts } from '../../chain/anchors/receipts.ts';
import type { Chain } from '../../chain/chain.ts';
import { ANCHOR_KINDS, hashLine, serializeEntry, type AnchorKind, type EntryOf } from '../../chain/entry.ts';
import { MnemeError, must } from '../../model/errors.ts';
import type { OperationContext } from '../context.ts';
import { defineVerb } from '../verb.ts';
import { getAnchorPlace } from './anchor-places.ts';
import { openChain } from './open-chain.ts';

const input = z.strictObject({
  kind: z
    .enum(ANCHOR_KINDS)
    .optional()
    .describe('Where: a file, a git repository, an EVM chain; chain.anchor when not given.'),
  place: z.string().min(1).optional().describe('The file, repository or node, when not the one of the settings.'),
});

export type ChainAnchorInput = z.input<typeof input>;

export interface ChainAnchored {
  readonly chain: string;
  /** The checkpoint that was left there. */
  readonly seq: number;
  readonly head: string;
  readonly kind: AnchorKind;
  readonly place: string;
  readonly receipt: string | null;
  readonly notes: readonly string[];
}

export const chainAnchor = defineVerb({
  name: 'chain anchor',
  summary: 'Leave the signed head with somebody else.',
  examples: ['mneme chain anchor file /mnt/usb/heads.txt'],
  input,
  args: ['kind', 'place'],
  effect: 'write',
  withoutLease: 'own',
  run: (context, given): Promise<ChainAnchored> => anchorHead(context, given),
  http: false,
  library: { args: [] },
  cli: {
    options: { kind: { parse: (typed) => String(typed).toLowerCase() } },
    // A file that is typed is one of this folder's; one of the settings is the home's.
    prepare: ({ input: { kind, place } }) => ({
      kind,
      place: kind === 'file' && place !== undefined ? path.resolve(place) : place,
    }),
  },
  render: async (view, output) => (await import('./render-chain.ts')).renderAnchored(view, output),
});

/** A new checkpoint, left elsewhere; that it was left is entered behind it. */
export async function anchorHead(context: OperationContext, given: z.output<typeof input>): Promise<ChainAnchored> {
  const { chain, notes } = await openChain(context);
  const kind = given.kind ?? configuredKind(context);
  const place = getAnchorPlace(context, kind, given.place);
  const { checkpoint, id } = await makeCheckpoint(chain);
  await context.workspace.drain();
  const head = hashLine(serializeEntry(checkpoint));
  const { seq } = checkpoint;
  // Outside of the lock: another machine may take its time.
  const { receipt } = await place.leave({ chain: id, seq, head, checkpoint });
  const time = new Date(context.clock.now()).toISOString();
  await new AnchorReceipts(chain.folder).add({ kind, place: place.place, seq, head, receipt, time });
  await chain.exclusively((writer) => writer.append([{ type: 'anchor', body: { kind, seq, head, receipt } }]));
  return { chain: id, seq, head, kind, place: place.place, receipt, notes };
}

function configuredKind({ config }: OperationContext): AnchorKind {
  const { anchor } = config.chain;
  if (anchor !== 'none') return anchor;
  throw new MnemeError('usage', 'Where? chain.anchor is none.', {
    hint: 'Name a place (`mneme chain anchor file PATH`), or set chain.anchor.',
  });
}

async function makeCheckpoint(
  chain: Chain,
): Promise<{ readonly checkpoint: EntryOf<'checkpoint'>; readonly id: string }> {
  if (!chain.exists) {
    throw new MnemeError('not-found', 'The chain has no entry yet.', {
      hint: '`mneme chain add "…"` enters something.',
    });
  }
  return chain.exclusively(async (writer) => {
    const [entry] = await writer.append([{ type: 'checkpoint' }]);
    if (entry?.type !== 'checkpoint') throw new MnemeError('failure', 'Internal: no checkpoint was made.');
    return { checkpoint: entry, id: must(writer.chain, 'the chain') };
  });
}
