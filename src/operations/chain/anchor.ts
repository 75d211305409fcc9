import path from 'node:path';
import { z } from 'zod';
import { createEvmAnchor } from '../../chain/anchors/evm-anchor.ts';
import { createFileAnchor } from '../../chain/anchors/file-anchor.ts';
import { createGitAnchor } from '../../chain/anchors/git-anchor.ts';
import type { AnchorPlace, AnchorReceipt } from '../../chain/anchors/port.ts';
import { AnchorReceipts } from '../../chain/anchors/receipts.ts';
import type { Chain } from '../../chain/chain.ts';
import { ANCHOR_KINDS, type AnchorKind, type EntryOf, hashLine, serializeEntry } from '../../chain/entry.ts';
import { MnemeError, must } from '../../model/errors.ts';
import { readVariable } from '../../platform/environment.ts';
import type { OperationContext } from '../context.ts';
import { defineVerb } from '../verb.ts';
import { openChain } from './note-memories.ts';

/** Variables with the node’s address and the key that pays. */
export const EVM_URL_VARIABLE = 'MNEME_EVM_RPC_URL';
const EVM_KEY_VARIABLE = 'MNEME_EVM_KEY';

/** Where heads are left, as the settings say or as somebody asks. */
function getAnchorPlace(context: OperationContext, kind: AnchorKind, place?: string): AnchorPlace {
  const found = findAnchorPlace(context, kind, place);
  if (found !== undefined) return found;
  const missing = {
    file: 'chain.anchor_file',
    git: 'chain.anchor_remote',
    evm: EVM_URL_VARIABLE,
  };
  throw new MnemeError('usage', `There is no place for the ${kind} anchor: ${missing[kind]} is not set.`, {
    hint:
      kind === 'evm'
        ? 'Set it to the address of a node.'
        : `Set it with \`mneme config set ${missing[kind]} PLACE\`, or name the place in the call.`,
  });
}

function findAnchorPlace(context: OperationContext, kind: AnchorKind, place?: string): AnchorPlace | undefined {
  const { config, home, workspace } = context;
  const { anchor_file: file, anchor_remote: remote } = config.chain;
  if (kind === 'file') {
    const chosen = place ?? file;
    return chosen === null ? undefined : createFileAnchor(path.resolve(home, chosen));
  }
  if (kind === 'git') {
    const chosen = place ?? remote;
    return chosen === null ? undefined : createGitAnchor(workspace.git.chain, chosen);
  }
  const rpcUrl = place ?? readVariable(EVM_URL_VARIABLE);
  return rpcUrl === undefined ? undefined : createEvmAnchor({ rpcUrl, key: readVariable(EVM_KEY_VARIABLE) });
}

/** Every place where a head may be: those of the settings, and those that receipts name. */
export function listAnchorPlaces(
  context: OperationContext,
  receipts: readonly AnchorReceipt[],
): { readonly place: AnchorPlace; readonly receipts: readonly AnchorReceipt[] }[] {
  const places = new Map<string, AnchorPlace>();
  const add = (place: AnchorPlace | undefined): void => {
    if (place !== undefined) places.set(`${place.kind} ${place.place}`, place);
  };
  const { anchor, anchor_file: file, anchor_remote: remote } = context.config.chain;
  if (file !== null) add(findAnchorPlace(context, 'file'));
  if (remote !== null) add(findAnchorPlace(context, 'git'));
  if (anchor === 'evm' || receipts.some(({ kind }) => kind === 'evm')) add(findAnchorPlace(context, 'evm'));
  for (const { kind, place } of receipts) if (kind !== 'evm') add(findAnchorPlace(context, kind, place));
  return [...places.values()].map((place) => ({
    place,
    receipts: receipts.filter((one) => one.kind === place.kind && (place.kind === 'evm' || one.place === place.place)),
  }));
}

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
  throw new MnemeError('usage', 'No anchor is configured: chain.anchor is none.', {
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
