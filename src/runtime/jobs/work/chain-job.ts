import { isWorthAnchoring } from '../../../maintain/chain/plan-catch-up.ts';
import { AnchorReceipts } from '../../../chain/anchors/receipts.ts';
import { readTip } from '../../../chain/file.ts';
import { errorMessage } from '../../../model/errors.ts';
import type { OperationContext } from '../../../operations/context.ts';
import { counted } from '../../../model/counted.ts';
import type { JobControls, JobReport } from '../job.ts';
import { anchorHead } from '../../../operations/chain/anchor.ts';
import { catchUp } from '../../../operations/chain/catch-up.ts';
import { openChain } from '../../../operations/chain/open-chain.ts';
import { verifyHome, chainVerify } from '../../../operations/chain/verify.ts';

/** S3's weekly job: enter what was missed, verify, anchor when something is new, and say how the chain is. */
export async function runChainJob(context: OperationContext, { signal, onProgress }: JobControls): Promise<JobReport> {
  const opened = await openChain(context);
  const { chain } = opened;
  const isMissing = chain.isExpected && !chain.exists;
  const { entered: caughtUp, changed } = isMissing
    ? { entered: 0, changed: [] }
    : await catchUp(chain, context.workspace, signal);
  const notes = [...opened.notes, ...changed.map((file) => `raw/${file} is not what was written: mneme check`)];
  if (!chain.isExpected) return { summary: 'nothing was entered yet', notes };
  const given = chainVerify.input.parse({ full: true, anchors: context.config.chain.anchor !== 'none', onProgress });
  const verified = await verifyHome(context, given);
  const found = verified.findings.map(({ message }) => message);
  const told = [...notes, ...found.slice(0, 10)];
  // What is broken is not vouched for.
  if (!verified.isWhole)
    return {
      summary: `${counted(found.length, 'finding')} in ${verified.entries} entries: mneme chain verify`,
      notes: told,
    };
  const anchored = signal.aborted ? undefined : await anchorIfNew(context, told);
  const late = caughtUp === 0 ? '' : `, ${counted(caughtUp, 'transcript')} entered late`;
  return { summary: `${counted(verified.entries, 'entry', 'entries')} verified${late}${anchored ?? ''}`, notes: told };
}

async function anchorIfNew(context: OperationContext, notes: string[]): Promise<string | undefined> {
  const { anchor } = context.config.chain;
  if (anchor === 'none') return undefined;
  const chain = await context.chain.open();
  const receipts = new AnchorReceipts(chain.folder).read().filter(({ kind }) => kind === anchor);
  const entries = readTip(chain.read()).next;
  if (!isWorthAnchoring({ anchoredSeq: receipts.at(-1)?.seq, entries })) return ', nothing new to anchor';
  try {
    const { seq } = await anchorHead(context, {});
    return `, head of entry ${seq} anchored (${anchor})`;
  } catch (error) {
    notes.push(`The head was not anchored: ${errorMessage(error)}`);
    return ', not anchored';
  }
}
