import { z } from 'zod';
import { AnchorReceipts } from '../../chain/anchors/receipts.ts';
import { readTip, readEntries } from '../../chain/file.ts';
import { errorMessage } from '../../model/errors.ts';
import type { OperationContext } from '../context.ts';
import { defineOperation } from '../operation.ts';
import { anchorHead } from './anchor.ts';
import { openChain } from './note-memories.ts';
import { chainVerify, verifyHome } from './verify.ts';
import { draftOf } from '../../chain/record/enter-notes.ts';
import { isTranscriptPath } from '../../chain/record/noteworthy.ts';
import type { Chain } from '../../chain/chain.ts';
import type { ContentDraft } from '../../chain/writer.ts';
import { isContentEntry, type ContentEntry } from '../../chain/entry.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import { plainName } from '../../workspace/packed.ts';
import { compareRawWithHistory } from '../../workspace/raw-history.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import path from 'node:path';

export interface KeptChain {
  /** The number of verified entries; null when nothing was entered yet. */
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
  // A broken chain is not anchored.
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

const BATCH = 200;

interface CaughtUp {
  readonly entered: number;
  /** Changed since they were written: entered once they are put right. */
  readonly changed: readonly string[];
}

/** Enters the transcripts that nobody noted: those from before there was a chain, and what a power cut took. */
async function catchUp(chain: Chain, workspace: Workspace, signal?: AbortSignal): Promise<CaughtUp> {
  const planned = planCatchUp(listTranscripts(chain.rawFolder), enteredPaths(chain));
  if (planned.length === 0) return { entered: 0, changed: [] };
  await workspace.drain();
  const history = await compareRawWithHistory(workspace);
  const suspect = new Set([
    ...history.changed.map(({ path: file }) => plainName(file)),
    ...history.strangers.map(plainName),
  ]);
  const missing = planned.filter((file) => !suspect.has(file));
  const changed = planned.filter((file) => suspect.has(file));
  let entered = 0;
  while (missing.length > 0) {
    if (signal?.aborted === true) break;
    const batch = missing.splice(0, BATCH);
    const drafts = batch.flatMap((file): ContentDraft[] => {
      const draft = draftOf(chain.rawFolder, { type: 'transcript', path: file, ref: {} });
      return draft === undefined ? [] : [draft];
    });
    entered += await chain.exclusively(async (writer) => {
      await writer.append(drafts);
      return drafts.length;
    });
  }
  return { entered, changed };
}

function listTranscripts(rawFolder: string): string[] {
  const files = nodeFileSystem.listFiles(path.join(rawFolder, 'conversations'));
  const names = files.map((file) => plainName(`conversations/${file.split(path.sep).join('/')}`));
  return [...new Set(names)].filter(isTranscriptPath);
}

function enteredPaths(chain: Chain): Set<string> {
  const transcripts: ContentEntry[] = [];
  for (const { entry } of readEntries(chain.read())) {
    if (isContentEntry(entry) && entry.type === 'transcript') transcripts.push(entry);
  }
  return new Set([...chain.openings.of(transcripts)].flatMap(([, opening]) => opening?.path ?? []));
}

/** Transcripts that the chain knows nothing of: older than it, or noted just before a power cut. Oldest first. */
function planCatchUp(transcripts: readonly string[], entered: ReadonlySet<string>): string[] {
  return transcripts.filter((path) => !entered.has(path)).sort();
}

interface Anchoring {
  /** The last entry that was anchored; undefined when none ever was. */
  readonly anchoredSeq: number | undefined;
  readonly entries: number;
}

/** An anchor is worth its price when something was entered since the last one, besides what the anchor itself enters. */
function isWorthAnchoring({ anchoredSeq, entries }: Anchoring): boolean {
  if (entries === 0) return false;
  // Behind an anchored checkpoint stands the entry that says so.
  return anchoredSeq === undefined || entries - 1 > anchoredSeq + 1;
}
