import path from 'node:path';
import { z } from 'zod';
import { parseHead } from '../../chain/anchors/port.ts';
import type { ChainFinding, Head } from '../../chain/entry.ts';
import type { DeletedTranscript } from '../../chain/content/check-content.ts';
import { type OtherChain, compareHeads } from '../../chain/others.ts';
import { verifyHomeChain } from '../../chain/verify-home.ts';
import { MnemeError, errorMessage } from '../../model/errors.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import type { OperationContext } from '../context.ts';
import { defineVerb } from '../verb.ts';
import { openChain } from './note-memories.ts';
import { AnchorReceipts } from '../../chain/anchors/receipts.ts';
import type { Chain } from '../../chain/chain.ts';
import { listAnchorPlaces, EVM_URL_VARIABLE } from './anchor.ts';

const input = z.strictObject({
  full: z.boolean().default(false).describe('Look at every entry and every signature again.'),
  content: z.boolean().default(true).describe('Compare transcripts and texts with what was committed to.'),
  anchors: z.boolean().default(false).describe('Ask everybody who holds a head.'),
  head: z
    .string()
    .min(1)
    .optional()
    .describe('A head that you hold: a file with one, or SEQ:HASH as `chain stats` prints it.'),
});

export type ChainVerifyInput = z.input<typeof input>;

export interface ChainVerified {
  readonly isWhole: boolean;
  readonly chain: string | null;
  readonly entries: number;
  readonly head: string | null;
  readonly publicKey: string | null;
  /** Entries that were looked at one by one; the others were right before and have not changed. */
  readonly walked: number;
  readonly signatures: number;
  /** `deleted`: transcripts that went because of their age; the notes name them. */
  readonly content: { readonly checked: number; readonly erased: number; readonly deleted: number } | null;
  readonly anchors: readonly CheckedAnchor[] | null;
  readonly others: readonly OtherChain[];
  readonly findings: readonly ChainFinding[];
  readonly notes: readonly string[];
}

export interface ChainVerifyControls {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((step: string) => void) | undefined;
}

export const chainVerify = defineVerb({
  name: 'chain verify',
  summary: 'Check whether the provable history is what it was.',
  description:
    'Check whether the provable history is what it was. Exit code 7 when it is not; each finding names the entry.',
  examples: ['mneme chain verify', 'mneme chain verify --full --anchors'],
  input,
  effect: 'read',
  run: (context, given, controls?: ChainVerifyControls): Promise<ChainVerified> => verifyHome(context, given, controls),
  // A file of the server, and asking others over the network, are for whoever sits there.
  http: { isLong: true, omit: ['head', 'anchors'] },
  cli: {
    options: { head: { value: 'head' } },
    controls: ({ signal, report }) => ({ signal, onProgress: (step) => report(`verifying ${step} …`) }),
    exitCode: ({ isWhole }) => (isWhole ? 'ok' : 'integrity'),
  },
  render: async (view, output) => (await import('./render-chain.ts')).renderVerified(view, output),
});

export async function verifyHome(
  context: OperationContext,
  given: z.output<typeof input>,
  controls: ChainVerifyControls = {},
): Promise<ChainVerified> {
  const { chain, notes } = await openChain(context);
  const { accepted_keys: acceptedKeys } = context.config.chain;
  const { full, content: withContent } = given;
  const onProgress = (step: string): void => {
    controls.signal?.throwIfAborted();
    controls.onProgress?.(step);
  };
  const options = { workspace: context.workspace, acceptedKeys, full, content: withContent, onProgress };
  const { bytes, walked, content, others, findings: found } = await verifyHomeChain(chain, options);
  const findings = [...found];
  if (given.head !== undefined) findings.push(...compareHeads(bytes, [readHead(given.head, walked.chain)]));
  if (given.anchors) onProgress('anchors');
  const asked = given.anchors ? await checkAnchors(context, { chain, id: walked.chain ?? '', bytes }) : undefined;
  findings.push(...(asked?.findings ?? []));
  const { entries, signatures } = walked;
  return {
    isWhole: findings.length === 0,
    chain: walked.chain ?? null,
    entries,
    head: entries === 0 ? null : walked.head,
    publicKey: walked.publicKey ?? null,
    walked: walked.walked,
    signatures,
    content:
      content === undefined
        ? null
        : { checked: content.checked, erased: content.erased, deleted: content.deleted.length },
    anchors: asked?.anchors ?? null,
    others,
    findings,
    notes: [...notes, ...tellDeleted(content?.deleted ?? [])],
  };
}

