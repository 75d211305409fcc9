import { z } from 'zod';
import { isWorthAnchoring } from '../../maintain/chain/plan-catch-up.ts';
import { AnchorReceipts } from '../../chain/anchors/receipts.ts';
import { readTip } from '../../chain/file.ts';
import { errorMessage } from '../../model/errors.ts';
import type { OperationContext } from '../context.ts';
import { defineOperation } from '../operation.ts';
import { anchorHead } from './anchor.ts';
import { catchUp } from './catch-up.ts';
import { openChain } from './open-chain.ts';
import { chainVerify, verifyHome } from './verify.ts';

export interface KeptChain {
  /** How many were verified; null when nothing was entered yet. */
  readonly entries: number | null;
  readonly findings: number;
  /** Transcripts that were entered late. */
  readonly entered: number;
  /** The entry whose head was anchored, or what came in between; null where nothing is anchored. */
  readonly anchored: { readonly seq: number; readonly kind: string } | 'nothing-new' | 'failed' | null;
  readonly notes: readonly string[];
}

interface KeepControls {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((step: string) => void) | undefined;
}

/** More findings than this do not fit a line of the log. */
const TOLD_FINDINGS = 10;

export const keepChain = defineOperation({
  name: 'chain keep',
  summary: 'Enter what was missed, verify the provable history, and anchor it when something is new.',
  input: z.object({}),
  effect: 'write',
  withoutLease: 'own',
  run: (context, _given, controls?: KeepControls): Promise<KeptChain> => keep(context, controls),
});

async function keep(context: OperationContext, { signal, onProgress }: KeepControls = {}): Promise<KeptChain> {
  const opened = await openChain(context);
  const { chain } = opened;
  const isMissing = chain.isExpected && !chain.exists;
  const { entered, changed } = isMissing
    ? { entered: 0, changed: [] }
    : await catchUp(chain, context.workspace, signal);
  const notes = [...opened.notes, ...changed.map((file) => `raw/${file} is not what was written: mneme check`)];
  if (!chain.isExpected) return { entries: null, findings: 0, entered, anchored: null, notes };
  const given = chainVerify.input.parse({ full: true, anchors: context.config.chain.anchor !== 'none' });
  const verified = await verifyHome(context, given, { onProgress });
  notes.push(...verified.findings.slice(0, TOLD_FINDINGS).map(({ message }) => message));
  // What is broken is not vouched for.
  const mayAnchor = verified.isWhole && signal?.aborted !== true;
  const anchored = mayAnchor ? await anchorIfNew(context, notes) : null;
  return { entries: verified.entries, findings: verified.findings.length, entered, anchored, notes };
}

async function anchorIfNew(context: OperationContext, notes: string[]): Promise<KeptChain['anchored']> {
  const { anchor } = context.config.chain;
  if (anchor === 'none') return null;
  const chain = await context.chain.open();
  const receipts = new AnchorReceipts(chain.folder).read().filter(({ kind }) => kind === anchor);
  const entries = readTip(chain.read()).next;
  if (!isWorthAnchoring({ anchoredSeq: receipts.at(-1)?.seq, entries })) return 'nothing-new';
  try {
    const { seq } = await anchorHead(context, {});
    return { seq, kind: anchor };
  } catch (error) {
    notes.push(`The head was not anchored: ${errorMessage(error)}`);
    return 'failed';
  }
}
