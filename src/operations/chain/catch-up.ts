import { draftOf } from '../../chain/record/enter-notes.ts';
import { isTranscriptPath } from '../../chain/record/noteworthy.ts';
import type { Chain } from '../../chain/chain.ts';
import type { ContentDraft } from '../../chain/drafts.ts';
import { isContentEntry, type ContentEntry } from '../../chain/entry.ts';
import { readEntries } from '../../chain/file.ts';
import { planCatchUp } from '../../maintain/chain/plan-catch-up.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import { plainName } from '../../workspace/packed.ts';
import { compareRawWithHistory } from '../../workspace/raw-history.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import path from 'node:path';

const BATCH = 200;

export interface CaughtUp {
  readonly entered: number;
  /** Changed since they were written: entered once they are put right. */
  readonly changed: readonly string[];
}

/** Enters the transcripts that nobody noted: those from before there was a chain, and what a power cut took. */
export async function catchUp(chain: Chain, workspace: Workspace, signal?: AbortSignal): Promise<CaughtUp> {
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