const MAX_TOLD = 5;

/** No finding: somebody set the age, and the entries and hashes stand. But nobody can compare the words any more. */
function tellDeleted(deleted: readonly DeletedTranscript[]): readonly string[] {
  if (deleted.length === 0) return [];
  const told = deleted
    .slice(0, MAX_TOLD)
    .map(({ seq, path: file, at }) => `raw/${file} of entry ${seq} on ${at.slice(0, 10)}`);
  const more = deleted.length > MAX_TOLD ? ` and ${deleted.length - MAX_TOLD} more` : '';
  return [
    `Deleted by age (retention.sessions.delete_after_days): ${told.join(', ')}${more}. ` +
      'Their hashes stand in raw/deleted.jsonl, and the history of raw/ has their words.',
  ];
}

function readHead(given: string, chain: string | undefined): Head & { readonly holder: string } {
  const [, seq, head] = /^(\d+):([0-9a-f]{64})$/u.exec(given) ?? [];
  if (seq !== undefined && head !== undefined) return { chain: chain ?? '', seq: Number(seq), head, holder: 'you' };
  const text = nodeFileSystem.read(path.resolve(given))?.toString('utf8');
  const held = text === undefined ? undefined : parseHead(text.trim().split('\n').at(-1) ?? '');
  if (held !== undefined) return { ...held, holder: given };
  throw new MnemeError('usage', `"${given}" is not a chain head.`, {
    hint: 'Give SEQ:HASH as `mneme chain stats` prints it, or a file that holds one.',
  });
}

interface CheckedAnchor {
  readonly kind: string;
  readonly place: string;
  /** Heads of this chain that it holds. */
  readonly heads: number;
  /** The newest of them, and since when it has it by its own clock. */
  readonly lastSeq: number | null;
  readonly heldSince: string | null;
}

/** Asks everybody who may hold a head whether it is still the chain's. */
async function checkAnchors(
  context: OperationContext,
  { chain, id, bytes }: { readonly chain: Chain; readonly id: string; readonly bytes: Buffer },
): Promise<{ readonly anchors: readonly CheckedAnchor[]; readonly findings: readonly ChainFinding[] }> {
  const anchors: CheckedAnchor[] = [];
  const findings: ChainFinding[] = [];
  const receipts = new AnchorReceipts(chain.folder).read();
  for (const { place, receipts: own } of listAnchorPlaces(context, receipts)) {
    const named = `${place.kind} ${place.place}`;
    try {
      const { heads, problems } = await place.recall(id, own);
      findings.push(...problems.map((problem) => anchorFinding(`${named}: ${problem}.`)));
      findings.push(
        ...compareHeads(
          bytes,
          heads.map((head) => ({ ...head, holder: named })),
        ),
      );
      const last = heads.reduce((one, other) => (other.seq > one.seq ? other : one), heads[0] ?? NO_HEAD);
      anchors.push({
        kind: place.kind,
        place: place.place,
        heads: heads.length,
        lastSeq: heads.length === 0 ? null : last.seq,
        heldSince: last.heldSince,
      });
    } catch (error) {
      findings.push(anchorFinding(`${named} cannot be asked: ${errorMessage(error)}`));
    }
  }
  const isAsked = listAnchorPlaces(context, receipts).some(({ place }) => place.kind === 'evm');
  const unasked = receipts.filter(({ kind }) => kind === 'evm' && !isAsked).length;
  if (unasked > 0) {
    findings.push(anchorFinding(`${unasked} heads are in an EVM chain, and ${EVM_URL_VARIABLE} names no node to ask.`));
  }
  return { anchors, findings };
}

const NO_HEAD = { seq: -1, heldSince: null };

function anchorFinding(message: string): ChainFinding {
  return { code: 'anchor', seq: null, line: null, message };
}
