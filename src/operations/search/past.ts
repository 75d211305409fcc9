import fs from 'node:fs';
import { chunkFile } from '../../search-index/chunk/chunk-file.ts';
import { embedMissing } from '../../search-index/embed/embed-missing.ts';
import type { Embedder } from '../../providers/embeddings/port.ts';
import type { DocumentSource, IndexedDocument } from '../../search-index/passage.ts';
import type { SearchIndex } from '../../search-index/port.ts';
import { isIndexable } from '../../search-index/sync/refresh.ts';
import { indexInMemory } from '../../retrieve/settings.ts';
import type { Git } from '../../workspace/git/git.ts';
import { parseMoment } from '../../workspace/git/revisions.ts';
import { filesAt, isRegularFile, readBlobs } from '../../workspace/git/objects.ts';
import { findUnpacked } from '../../workspace/packed.ts';
import { decodeText } from '../../workspace/safety/limits.ts';
import { isMnemeError, MnemeError } from '../../model/errors.ts';
import type { OperationContext } from '../context.ts';
import { openHistory, resolvePoint } from '../history/open-history.ts';

export interface Past {
  readonly index: SearchIndex;
  readonly nowMs: number;
  readonly notes: readonly string[];
}

/** Making vectors for more than this would take longer than anybody waits. */
const MAX_EMBEDDED_PASSAGES = 20_000;

/**
 * Everything that was known at a point of history, indexed in memory for one question; `knownMs` for a point whose
 * moment is known better than the history knows it.
 */
export async function openPast(context: OperationContext, at: string, knownMs?: number): Promise<Past> {
  const { git } = await openHistory(context);
  try {
    const { commit } = await resolvePoint(context, git, at);
    const nowMs = knownMs ?? (await momentOf(context, git, at, commit));
    const documents = [
      ...(await documentsAt(context, git, 'workspace', commit)),
      ...(await transcriptsBefore(context, Math.floor(nowMs / 1000))),
    ];
    return await openDocuments(context, documents, nowMs);
  } catch (error) {
    const before = isMnemeError(error, 'not-found') ? await openBeforeHistory(context, git, at) : undefined;
    if (before === undefined) throw error;
    return before;
  }
}

async function openDocuments(
  context: OperationContext,
  documents: readonly IndexedDocument[],
  nowMs: number,
): Promise<Past> {
  const index = await indexInMemory(documents);
  return { index, nowMs, notes: await embedAll(context, index) };
}

/**
 * Conversations that were taken over tell of times before there was a home. What is dated later is left out; a fact that
 * was replaced since is there, with the day until which it held. Undefined when nothing is dated so early.
 */
async function openBeforeHistory(context: OperationContext, git: Git, at: string): Promise<Past | undefined> {
  const { clock, config } = context;
  const nowMs = parseMoment(at, clock.now(), config.time_zone);
  if (nowMs === undefined) return undefined;
  const { raw } = context.workspace.git;
  const all = [
    ...(await documentsAt(context, git, 'workspace', 'HEAD')),
    ...(fs.existsSync(raw.location.gitDir) ? await documentsAt(context, raw, 'raw', 'HEAD') : []),
  ];
  const documents = all.flatMap((document) => {
    const passages = document.passages.filter(({ timeMs }) => timeMs !== undefined && timeMs <= nowMs);
    return passages.length === 0 ? [] : [{ ...document, passages }];
  });
  if (documents.length === 0) return undefined;
  const past = await openDocuments(context, documents, nowMs);
  const note = 'The history begins later: this is what is dated up to then, as it is known today.';
  return { ...past, notes: [note, ...past.notes] };
}

/** The time asked for; for a revision the time it was made, and for the latest one now: conversations may be younger. */
async function momentOf({ clock, config }: OperationContext, git: Git, at: string, commit: string): Promise<number> {
  const nowMs = clock.now();
  const asked = parseMoment(at, nowMs, config.time_zone);
  if (asked !== undefined) return Math.min(asked, nowMs);
  if ((await git.text(['rev-parse', 'HEAD'])) === commit) return nowMs;
  return Number(await git.text(['show', '-s', '--format=%ct', commit])) * 1000;
}

/** Conversations have a history of their own; the two are brought together by time. */
async function transcriptsBefore(context: OperationContext, seconds: number): Promise<IndexedDocument[]> {
  const git = context.workspace.git.raw;
  if (!fs.existsSync(git.location.gitDir)) return [];
  const found = await git.attempt(['rev-list', '-1', `--before=${seconds}`, 'HEAD']);
  const commit = found.code === 0 ? found.stdout.toString('utf8').trim() : '';
  return commit === '' ? [] : documentsAt(context, git, 'raw', commit);
}

async function documentsAt(
  context: OperationContext,
  git: Git,
  source: DocumentSource,
  commit: string,
): Promise<IndexedDocument[]> {
  const { chunkContext } = context;
  const files = (await filesAt(git, commit)).filter(
    (file) => isRegularFile(file) && isIndexable({ source, path: file.path }, chunkContext),
  );
  const contents = await readBlobs(
    git,
    files.map(({ blob }) => blob),
  );
  return files.flatMap(({ path, blob }) => {
    const bytes = contents.get(blob) ?? Buffer.alloc(0);
    const decoded = decodeText(findUnpacked(bytes) ?? bytes);
    const text = decoded.kind === 'text' ? decoded.text : '';
    return chunkFile({ source, path, text, hash: blob }, chunkContext) ?? [];
  });
}

async function embedAll({ homeIndex, clock }: OperationContext, index: SearchIndex): Promise<string[]> {
  const { passages } = await index.status();
  if (passages > MAX_EMBEDDED_PASSAGES) return [`${passages} passages were searched by words alone.`];
  for (const model of await homeIndex.models()) {
    if (!model.isInstant) {
      await carryVectors(homeIndex.engine, index, model.embedder, passages);
      continue;
    }
    const { problem } = await embedMissing(index, model, { clock });
    if (problem !== undefined) throw new MnemeError('failure', problem.message, { hint: problem.hint });
  }
  return [];
}

/** Most texts of the past are still there, with vectors that took long to make. */
async function carryVectors(
  from: SearchIndex,
  to: SearchIndex,
  { id, dimensions }: Pick<Embedder, 'id' | 'dimensions'>,
  passages: number,
): Promise<void> {
  const missing = await to.listMissingVectors(id, passages);
  const vectors = await from.readVectors(id, missing);
  const found = missing.flatMap(({ passage }, at) => {
    const vector = vectors[at];
    return vector === undefined ? [] : [{ passage, vector }];
  });
  if (found.length > 0) await to.putVectors(id, dimensions, found);
}
