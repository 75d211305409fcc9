import { createHash } from 'node:crypto';
import path from 'node:path';
import { errorMessage, isMnemeError, must } from '../../model/errors.ts';
import { isTrustedAtLeast, TRUST_LEVELS, type Trust } from '../../model/provenance.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import { blobId } from '../../workspace/known-files.ts';
import { readBlobs } from '../../workspace/git/objects.ts';
import { parseDocument, serializeDocument } from '../../workspace/markdown/document.ts';
import { renderFrontmatter, setFrontmatterValue } from '../../workspace/markdown/frontmatter.ts';
import { cleanPath } from '../../workspace/safety/clean-name.ts';
import { checkSize, decodeText } from '../../workspace/safety/limits.ts';
import type { Change, CommitRequest } from '../../workspace/door/request.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { DocumentRecord, FolderRecord } from './ledger.ts';
import { PRIVATE_FOLDER, type SourceFile, fileOnDisk, readSmall } from '../sources/open-source.ts';
import { walkFiles } from './lines.ts';
import { SKIPPED_MEMORY, type MnemeFolders } from './mneme-folders.ts';
import type { SessionWriter } from './session-writer.ts';
import type { Tally } from './port.ts';
import { assignTargets } from './target-paths.ts';

/** Documents are small, and each passes the validators; this many in a mutation keep the lock short. */
const BATCH_DOCUMENTS = 50;

/** Nothing anybody wrote is larger; scanned books are, and hold no text. */
const MAX_SOURCE_BYTES = 256 * 1024 * 1024;

export const MARKDOWN_NAME = /\.(?:md|markdown)$/iu;

/** The content of another format, as Markdown. */
export type DocumentContent =
  | { readonly problem: string }
  | {
      readonly problem?: undefined;
      readonly title?: string | undefined;
      readonly author?: string | undefined;
      /** The day it is of, if it tells. */
      readonly date?: string | undefined;
      readonly url?: string | undefined;
      readonly body: string;
      /** A note to report about it. */
      readonly note?: string | undefined;
    };

export type Convert = (bytes: Uint8Array) => Promise<DocumentContent>;

/** A folder to look for documents in. */
export interface DocumentFolder {
  /** A real path. */
  readonly root: string;
  /** The name of the one file in it that is meant, if it is one. */
  readonly only?: string | undefined;
  readonly memories: MnemeFolders;
  readonly isWanted?: ((relative: string) => boolean) | undefined;
  /** Matches the names of documents; the default is Markdown. */
  readonly names?: RegExp | undefined;
  readonly tally: Tally;
}

/** The names of the import and of its copies. */
type DocumentSource = Pick<FolderRecord, 'name' | 'target'>;

export interface Planned {
  readonly change: Change;
  readonly content: string;
  readonly target: string;
  readonly origin: string;
  readonly hash: string;
}

export interface DocumentOptions {
  readonly workspace: Workspace;
  /** The write path's size limit; for a dry run, which does not get to the write path. */
  readonly maxFileBytes?: number | undefined;
  readonly writer: Pick<SessionWriter, 'ledger' | 'exclusively'>;
  readonly tally: Tally;
  readonly attribution: Pick<CommitRequest, 'actor' | 'trigger'>;
  readonly approval?: CommitRequest['approval'];
  readonly isDryRun: boolean;
  readonly sinceMs: number | undefined;
  readonly signal: AbortSignal | undefined;
  readonly onDocument: (bytes: number) => void;
  /** The trust of the copies. */
  readonly trust: Trust;
  /** Makes Markdown of another format. */
  readonly convert?: Convert | undefined;
}

/** The files that can be copied; what looks like one and cannot is counted. */
export function listDocuments(folder: DocumentFolder): SourceFile[] {
  const { root, only, memories, isWanted, names = MARKDOWN_NAME, tally } = folder;
  const enters = (relative: string, name: string): boolean => {
    if (only !== undefined || PRIVATE_FOLDER.test(name)) return false;
    const isMemory = memories.isMemory(path.join(root, relative));
    if (isMemory) tally.add('folder', SKIPPED_MEMORY);
    return !isMemory;
  };
  return walkFiles(root, enters)
    .filter(({ relative }) => names.test(relative) && isWanted?.(relative) !== false)
    .filter(({ name }) => {
      if (only !== undefined && name !== only) return false;
      // Skipped, because names that begin with a dot are not searched.
      const isHidden = name.startsWith('.');
      if (isHidden) tally.add('document', 'hidden: its name begins with a dot');
      return !isHidden;
    })
    .sort((a, b) => (a.relative < b.relative ? -1 : 1))
    .flatMap(({ path: full, relative }) => fileOnDisk(full, relative) ?? []);
}

