import path from 'node:path';
import { z } from 'zod';
import { type FileSystem, nodeFileSystem } from '../../platform/fs.ts';
import type { Config } from '../../model/config/schema.ts';
import { parseTranscript } from '../../workspace/formats/transcript.ts';
import { parseDocument } from '../../workspace/markdown/document.ts';
import { plainName, readPacked } from '../../workspace/packed.ts';
import type { OperationContext } from '../context.ts';
import { wishesOf } from '../session/fulfil-wishes.ts';
import { defineVerb, NOT_OFFERED } from '../verb.ts';

/**
 * `journal/extracted.txt`: a line for every transcript all of whose turns were processed, so that looking for what is new
 * does not open thousands of files. A line follows the write it speaks of; if a crash comes between, the pointer of the
 * session tells that nothing is new.
 */
class ProcessedTranscripts {
  readonly #file: string;
  readonly #fs: FileSystem;
  readonly #paths = new Set<string>();
  #position = 0;

  constructor(fs: FileSystem, journal: string) {
    this.#fs = fs;
    this.#file = path.join(journal, 'extracted.txt');
  }

  has(transcript: string): boolean {
    return this.#paths.has(transcript);
  }

  /** Durable when the promise resolves. Only whoever holds the extraction lock may do this. */
  async add(transcripts: readonly string[]): Promise<void> {
    this.read();
    const fresh = transcripts.filter((transcript) => !this.has(transcript));
    if (fresh.length === 0) return;
    this.#fs.makeDirectory(path.dirname(this.#file));
    const file = this.#fs.open(this.#file);
    try {
      const end = file.size();
      const isTorn = end > 0 && file.read(end - 1, 1).toString() !== '\n';
      file.write(Buffer.from(`${isTorn ? '\n' : ''}${fresh.join('\n')}\n`), end);
      await file.sync();
    } finally {
      file.close();
    }
    this.read();
  }

  /** Takes in what other processes have added. */
  read(): this {
    const bytes = this.#fs.read(this.#file);
    if (bytes === undefined) return this;
    if (bytes.length < this.#position) {
      this.#position = 0;
      this.#paths.clear();
    }
    const end = bytes.lastIndexOf('\n') + 1;
    for (const line of bytes.toString('utf8', this.#position, end).split('\n')) if (line !== '') this.#paths.add(line);
    this.#position = Math.max(this.#position, end);
    return this;
  }
}

export interface WaitingConversations {
  /** Conversations that were recorded here and not learned from yet. */
  readonly own: number;
  /** The same of imported ones, which wait until somebody asks. */
  readonly imported: number;
}

/** The beginning of a transcript, which says whose it is. */
const HEAD_BYTES = 2048;

/** Counts waiting conversations by the frontmatter of their files: for display, not for processing. */
export function countWaiting(context: OperationContext, lookedAt = Infinity): WaitingConversations {
  const waiting = listWaiting(context, lookedAt);
  const imported = waiting.filter(({ isImported }) => isImported).length;
  return { own: waiting.length - imported, imported };
}

export interface WaitingSession {
  readonly session: string;
  readonly isImported: boolean;
}

/** The conversations that wait, the newest first; `limit` transcripts are looked at. */
export function listWaiting(context: OperationContext, limit = Infinity): WaitingSession[] {
  const waiting = new Map<string, WaitingSession>();
  for (const transcriptPath of unprocessed(context).toReversed().slice(0, limit)) {
    const { session, isImported } = readWaiting(context, transcriptPath);
    if (session !== undefined && !waiting.has(session)) waiting.set(session, { session, isImported });
  }
  return [...waiting.values()];
}

function readHead(file: string): string {
  if (!nodeFileSystem.exists(file)) return readPacked(nodeFileSystem, file)?.toString('utf8', 0, HEAD_BYTES) ?? '';
  const opened = nodeFileSystem.open(file);
  try {
    return opened.read(0, Math.min(HEAD_BYTES, opened.size())).toString('utf8');
  } finally {
    opened.close();
  }
}

export const waitingConversations = defineVerb({
  name: 'session waiting',
  summary: 'Count the conversations that were not learned from yet.',
  input: z.strictObject({
    lookedAt: z.number().int().min(1).optional().describe('Transcripts that are looked at, the newest first.'),
  }),
  effect: 'read',
  reach: 'shared',
  ...NOT_OFFERED,
  run: (context, { lookedAt }) => Promise.resolve(countWaiting(context, lookedAt)),
});

/** A hook asks at every start of a session; behind this many transcripts nothing is looked for. */
export const MAX_LOOKED_AT = 60;

/** Of those that wait, how many are to be learned from. */
export function countWanted(config: Config, { own, imported }: WaitingConversations): number {
  return own + (config.extract.imports ? imported : 0);
}

interface WaitingTranscript {
  /** Undefined for a file that does not say, and for a session that goes on. */
  readonly session: string | undefined;
  readonly isImported: boolean;
}

function readWaiting(context: OperationContext, transcriptPath: string): WaitingTranscript {
  const head = readHead(path.join(rawRoot(context), transcriptPath));
  const named = /^session_id: *"?([^\s"]+)/mu.exec(head)?.[1];
  const session = named !== undefined && context.parts.sessions().isOpen(named) ? undefined : named;
  return { session, isImported: /^source: *import\b/mu.test(head) };
}

/** Transcripts of which nobody noted that all was processed, in the order of their days. */
export function unprocessed(context: OperationContext): string[] {
  const processed = processedTranscripts(context).read();
  return transcripts(context).filter((file) => !processed.has(file));
}

export function transcripts(context: OperationContext): string[] {
  return nodeFileSystem
    .listFiles(path.join(rawRoot(context), 'conversations'))
    .map((file) => `conversations/${file.replaceAll(path.sep, '/')}`)
    .map(plainName)
    .filter((file) => file.endsWith('.md'))
    .sort();
}

export function rawRoot(context: OperationContext): string {
  return context.workspace.paths.repositories.raw.workTree;
}

export function processedTranscripts(context: OperationContext): ProcessedTranscripts {
  return new ProcessedTranscripts(nodeFileSystem, context.workspace.paths.journal);
}

interface Wanted {
  readonly withImports: boolean;
  /** Also those that hold nothing new. */
  readonly withProcessed?: boolean | undefined;
}

/** Sessions that have ended and hold turns nobody has processed, oldest first: what was said later may replace it. */
export function findPending(
  context: OperationContext,
  { withImports, withProcessed = false }: Wanted = { withImports: true },
): readonly string[] {
  const sessions = context.parts.sessions();
  const root = rawRoot(context);
  const pending = new Set<string>();
  for (const transcriptPath of withProcessed ? transcripts(context) : unprocessed(context)) {
    const text = readPacked(nodeFileSystem, path.join(root, transcriptPath))?.toString('utf8') ?? '';
    const { frontmatter, turns } = parseTranscript(parseDocument(text));
    const session = frontmatter.session_id;
    if (session === undefined || turns.length === 0 || sessions.isOpen(session)) continue;
    if (withProcessed && sessions.isPrivate(session)) continue;
    if (!withImports && frontmatter.source === 'import') continue;
    const lastTurn = (frontmatter.first_turn ?? 1) - 1 + turns.length;
    if (withProcessed || lastTurn > sessions.processedUpTo(session)) pending.add(session);
  }
  // A wish that failed is tried again, whatever was learned meanwhile.
  for (const session of wishesOf(context).listWaiting()) if (!sessions.isOpen(session)) pending.add(session);
  return [...pending];
}
