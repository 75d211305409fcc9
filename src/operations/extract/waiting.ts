import path from 'node:path';
import { nodeFileSystem } from '../../platform/fs.ts';
import { ProcessedTranscripts } from '../../extract/processed-transcripts.ts';
import { plainName, readPacked } from '../../workspace/packed.ts';
import type { OperationContext } from '../context.ts';

export interface WaitingConversations {
  /** Conversations that were recorded here and not learned from yet. */
  readonly own: number;
  /** The same of imported ones, which wait until somebody asks. */
  readonly imported: number;
}

/** The beginning of a transcript, which says whose it is. */
const HEAD_BYTES = 2048;

/** How many conversations wait, judged by the head of their files: for telling, not for processing. */
export function countWaiting(context: OperationContext): WaitingConversations {
  const waiting = listWaiting(context);
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

/** A hook asks at every start of a session; behind this many transcripts nothing is looked for. */
const MAX_LOOKED_AT = 60;

/** Whether so many conversations wait that are to be learned from, as far as the newest tell. */
export function hasManyWaiting(context: OperationContext, many: number): boolean {
  const waiting = listWaiting(context, MAX_LOOKED_AT);
  return waiting.filter(({ isImported }) => context.config.extract.imports || !isImported).length >= many;
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