/** Copies Markdown files into the workspace. Returns how many were new or had changed. */
export async function importDocuments(
  given: readonly SourceFile[],
  source: DocumentSource,
  options: DocumentOptions,
): Promise<number> {
  const files: SourceFile[] = [];
  for (const file of given) files.push(await withCleanName(file, options.workspace));
  const ids = new Map(files.map(({ relative, id }) => [relative, id ?? relative]));
  const targets = assignTargets(options.writer.ledger, {
    target: source.target,
    relatives: files.map(({ relative }) => relative),
    originOf: (relative) => originOf(source, ids.get(relative) ?? relative),
  });
  let written = 0;
  let batch: Planned[] = [];
  const flush = async (): Promise<void> => {
    const ready = batch;
    batch = [];
    if (options.isDryRun) written += ready.filter((planned) => wouldBeTaken(planned, source, options)).length;
    else written += await options.writer.exclusively(() => writeBatch(ready, source, options));
  };
  for (const file of files) {
    if (options.signal?.aborted === true) break;
    const target = must(targets.get(file.relative), 'the target of a document');
    const planned = await planDocument(file, target, source, options);
    if (planned !== undefined) batch.push(planned);
    if (batch.length >= BATCH_DOCUMENTS) await flush();
  }
  await flush();
  return written;
}

/** Its path becomes that of the copy, and the origin in the record of imports. */
async function withCleanName(file: SourceFile, { redactor }: Workspace): Promise<SourceFile> {
  const relative = await cleanPath(redactor, file.relative);
  const id = file.id === undefined ? undefined : await cleanPath(redactor, file.id);
  return relative === file.relative && id === file.id ? file : { ...file, relative, id, name: path.basename(relative) };
}

function originOf({ name }: DocumentSource, id: string): string {
  return `${name}/${id}`;
}

async function planDocument(
  file: SourceFile,
  target: string,
  source: DocumentSource,
  options: DocumentOptions,
): Promise<Planned | undefined> {
  const { workspace, tally, sinceMs, onDocument } = options;
  const { ledger } = options.writer;
  if (sinceMs !== undefined && file.mtimeMs < sinceMs) {
    tally.add('document', 'older than asked for');
    return undefined;
  }
  const bytes = await readBytes(file, tally);
  onDocument(bytes?.length ?? file.size);
  if (bytes === undefined) return undefined;
  const origin = originOf(source, file.id ?? file.relative);
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  const known = ledger.document(origin);
  if (known?.hash === hash) {
    tally.add('document', 'already imported');
    return undefined;
  }
  const content = await contentOf(file, bytes, source, options);
  if (content === undefined) return undefined;
  const change = await planChange(workspace, target, content, known, tally);
  return change === undefined ? undefined : { change, content, target, origin, hash };
}

async function readBytes(file: SourceFile, tally: Tally): Promise<Buffer | undefined> {
  try {
    const bytes = await readSmall(file, MAX_SOURCE_BYTES);
    if (bytes === undefined) tally.addDamage('document', 'larger than 256 MB', { file: file.relative, at: undefined });
    return bytes;
  } catch (error) {
    // Gone meanwhile, or damaged in its archive: the others are still worth having.
    tally.addDamage('document', errorMessage(error), { file: file.relative, at: undefined });
    return undefined;
  }
}

/** The copy's text; undefined when the source holds none. */
async function contentOf(
  file: SourceFile,
  bytes: Buffer,
  { name }: DocumentSource,
  { convert, trust, tally }: DocumentOptions,
): Promise<string | undefined> {
  if (convert !== undefined) return convertedText(file, bytes, name, { convert, trust, tally });
  const decoded = decodeText(bytes);
  if (decoded.kind === 'text') return withProvenance(decoded.text, name, trust);
  tally.add('document', `not text: ${decoded.reason}`);
  return undefined;
}

async function convertedText(
  file: SourceFile,
  bytes: Buffer,
  name: string,
  { convert, trust, tally }: Pick<DocumentOptions, 'trust' | 'tally'> & { readonly convert: Convert },
): Promise<string | undefined> {
  const place = { file: file.relative, at: undefined };
  const content = await convertSafely(bytes, convert);
  if (content.problem !== undefined) {
    tally.addDamage('document', content.problem, place);
    return undefined;
  }
  const { title, author, date, url, body, note } = content;
  if (note !== undefined) tally.addDamage('document', note, place);
  const told = Object.entries({ title, author, date, url }).filter(([, value]) => value !== undefined);
  const head = renderFrontmatter({ ...Object.fromEntries(told), source: name, file: file.relative, trust });
  const heading = title === undefined ? '' : `# ${title.replaceAll(/\s+/gu, ' ')}\n\n`;
  return `${head}\n${heading}${body.toWellFormed().replaceAll('\0', '')}\n`;
}

/** Parsers of other formats fail in their own ways; a file that cannot be read must not end the import. */
async function convertSafely(bytes: Buffer, convert: Convert): Promise<DocumentContent> {
  try {
    return await convert(bytes);
  } catch (error) {
    return { problem: `cannot be read: ${errorMessage(error)}` };
  }
}

