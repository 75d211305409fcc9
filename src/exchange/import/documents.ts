import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { isMnemeError, must } from '../../model/errors.ts';
import { isTrustedAtLeast, TRUST_LEVELS, type Trust } from '../../model/provenance.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import { blobId } from '../../workspace/git/blob-id.ts';
import { readBlobs } from '../../workspace/git/objects.ts';
import { parseDocument, serializeDocument } from '../../workspace/markdown/document.ts';
import { setFrontmatterValue } from '../../workspace/markdown/frontmatter.ts';
import { renderFrontmatter } from '../../workspace/formats/frontmatter-text.ts';
import { checkSize, decodeText } from '../../workspace/safety/limits.ts';
import type { Change, CommitRequest } from '../../workspace/door/request.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { DocumentRecord, FolderRecord } from './ledger.ts';
import { walkFiles, type FoundFile } from './log-files.ts';
import { SKIPPED_MEMORY, type MnemeFolders } from './mneme-folders.ts';
import type { SessionWriter } from './session-writer.ts';
import type { Tally } from './tally.ts';
import { assignTargets } from './target-paths.ts';

/** Documents are small, and each passes the validators; this many in a mutation keep the lock short. */
const BATCH_DOCUMENTS = 50;

/** Tools keep their own things in such folders. */
const PRIVATE_FOLDER = /^(?:\.|node_modules$)/u;

/** A folder to look for documents in. */
export interface DocumentFolder {
  /** A real path. */
  readonly root: string;
  /** The name of the one file in it that is meant, if it is one. */
  readonly only?: string | undefined;
  readonly memories: MnemeFolders;
  readonly isWanted?: ((relative: string) => boolean) | undefined;
  readonly tally: Tally;
}

/** What the import and its copies are called. */
type DocumentSource = Pick<FolderRecord, 'name' | 'target'>;

interface Planned {
  readonly change: Change;
  readonly content: string;
  readonly target: string;
  readonly origin: string;
  readonly hash: string;
}

export interface DocumentOptions {
  readonly workspace: Workspace;
  /** What the door takes at most; for a dry run, which does not get to the door. */
  readonly maxFileBytes?: number | undefined;
  readonly writer: Pick<SessionWriter, 'ledger' | 'exclusively'>;
  readonly tally: Tally;
  readonly attribution: Pick<CommitRequest, 'actor' | 'trigger'>;
  readonly isDryRun: boolean;
  readonly sinceMs: number | undefined;
  readonly signal: AbortSignal | undefined;
  readonly onDocument: (bytes: number) => void;
}

/** The Markdown files that can be copied; what looks like one and cannot is counted. */
export function listDocuments({ root, only, memories, isWanted, tally }: DocumentFolder): FoundFile[] {
  const enters = (relative: string, name: string): boolean => {
    if (only !== undefined || PRIVATE_FOLDER.test(name)) return false;
    const isMemory = memories.isMemory(path.join(root, relative));
    if (isMemory) tally.add('folder', SKIPPED_MEMORY);
    return !isMemory;
  };
  return walkFiles(root, enters)
    .filter(({ relative }) => /\.(?:md|markdown)$/iu.test(relative) && isWanted?.(relative) !== false)
    .filter(({ name }) => {
      if (only !== undefined && name !== only) return false;
      // Nobody would find it again: what begins with a dot is not searched.
      const isHidden = name.startsWith('.');
      if (isHidden) tally.add('document', 'hidden: its name begins with a dot');
      return !isHidden;
    })
    .sort((a, b) => (a.relative < b.relative ? -1 : 1));
}

/** Copies Markdown files into the workspace. Returns how many were new or had changed. */
export async function importDocuments(
  files: readonly FoundFile[],
  source: DocumentSource,
  options: DocumentOptions,
): Promise<number> {
  const targets = assignTargets(options.writer.ledger, {
    target: source.target,
    relatives: files.map(({ relative }) => relative),
    originOf: (relative) => originOf(source, relative),
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

function originOf({ name }: DocumentSource, relative: string): string {
  return `${name}/${relative}`;
}

async function planDocument(
  file: FoundFile,
  target: string,
  source: DocumentSource,
  { workspace, writer: { ledger }, tally, sinceMs, onDocument }: DocumentOptions,
): Promise<Planned | undefined> {
  const stat = fs.statSync(file.path, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  if (sinceMs !== undefined && stat.mtimeMs < sinceMs) {
    tally.add('document', 'older than asked for');
    return undefined;
  }
  const bytes = fs.readFileSync(file.path);
  onDocument(bytes.length);
  const decoded = decodeText(bytes);
  if (decoded.kind === 'binary') {
    tally.add('document', `not text: ${decoded.reason}`);
    return undefined;
  }
  const origin = originOf(source, file.relative);
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  const known = ledger.document(origin);
  if (known?.hash === hash) {
    tally.add('document', 'already imported');
    return undefined;
  }
  const content = withProvenance(decoded.text, source.name);
  const change = await planChange(workspace, target, content, known, tally);
  return change === undefined ? undefined : { change, content, target, origin, hash };
}

/** How the copy is to change, given what has become of it here. */
async function planChange(
  workspace: Workspace,
  target: string,
  content: string,
  known: DocumentRecord | undefined,
  tally: Tally,
): Promise<Change | undefined> {
  const current = nodeFileSystem.read(path.join(workspace.root, target));
  if (known === undefined) {
    if (current === undefined || current.toString('utf8') === content) return { path: target, content, base: current };
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

/** What the door would say to a document, as far as that can be told without writing it. */
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
    approval: 'auto',
    summary: `${count} from ${source.name}`,
    changes: planned.map(({ change }) => change),
  };
}

async function writeBatch(
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
    // One document that the door refuses must not keep the others out.
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
 * trusted as an import, whatever it says. Frontmatter that nobody can read or change becomes text below ours.
 */
export function withProvenance(text: string, name: string): string {
  const document = parseDocument(text);
  const values = document.frontmatter?.values;
  if (values === undefined) return asBody(text, name);
  const stated = values['trust'];
  const isTrust = (value: unknown): value is Trust => TRUST_LEVELS.some((level) => level === value);
  if (isTrust(stated) && !isTrustedAtLeast(stated, 'tool')) return text;
  try {
    return serializeDocument(setFrontmatterValue(document, 'trust', 'import'));
  } catch (error) {
    if (isMnemeError(error, 'conflict')) return asBody(text, name);
    throw error;
  }
}

function asBody(text: string, name: string): string {
  return `${renderFrontmatter({ source: name, trust: 'import' })}\n${text.replace(/^\uFEFF/u, '')}`;
}
