import path from 'node:path';
import { isMnemeError } from '../../../model/errors.ts';
import { nodeFileSystem } from '../../../platform/fs.ts';
import { parseTranscript } from '../../../workspace/formats/transcript.ts';
import { parseDocument } from '../../../workspace/markdown/document.ts';
import { PACKED_MANIFEST, existsPacked, plainName } from '../../../workspace/packed.ts';
import type { ImportRun } from '../import-run.ts';
import { workspacePath, type CheckedFile } from './records.ts';

const BATCH_FILES = 50;
const BATCH_BYTES = 8 * 1024 * 1024;

interface Ready {
  readonly path: string;
  readonly bytes: Buffer;
}

/** Puts the transcripts of an export into raw/ as they were; what has its name there already stays. */
export async function importTranscripts(run: ImportRun, files: AsyncGenerator<CheckedFile>): Promise<void> {
  let batch: Ready[] = [];
  let bytes = 0;
  const flush = async (): Promise<void> => {
    const ready = batch;
    batch = [];
    bytes = 0;
    if (ready.length > 0) await write(run, ready);
  };
  for await (const file of files) {
    const ready = sortOut(run, file);
    if (ready === undefined) continue;
    batch.push(ready);
    bytes += ready.bytes.length;
    if (batch.length >= BATCH_FILES || bytes >= BATCH_BYTES) await flush();
  }
  await flush();
}

function sortOut(run: ImportRun, { path: name, bytes }: CheckedFile): Ready | undefined {
  const target = workspacePath(run, name.slice('raw/'.length));
  if (target === undefined || target === PACKED_MANIFEST || target.startsWith('.')) return undefined;
  const full = path.join(run.home.workspace.paths.repositories.raw.workTree, target);
  const current = nodeFileSystem.read(full);
  if (current?.equals(bytes) === true || (current === undefined && existsPacked(nodeFileSystem, plainName(full)))) {
    run.tally.add('transcript', 'there already');
    return undefined;
  }
  if (current === undefined) return { path: target, bytes };
  run.tally.addDamage('transcript', 'another of that name is there already', { file: target, at: undefined });
  return undefined;
}

async function write(run: ImportRun, batch: readonly Ready[]): Promise<void> {
  const { workspace, actor } = run.home;
  if (run.request.dryRun !== true) {
    const request = (ready: readonly Ready[]): Parameters<typeof workspace.commit>[0] => ({
      repository: 'raw',
      actor,
      approval: '—',
      trigger: 'import mneme',
      summary: `${ready.length} conversation${ready.length === 1 ? '' : 's'} from an export`,
      changes: ready.map(({ path: target, bytes }) => ({ path: target, content: bytes, base: undefined })),
    });
    try {
      await workspace.commit(request(batch));
    } catch (error) {
      if (!isMnemeError(error)) throw error;
      // One that the door refuses must not keep the others out.
      for (const one of batch) await writeAlone(run, one, request);
      return;
    }
  }
  for (const { path: target, bytes } of batch) count(run, target, bytes);
}

async function writeAlone(
  run: ImportRun,
  one: Ready,
  request: (ready: readonly Ready[]) => Parameters<ImportRun['home']['workspace']['commit']>[0],
): Promise<void> {
  try {
    await run.home.workspace.commit(request([one]));
    count(run, one.path, one.bytes);
  } catch (error) {
    if (!isMnemeError(error)) throw error;
    run.tally.addDamage('transcript', error.message, { file: one.path, at: undefined });
  }
}

function count(run: ImportRun, target: string, bytes: Buffer): void {
  if (!target.endsWith('.md')) return;
  const { turns, frontmatter } = parseTranscript(parseDocument(bytes.toString('utf8')));
  run.countSession(frontmatter.session_id ?? target, turns);
}