/** Plans the change of a copy, given its present state in the workspace. */
export async function planChange(
  workspace: Workspace,
  target: string,
  content: string | Uint8Array,
  known: DocumentRecord | undefined,
  tally: Tally,
): Promise<Change | undefined> {
  const current = nodeFileSystem.read(path.join(workspace.root, target));
  if (known === undefined) {
    if (current === undefined || current.equals(Buffer.from(content))) return { path: target, content, base: current };
    tally.add('document', 'another file of that name is there already');
    return undefined;
  }
  if (current === undefined) {
    tally.add('document', 'removed here since it was imported');
    return undefined;
  }
  if (blobId(current) === known.blob) return { path: target, content, base: current };
  const base = (await readBlobs(workspace.git.workspace, [known.blob])).get(known.blob);
  if (base === undefined) {
    tally.add('document', 'changed here, and what it was is no longer known');
    return undefined;
  }
  tally.add('document', 'changed here too: both changes were merged');
  return { path: target, content, base };
}

/** True when the write path would accept a document, as far as that can be checked without writing it. */
function wouldBeTaken(planned: Planned, source: DocumentSource, options: DocumentOptions): boolean {
  const { workspace, tally, maxFileBytes = Number.POSITIVE_INFINITY } = options;
  const { target, content } = planned;
  const before = nodeFileSystem.read(path.join(workspace.root, target))?.toString('utf8');
  try {
    checkSize(target, Buffer.byteLength(content), maxFileBytes);
    const request = requestFor([planned], source, options);
    for (const validate of workspace.registries.validators) validate({ path: target, before, after: content }, request);
    return true;
  } catch (error) {
    if (!isMnemeError(error)) throw error;
    tally.add('document', error.message);
    return false;
  }
}

function requestFor(planned: readonly Planned[], source: DocumentSource, options: DocumentOptions): CommitRequest {
  const count = planned.length === 1 ? 'a document' : `${planned.length} documents`;
  return {
    ...options.attribution,
    approval: options.approval ?? 'auto',
    summary: `${count} from ${source.name}`,
    changes: planned.map(({ change }) => change),
  };
}

export async function writeBatch(
  planned: readonly Planned[],
  source: DocumentSource,
  options: DocumentOptions,
): Promise<number> {
  const { ledger } = options.writer;
  // Another import may have had the same documents meanwhile.
  const batch = planned.filter(({ origin, hash }) => ledger.document(origin)?.hash !== hash);
  const written: Planned[] = [];
  const commit = async (planned: readonly Planned[]): Promise<void> => {
    await options.workspace.commit(requestFor(planned, source, options));
    written.push(...planned);
  };
  try {
    if (batch.length > 0) await commit(batch);
  } catch (error) {
    if (!isMnemeError(error)) throw error;
    // One document that the write path refuses must not keep the others out.
    for (const planned of batch) await commitAlone(planned, commit, options.tally);
  }
  const records = written.map((planned) => recordOf(planned, options.workspace)).filter((one) => one !== undefined);
  await ledger.recordDocuments(records);
  return written.length;
}

async function commitAlone(
  planned: Planned,
  commit: (planned: readonly Planned[]) => Promise<void>,
  tally: Tally,
): Promise<void> {
  try {
    await commit([planned]);
  } catch (error) {
    if (!isMnemeError(error)) throw error;
    tally.add('document', error.message);
  }
}

function recordOf({ target, origin, hash }: Planned, workspace: Workspace): DocumentRecord | undefined {
  const bytes = nodeFileSystem.read(path.join(workspace.root, target));
  return bytes === undefined ? undefined : { origin, path: target, hash, blob: blobId(bytes) };
}

/**
 * Frontmatter that is there stays as it is, except that a document cannot vouch for itself: what was copied in is
 * trusted as whoever imports it says, whatever it says. Frontmatter that nobody can read or change becomes text below ours.
 */
export function withProvenance(text: string, name: string, trust: Trust = 'import'): string {
  const document = parseDocument(text);
  const values = document.frontmatter?.values;
  if (values === undefined) return asBody(text, name, trust);
  const stated = values['trust'];
  const isTrust = (value: unknown): value is Trust => TRUST_LEVELS.some((level) => level === value);
  if (isTrust(stated) && isTrustedAtLeast(trust, stated)) return text;
  try {
    return serializeDocument(setFrontmatterValue(document, 'trust', trust));
  } catch (error) {
    if (isMnemeError(error, 'conflict')) return asBody(text, name, trust);
    throw error;
  }
}

function asBody(text: string, name: string, trust: Trust): string {
  return `${renderFrontmatter({ source: name, trust })}\n${text.replace(/^\uFEFF/u, '')}`;
}
