import { createHash } from 'node:crypto';
import path from 'node:path';
import { MnemeError, isMnemeError } from '../../../model/errors.ts';
import { roleOf } from '../../../model/mutation.ts';
import { nodeFileSystem } from '../../../platform/fs.ts';
import { isGenerated, scopeOfPath } from '../../../workspace/formats/layout.ts';
import { FULL_FILES } from '../../../workspace/formats/templates.ts';
import { parseTranscript } from '../../../workspace/formats/transcript.ts';
import { parseDocument } from '../../../workspace/markdown/document.ts';
import { PACKED_MANIFEST, existsPacked, plainName } from '../../../workspace/packed.ts';
import { decodeText } from '../../../workspace/safety/limits.ts';
import { EXPORT_MANIFEST, parseExportManifest, type ExportedFile } from '../../export/target.ts';
import { type SourceFile, openSource, readSmall } from '../../sources/open-source.ts';
import { planChange, writeBatch, type DocumentOptions, type Planned } from '../documents.ts';
import type { ImportRun } from '../import-run.ts';
import { type CheckedFile, importRecords, isRecord, workspacePath } from './records.ts';

const MAX_MANIFEST_BYTES = 256 * 1024 * 1024;
const MAX_FILE_BYTES = 256 * 1024 * 1024;
const BATCH_FILES = 50;

