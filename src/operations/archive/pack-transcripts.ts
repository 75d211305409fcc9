import path from 'node:path';
import { hash } from 'node:crypto';
import { isMnemeError } from '../../model/errors.ts';
import { planTranscriptPacking } from '../../maintain/retention/plan-packing.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import type { Change } from '../../workspace/door/request.ts';
import { PACKED_MANIFEST, pack, packedName, renderPackedLine } from '../../workspace/packed.ts';
import type { OperationContext } from '../context.ts';
import type { PackControls } from './pack.ts';

export interface PackedTranscripts {
  readonly packed: readonly string[];
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  readonly notes: readonly string[];
}

/** A mutation holds both forms of its files in the journal. */
const BATCH = 20;

/** Relative to raw/, packed or not. */
export function listTranscripts({ workspace }: OperationContext): string[] {
  return nodeFileSystem
    .listFiles(path.join(workspace.paths.repositories.raw.workTree, 'conversations'))
    .map((file) => `conversations/${file.replaceAll(path.sep, '/')}`);
}

/** Those in days that are not packed as a whole: the longer a home is used, the more days are. */
function listUnpacked({ workspace, parts }: OperationContext): string[] {
  const root = path.join(workspace.paths.repositories.raw.workTree, 'conversations');
  return parts.settledFolders.listOthers(root).map((file) => `conversations/${file}`);
}

/** Relative to raw/, oldest first. */
export function findTranscriptsToPack(context: OperationContext): readonly string[] {
  const { config, clock } = context;
  return planTranscriptPacking(listUnpacked(context), clock.now(), config.retention.sessions.compress_after_days);
}

/**
 * Packs transcripts where they are. The hash of the words stays in a manifest, so that what vouches for a transcript
 * goes on doing so; everything that reads one unpacks it.
 */
export async function packTranscripts(
  { workspace, clock }: OperationContext,
  paths: readonly string[],
  { signal, onProgress }: PackControls,
): Promise<PackedTranscripts> {
  const raw = workspace.paths.repositories.raw.workTree;
  const done = { packed: [] as string[], bytesBefore: 0, bytesAfter: 0, notes: [] as string[] };
  const packBatch = async (files: readonly string[]): Promise<void> => {
    const { changes, lines, ...packed } = planBatch(raw, files, clock.now());
    if (changes.length > 0) {
      await workspace.commit({
        repository: 'raw',
        actor: 'system:retention',
        approval: 'auto',
        trigger: 'retention',
        action: 'ARCHIVE',
        summary: `packed ${lines.length === 1 ? 'a conversation' : `${lines.length} conversations`}`,
        changes: [...changes, { path: PACKED_MANIFEST, append: Buffer.from(lines.join(''), 'utf8') }],
      });
    }
    done.packed.push(...packed.packed);
    done.notes.push(...packed.notes);
    done.bytesBefore += packed.bytesBefore;
    done.bytesAfter += packed.bytesAfter;
  };
  for (let at = 0; at < paths.length; at += BATCH) {
    signal?.throwIfAborted();
    onProgress?.(`transcript ${at + 1} of ${paths.length}`);
    const files = paths.slice(at, at + BATCH);
    try {
      await packBatch(files);
    } catch (error) {
      // The write path first completes what a killed run had acknowledged; a second look then finds these packed.
      if (!isMnemeError(error) || error.code !== 'refused') throw error;
      await packBatch(files);
    }
  }
  return done;
}

interface PlannedBatch extends PackedTranscripts {
  readonly changes: readonly Change[];
  /** For the manifest. */
  readonly lines: readonly string[];
}

function planBatch(raw: string, files: readonly string[], nowMs: number): PlannedBatch {
  const planned = { packed: [] as string[], bytesBefore: 0, bytesAfter: 0, notes: [] as string[] };
  const changes: Change[] = [];
  const lines: string[] = [];
  for (const file of files) {
    const bytes = nodeFileSystem.read(path.join(raw, file));
    if (bytes === undefined) continue;
    // An earlier run that was killed in between may have left both; the write path never overwrites one of its files.
    if (nodeFileSystem.exists(path.join(raw, packedName(file)))) {
      planned.notes.push(`raw/${packedName(file)} is there already; raw/${file} was left as it is.`);
      continue;
    }
    const packed = pack(bytes);
    changes.push(
      { path: packedName(file), content: packed, base: undefined },
      { path: file, content: undefined, base: bytes },
    );
    lines.push(renderPackedLine({ path: file, sha256: hash('sha256', bytes), bytes: bytes.length, at: nowMs }));
    planned.packed.push(file);
    planned.bytesBefore += bytes.length;
    planned.bytesAfter += packed.length;
  }
  return { ...planned, changes, lines };
}
