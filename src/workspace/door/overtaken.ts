import path from 'node:path';
import { mergeTexts } from '../merge-text.ts';
import { decodeText } from '../safety/limits.ts';
import type { Overtaken } from './apply.ts';
import type { Batch, StagedFile } from './batch.ts';
import type { DoorContext } from './context.ts';

/**
 * Somebody saved the file between our reading and our renaming. Our version is journaled already; their change is
 * merged on top of it and recorded as theirs.
 */
export async function mergeOvertaken(context: DoorContext, batch: Batch, overtaken: Overtaken): Promise<StagedFile> {
  const ours = await batch.load(overtaken.path);
  const present = context.fs.read(path.join(context.paths.repositories.workspace.workTree, overtaken.path));
  const merged = mergeBytes(overtaken.path, overtaken.base, ours.current, overtaken.theirs);
  const before = ours.recorded;
  const staged = batch.stage(overtaken.path, { ...ours, onDisk: present }, merged);
  batch.addRecord(
    {
      actor: 'external',
      approval: '—',
      trigger: 'changed outside Mneme at the same moment',
      action: 'MERGE',
      summary: 'merged an edit made at the same moment',
    },
    [{ path: overtaken.path, before, after: staged.recorded }],
    [merged],
  );
  return staged;
}

function mergeBytes(
  relative: string,
  base: Buffer | undefined,
  ours: Buffer | undefined,
  theirs: Buffer | undefined,
): Buffer | undefined {
  // A deletion meets an edit: the edit stays, because it can be deleted again but not typed again.
  if (theirs === undefined) return ours;
  if (ours === undefined) return theirs;
  const [baseText, oursText, theirsText] = [base ?? Buffer.alloc(0), ours, theirs].map(decodeText);
  if (baseText?.kind !== 'text' || oursText?.kind !== 'text' || theirsText?.kind !== 'text') return theirs;
  const versions = { base: baseText.text, ours: oursText.text, theirs: theirsText.text };
  const { text } = mergeTexts(relative, versions);
  return Buffer.from(text, 'utf8');
}
