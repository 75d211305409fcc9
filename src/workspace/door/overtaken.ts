import path from 'node:path';
import { mergeTexts } from '../merge-text.ts';
import { decodeText } from '../safety/limits.ts';
import type { Overtaken } from './apply.ts';
import { sameBytes, type Batch, type StagedFile } from './batch.ts';
import type { DoorContext } from './context.ts';
import { readSettled, type SettledFile } from './settled.ts';

/**
 * Another program saved the file between our reading and our renaming. Our version is journaled already. Theirs is
 * recorded as it is, because their editor will go on from it, and then both are merged.
 */
export async function mergeOvertaken(context: DoorContext, batch: Batch, overtaken: Overtaken): Promise<StagedFile> {
  const ours = await batch.load(overtaken.path);
  const theirs = await readSettled(context, path.join(context.paths.repositories.workspace.workTree, overtaken.path));
  // A deletion meets an edit: the edit stays, because it can be deleted again but not typed again.
  if (theirs.bytes === undefined) return batch.restage({ ...ours, onDisk: undefined });
  const merged = await mergeSave(batch, overtaken, ours.current, theirs, theirs.bytes);
  const isRecordable = await batch.isRecordable(overtaken.path, theirs.bytes);
  // Content that must not enter history is written back with ours merged in; only our version is recorded.
  if (!isRecordable) return batch.restage({ ...ours, onDisk: theirs.bytes, current: merged });
  const saved = batch.recordSave({ ...ours, onDisk: theirs.bytes, current: theirs.bytes });
  return sameBytes(merged, theirs.bytes) ? saved : batch.recordMerge(saved, merged);
}

async function mergeSave(
  batch: Batch,
  { path: relative, lastSeen }: Overtaken,
  ours: Buffer | undefined,
  { savedAtMs }: SettledFile,
  theirs: Buffer,
): Promise<Buffer> {
  if (ours === undefined) return theirs;
  const [seenText, oursText, theirsText] = [lastSeen ?? Buffer.alloc(0), ours, theirs].map(decodeText);
  if (seenText?.kind !== 'text' || oursText?.kind !== 'text' || theirsText?.kind !== 'text') return theirs;
  const base = await batch.findSaveBase({ path: relative, text: theirsText.text, savedAtMs }, seenText.text);
  const { text } = mergeTexts(relative, { base, ours: oursText.text, theirs: theirsText.text });
  return Buffer.from(text, 'utf8');
}
