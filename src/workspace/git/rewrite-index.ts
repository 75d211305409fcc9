import { must } from '../../model/errors.ts';
import { sleep } from '../../platform/clock.ts';
import { changed, type ExportRewriter, type ReplaceBytes } from './export-rewriter.ts';
import { gitError, type Git } from './git.ts';
import { readBlobs, writeBlob } from './objects.ts';

/** The number of index entries looked at together; bounds the memory, not the work. */
const BATCH_SIZE = 2000;
const SUBMODULE_MODE = '160000';

interface IndexEntry {
  readonly mode: string;
  readonly blob: string;
  readonly stage: string;
  readonly path: Buffer;
}

/** Replaces what the index still holds. It is searched itself, so that this works after a crash as well. */
export async function rewriteIndex(git: Git, replace: ReplaceBytes, rewriter: ExportRewriter): Promise<void> {
  const entries = parseEntries(await git.bytes(['ls-files', '--stage', '-z', '--full-name']));
  const edits: Buffer[] = [];
  for (let start = 0; start < entries.length; start += BATCH_SIZE) {
    const batch = entries.slice(start, start + BATCH_SIZE);
    const files = batch.filter(({ mode }) => mode !== SUBMODULE_MODE);
    const contents = await readBlobs(
      git,
      files.map(({ blob }) => blob),
    );
    for (const entry of batch) edits.push(...(await editsOf(git, entry, contents, replace, rewriter)));
  }
  if (edits.length > 0) await updateIndex(git, Buffer.concat(edits));
}

/** `MODE BLOB STAGE⇥PATH`, each ended by NUL. */
function parseEntries(output: Buffer): IndexEntry[] {
  const entries: IndexEntry[] = [];
  for (let start = 0; start < output.length;) {
    const end = output.indexOf(0, start);
    const tab = output.indexOf(0x09, start);
    const [mode, blob, stage] = output.toString('latin1', start, tab).split(' ');
    const path = output.subarray(tab + 1, end);
    entries.push({ mode: must(mode, 'mode'), blob: must(blob, 'blob'), stage: must(stage, 'stage'), path });
    start = end + 1;
  }
  return entries;
}

async function editsOf(
  git: Git,
  entry: IndexEntry,
  contents: ReadonlyMap<string, Buffer>,
  replace: ReplaceBytes,
  rewriter: ExportRewriter,
): Promise<Buffer[]> {
  const content = changed(replace, contents.get(entry.blob) ?? Buffer.alloc(0));
  const path = rewriter.pathTarget(entry.path);
  const isMoved = !path.equals(entry.path);
  if (content === undefined && !isMoved) return [];
  const blob = content === undefined ? entry.blob : await writeBlob(git, content);
  const written = indexLine(entry.mode, blob, entry.stage, path);
  return isMoved ? [indexLine('0', '0'.repeat(entry.blob.length), '0', entry.path), written] : [written];
}

function indexLine(mode: string, blob: string, stage: string, path: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${mode} ${blob} ${stage}\t`), path, Buffer.alloc(1)]);
}

/** A person's git command holds the index for moments. */
const LOCK_RETRY_MS = 100;
const LOCK_RETRIES = 50;

async function updateIndex(git: Git, input: Buffer): Promise<void> {
  const args = ['update-index', '-z', '--index-info'];
  for (let tries = 1; ; tries += 1) {
    const result = await git.attempt(args, { input });
    if (result.code === 0) return;
    if (tries === LOCK_RETRIES || !/index\.lock/.test(result.stderr)) throw gitError(args, result);
    await sleep(LOCK_RETRY_MS);
  }
}
