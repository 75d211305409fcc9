import { draftOf } from '../../chain/record/enter-notes.ts';
import { isTranscriptPath } from '../../chain/record/noteworthy.ts';
import type { Chain } from '../../chain/chain.ts';
import type { ContentDraft } from '../../chain/drafts.ts';
import { isContentEntry, type ContentEntry } from '../../chain/entry.ts';
import { readEntries } from '../../chain/file.ts';
import { planCatchUp } from '../../maintain/chain/plan-catch-up.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import { plainName } from '../../workspace/packed.ts';
import path from 'node:path';

const BATCH = 200;

/** Enters the transcripts that nobody noted: those from before there was a chain, and what a power cut took. */
export async function catchUp(chain: Chain, signal?: AbortSignal): Promise<number> {
  const missing = planCatchUp(listTranscripts(chain.rawFolder), enteredPaths(chain));
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
  return entered;
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
