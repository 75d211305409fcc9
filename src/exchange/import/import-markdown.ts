import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { MnemeError } from '../../model/errors.ts';
import { cleanPath } from '../../workspace/safety/clean-name.ts';
import { slugify } from '../../workspace/safety/paths.ts';
import { importDocuments, listDocuments, MARKDOWN_NAME, type Convert } from './documents.ts';
import type { ImportRun } from './import-run.ts';
import { type SourceFile, openSource } from '../sources/open-source.ts';
import type { FolderRecord, ImportLedger } from './ledger.ts';
import { kindOfSource } from './lines.ts';
import { MnemeFolders, SKIPPED_MEMORY } from './mneme-folders.ts';
import { findOpenClawWorkspaces, isOpenClawNote } from './openclaw.ts';
import type { SessionWriter } from './session-writer.ts';

/** A kind of documents: what they are called, and how they become Markdown. */
export interface DocumentKind {
  readonly kind: string;
  /** As the end of a sentence. */
  readonly describes: string;
  readonly names: RegExp;
  /** True for untrusted sources: a web page or a PDF. */
  readonly isForeign?: boolean | undefined;
  readonly convert?: Convert | undefined;
}

export const MARKDOWN: DocumentKind = { kind: 'markdown', describes: 'Markdown files', names: MARKDOWN_NAME };

/** Copies the documents of a folder, an archive or one file to `memory/reference/<name>/`. */
export async function importMarkdown(
  run: ImportRun,
  paths: readonly string[],
  kind: DocumentKind = MARKDOWN,
): Promise<void> {
  const memories = new MnemeFolders(run.home.workspace.paths);
  for (const given of paths) {
    const { root, files } = await findDocuments(run, given, kind, memories);
    if (files.length === 0 && run.tally.list().length === 0) {
      throw new MnemeError('not-found', `${given} has no ${kind.describes}.`, {
        hint: kind === MARKDOWN ? 'Files that end in .md are taken.' : 'Name the file, or a folder with such files.',
      });
    }
    const name = slugify(await cleanPath(run.home.workspace.redactor, path.basename(root).replace(/\.zip$/iu, '')));
    const target = `memory/reference/${name}`;
    await importFolder(run, { root, kind: kind.kind, name: `${kind.kind}:${name}`, target }, files, kind);
  }
}

async function findDocuments(
  run: ImportRun,
  given: string,
  { names }: DocumentKind,
  memories: MnemeFolders,
): Promise<{ readonly root: string; readonly files: readonly SourceFile[] }> {
  if (kindOfSource(given) === 'file') {
    const { files, isArchive } = await openSource(given, run.tally, (relative) => names.test(relative));
    if (isArchive) return { root: fs.realpathSync.native(given), files };
  }
  const only = kindOfSource(given) === 'file' ? path.basename(given) : undefined;
  const root = fs.realpathSync.native(only === undefined ? given : path.dirname(given));
  memories.assertOutside(root);
  return { root, files: listDocuments({ root, only, memories, names, tally: run.tally }) };
}

/** Copies an OpenClaw workspace's notes; `mneme init adopt` would take the folder itself instead. */
export async function importNotes(run: ImportRun, paths: readonly string[]): Promise<void> {
  const memories = new MnemeFolders(run.home.workspace.paths);
  for (const given of paths) {
    if (kindOfSource(given) === 'file') continue;
    for (const workspace of findOpenClawWorkspaces(given)) {
      const root = fs.realpathSync.native(workspace);
      // An adopted workspace is the memory; its agent's sessions are still worth importing.
      if (memories.isInMemory(root)) {
        run.tally.add('folder', SKIPPED_MEMORY);
        continue;
      }
      const name = slugify(await cleanPath(run.home.workspace.redactor, path.basename(workspace)));
      const target = name === 'workspace' ? 'memory/reference/openclaw' : `memory/reference/openclaw/${name}`;
      const files = listDocuments({ root, memories, tally: run.tally, isWanted: isOpenClawNote });
      await importFolder(run, { root, kind: 'openclaw', name: `openclaw:${name}`, target }, files);
    }
  }
}

async function importFolder(
  run: ImportRun,
  wanted: WantedFolder,
  files: readonly SourceFile[],
  kind: DocumentKind = MARKDOWN,
): Promise<void> {
  if (files.length === 0) return;
  const { workspace, actor, maxFileBytes } = run.home;
  const isDryRun = run.request.dryRun === true;
  const source = await claimFolder(run.writer, wanted, isDryRun);
  run.expect(files);
  const written = await importDocuments(files, source, {
    workspace,
    maxFileBytes,
    writer: run.writer,
    tally: run.tally,
    attribution: { actor, trigger: `import ${run.request.from}` },
    isDryRun,
    sinceMs: run.request.sinceMs,
    signal: run.controls.signal,
    onDocument: (bytes) => run.finishFile(bytes),
    trust: kind.isForeign === true ? 'external' : run.request.mine === true ? 'user' : 'import',
    convert: kind.convert,
  });
  run.countDocuments(written);
}

interface WantedFolder {
  /** The real path of the source. */
  readonly root: string;
  /** `markdown` or `openclaw`. */
  readonly kind: string;
  /** The name of the import and its target, unless another folder has these names already. */
  readonly name: string;
  readonly target: string;
}

type Writer = Pick<SessionWriter, 'ledger' | 'exclusively'>;

/**
 * The names a source folder has had since it was first imported, or new ones. Many folders are called `docs`: under one
 * name the second would be taken for a newer version of the first.
 */
function claimFolder(writer: Writer, wanted: WantedFolder, isDryRun: boolean): Promise<FolderRecord> {
  const { ledger } = writer;
  const folder = `${wanted.kind}:${hashOf(wanted.root)}`;
  const find = (): FolderRecord => ledger.folder(folder) ?? chooseNames(ledger, folder, wanted);
  if (isDryRun) return Promise.resolve(find());
  return writer.exclusively(async () => {
    const found = find();
    if (ledger.folder(folder) === undefined) await ledger.recordFolder(found);
    return found;
  });
}

function chooseNames(ledger: ImportLedger, folder: string, wanted: WantedFolder): FolderRecord {
  const taken = new Set<string>();
  for (const { name, target } of ledger.folders()) taken.add(name).add(target);
  // Documents are remembered from before folders were; whose they are is not known, so they are nobody else's.
  const hasDocuments = (name: string): boolean =>
    ledger.documents().some(({ origin }) => origin.startsWith(`${name}/`));
  for (let count = 1; ; count += 1) {
    const suffix = count === 1 ? '' : `-${count}`;
    const [name, target] = [`${wanted.name}${suffix}`, `${wanted.target}${suffix}`];
    if (!taken.has(name) && !taken.has(target) && !hasDocuments(name)) return { folder, name, target };
  }
}

function hashOf(root: string): string {
  return createHash('sha256').update(root).digest('base64url').slice(0, 22);
}