/** Files of the other home's own bookkeeping; they would contradict this home's. */
const LEFT: readonly (readonly [RegExp, string])[] = [
  [/^workspace\/memory\/meta\/audit\.log$/u, 'the trail of the other home, which stays in the export'],
  [/^workspace\/\.(?:gitignore|gitattributes)$/u, 'git settings of the other home'],
  [/^mneme\.yaml$/u, 'settings of the other home: `mneme config set` takes over what you want of them'],
  [/^chain\//u, 'the provable history of the other home, which stays in the export'],
];

/** Takes an export of Mneme back in, file by file; what is there already stays. */
export async function importMnemeExport(run: ImportRun, paths: readonly string[]): Promise<void> {
  if (roleOf(run.home.actor) !== 'human') {
    // It says of itself what the user said; only the user can say that this is so.
    throw new MnemeError('refused', 'Only a person takes an export of Mneme in: it speaks with their words.', {
      hint: 'Run it yourself, without --as.',
    });
  }
  for (const given of paths) await importOne(run, given);
}

async function importOne(run: ImportRun, given: string): Promise<void> {
  const { files } = await openSource(given, run.tally, () => true);
  const manifestFile = files.find(({ name }) => name === EXPORT_MANIFEST);
  const manifestBytes = manifestFile === undefined ? undefined : await readSmall(manifestFile, MAX_MANIFEST_BYTES);
  if (manifestFile === undefined || manifestBytes === undefined) {
    throw new MnemeError(
      'not-found',
      `${given} has no ${EXPORT_MANIFEST}: it is no export of Mneme, or not all of it.`,
      {
        hint: 'Name the folder or .zip that `mneme export` made. Single transcripts and notes can be imported as such.',
      },
    );
  }
  const root = manifestFile.relative.slice(0, -EXPORT_MANIFEST.length);
  const byPath = new Map(files.map((file) => [file.relative, file]));
  const listed = parseExportManifest(manifestBytes.toString('utf8')).files;
  run.expect(listed);
  const checked = (prefix: string): AsyncGenerator<CheckedFile> =>
    readListed(run, { listed: listed.filter(({ path: name }) => name.startsWith(prefix)), byPath, root });
  await importWorkspace(run, checked('workspace/'));
  await importTranscripts(run, checked('raw/'));
  await importRecords(run, checked('journal/'));
  for (const { path: name } of listed) {
    const [, why] = LEFT.find(([pattern]) => pattern.test(name)) ?? [];
    if (why !== undefined) run.tally.add('file', why);
  }
}

interface Listed {
  readonly listed: readonly ExportedFile[];
  readonly byPath: ReadonlyMap<string, SourceFile>;
  readonly root: string;
}

async function* readListed(run: ImportRun, { listed, byPath, root }: Listed): AsyncGenerator<CheckedFile> {
  for (const { path: name, sha256, size } of listed) {
    if (run.isAborted) return;
    run.finishFile(size);
    if (LEFT.some(([pattern]) => pattern.test(name)) || (name.startsWith('journal/') && !isRecord(name))) continue;
    const bytes = await readChecked(byPath.get(`${root}${name}`), sha256);
    if (typeof bytes === 'string') run.tally.addDamage('file', bytes, { file: name, at: undefined });
    else yield { path: name, bytes };
  }
}

/** The bytes, or why they are not to be had. */
async function readChecked(file: SourceFile | undefined, sha256: string): Promise<Buffer | string> {
  if (file === undefined) return 'it is listed and not there';
  try {
    const bytes = await readSmall(file, MAX_FILE_BYTES);
    if (bytes === undefined) return 'larger than 256 MB';
    return createHash('sha256').update(bytes).digest('hex') === sha256
      ? bytes
      : 'it is not what was exported: its hash differs';
  } catch (error) {
    if (isMnemeError(error)) return error.message;
    throw error;
  }
}

async function importWorkspace(run: ImportRun, files: AsyncGenerator<CheckedFile>): Promise<void> {
  const source = { name: 'mneme', target: '' };
  const options = documentOptions(run);
  let batch: Planned[] = [];
  const flush = async (): Promise<void> => {
    const ready = batch;
    batch = [];
    if (run.request.dryRun === true) run.countDocuments(ready.length);
    else run.countDocuments(await run.writer.exclusively(() => writeBatch(ready, source, options)));
  };
  for await (const file of files) {
    const planned = await planFile(run, file);
    if (planned === undefined) continue;
    // A mutation is of one scope: the history tells others only that there was one.
    const [first] = batch;
    const isOfAnother = first !== undefined && scopeOfPath(first.target) !== scopeOfPath(planned.target);
    if (isOfAnother || batch.length >= BATCH_FILES) await flush();
    batch.push(planned);
  }
  await flush();
}

async function planFile(run: ImportRun, { path: name, bytes }: CheckedFile): Promise<Planned | undefined> {
  const target = workspacePath(run, name.slice('workspace/'.length));
  if (target === undefined) return undefined;
  if (isGenerated(target)) {
    run.tally.add('file', 'generated from others, and made anew');
    return undefined;
  }
  const { workspace } = run.home;
  const current = nodeFileSystem.read(path.join(workspace.root, target));
  const origin = `mneme:${target}`;
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  const known = run.writer.ledger.document(origin);
  if (current !== undefined && current.equals(bytes)) {
    run.tally.add('file', 'there already');
    return undefined;
  }
  if (known?.hash === hash) {
    run.tally.add('file', 'already imported, and changed or removed here since');
    return undefined;
  }
  const decoded = decodeText(bytes);
  const content = decoded.kind === 'text' ? decoded.text : bytes;
  const isTemplate = current !== undefined && current.toString('utf8') === FULL_FILES.get(target);
  const change = isTemplate
    ? { path: target, content, base: current }
    : await planChange(workspace, target, content, known, run.tally);
  return change === undefined
    ? undefined
    : { change, content: decoded.kind === 'text' ? decoded.text : '', target, origin, hash };
}

function documentOptions(run: ImportRun): DocumentOptions {
  const { workspace, actor, maxFileBytes } = run.home;
  return {
    workspace,
    maxFileBytes,
    writer: run.writer,
    tally: run.tally,
    attribution: { actor, trigger: 'import mneme' },
    approval: '—',
    isDryRun: run.request.dryRun === true,
    sinceMs: undefined,
    signal: run.controls.signal,
    onDocument: () => undefined,
    trust: 'user',
  };
}

const BATCH_BYTES = 8 * 1024 * 1024;

interface Ready {
  readonly path: string;
  readonly bytes: Buffer;
}

/** Puts the transcripts of an export into raw/ as they were; what has its name there already stays. */
async function importTranscripts(run: ImportRun, files: AsyncGenerator<CheckedFile>): Promise<void> {
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
      // One that the write path refuses must not keep the others out.
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
