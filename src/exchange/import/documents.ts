import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { isMnemeError } from '../../model/errors.ts';
import { isTrustedAtLeast, TRUST_LEVELS, type Trust } from '../../model/provenance.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import { blobId } from '../../workspace/git/blob-id.ts';
import { readBlobs } from '../../workspace/git/objects.ts';
import { parseDocument, serializeDocument } from '../../workspace/markdown/document.ts';
import { setFrontmatterValue } from '../../workspace/markdown/frontmatter.ts';
import { renderFrontmatter } from '../../workspace/formats/frontmatter-text.ts';
import { decodeText } from '../../workspace/safety/limits.ts';
import { parseWorkspacePath, slugify } from '../../workspace/safety/paths.ts';
import type { Change, CommitRequest } from '../../workspace/door/request.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { DocumentRecord } from './ledger.ts';
import { walkFiles, type FoundFile } from './log-files.ts';
import type { SessionWriter } from './session-writer.ts';
import type { Tally } from './tally.ts';

/** Documents are small, and each passes the validators; this many in a mutation keep the lock short. */
const BATCH_DOCUMENTS = 50;

/** Tools keep their own things in such folders. */
const PRIVATE_FOLDER = /^(?:\.|node_modules$)/u;

export interface DocumentSource {
  readonly root: string;
  /** Names the import: `markdown:notes`, `openclaw:workspace`. */
  readonly name: string;
  /** Where the copies go, in the workspace. */
  readonly target: string;
  readonly isWanted: (relative: string) => boolean;
}

interface Planned {
  readonly change: Change;
  readonly target: string;
  readonly origin: string;
  readonly hash: string;
}

export interface DocumentOptions {
  readonly workspace: Workspace;
  readonly writer: Pick<SessionWriter, 'ledger' | 'exclusively'>;
  readonly tally: Tally;
  readonly attribution: Pick<CommitRequest, 'actor' | 'trigger'>;
  readonly isDryRun: boolean;
  readonly sinceMs: number | undefined;
  readonly signal: AbortSignal | undefined;
  readonly onDocument: (bytes: number) => void;
}

export function listDocuments(source: DocumentSource): FoundFile[] {
  const enters = (_relative: string, name: string): boolean => !PRIVATE_FOLDER.test(name);
  return walkFiles(source.root, enters)
    .filter(({ relative }) => /\.(?:md|markdown)$/iu.test(relative) && source.isWanted(relative))
    .sort((a, b) => (a.relative < b.relative ? -1 : 1));
}

/** Copies Markdown files into the workspace. Returns how many were new or had changed. */
export async function importDocuments(source: DocumentSource, options: DocumentOptions): Promise<number> {
  let written = 0;
  let batch: Planned[] = [];
  const flush = async (): Promise<void> => {
    const ready = batch;
    batch = [];
    if (options.isDryRun) written += ready.length;
    else written += await options.writer.exclusively(() => writeBatch(ready, source, options));
  };
  for (const file of listDocuments(source)) {
    if (options.signal?.aborted === true) break;
    const planned = await planDocument(file, source, options);
    if (planned !== undefined) batch.push(planned);
    if (batch.length >= BATCH_DOCUMENTS) await flush();
  }
  await flush();
  return written;
}

async function planDocument(
  file: FoundFile,
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
  const origin = `${source.name}/${file.relative}`;
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  const known = ledger.document(origin);
  if (known?.hash === hash) {
    tally.add('document', 'already imported');
    return undefined;
  }
  const target = known?.path ?? targetPath(source.target, file.relative);
  const content = withProvenance(decoded.text, source.name);
  const change = await planChange(workspace, target, content, known, tally);
  return change === undefined ? undefined : { change, target, origin, hash };
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
    const count = planned.length === 1 ? 'a document' : `${planned.length} documents`;
    await options.workspace.commit({
      ...options.attribution,
      approval: 'auto',
      summary: `${count} from ${source.name}`,
      changes: planned.map(({ change }) => change),
    });
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
 * trusted as an import, whatever it says.
 */
export function withProvenance(text: string, name: string): string {
  const document = parseDocument(text);
  if (document.frontmatter === undefined) {
    return `${renderFrontmatter({ source: name, trust: 'import' })}\n${text.replace(/^\uFEFF/u, '')}`;
  }
  if (document.frontmatter.values === undefined) return text;
  const stated = document.frontmatter.values['trust'];
  const isTrust = (value: unknown): value is Trust => TRUST_LEVELS.some((level) => level === value);
  if (isTrust(stated) && !isTrustedAtLeast(stated, 'tool')) return text;
  return serializeDocument(setFrontmatterValue(document, 'trust', 'import'));
}

/** The copy's path: the source's own, with names that some system could not store made plain. */
function targetPath(folder: string, relative: string): string {
  const segments = relative.split('/').map((segment, index, all) => {
    const extension = index === all.length - 1 ? '.md' : '';
    const stem = extension === '' ? segment : segment.replace(/\.(?:md|markdown)$/iu, '');
    return isPlain(`${stem}${extension}`) ? `${stem}${extension}` : `${slugify(stem)}${extension}`;
  });
  return [folder, ...segments].join('/');
}

function isPlain(segment: string): boolean {
  try {
    return parseWorkspacePath(segment) === segment;
  } catch (error) {
    if (isMnemeError(error)) return false;
    throw error;
  }
}
