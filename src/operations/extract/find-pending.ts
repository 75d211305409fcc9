import path from 'node:path';
import { nodeFileSystem } from '../../platform/fs.ts';
import { ProcessedTranscripts } from '../../extract/processed-transcripts.ts';
import { parseTranscript } from '../../workspace/formats/transcript.ts';
import { parseDocument } from '../../workspace/markdown/document.ts';
import { plainName, readPacked } from '../../workspace/packed.ts';
import type { OperationContext } from '../context.ts';
import { wishesOf } from '../session/fulfil-wishes.ts';
import { sessionsOf } from '../session/open-sessions.ts';

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
  const sessions = sessionsOf(context);
  const root = rawRoot(context);
  const pending = new Set<string>();
  for (const transcriptPath of withProcessed ? transcripts(context) : unprocessed(context)) {
    const text = readPacked(nodeFileSystem, path.join(root, transcriptPath))?.toString('utf8') ?? '';
    const { frontmatter, turns } = parseTranscript(parseDocument(text));
    const session = frontmatter.session_id;
    if (session === undefined || turns.length === 0 || sessions.isOpen(session)) continue;
    if (!withImports && frontmatter.source === 'import') continue;
    const lastTurn = (frontmatter.first_turn ?? 1) - 1 + turns.length;
    if (withProcessed || lastTurn > sessions.processedUpTo(session)) pending.add(session);
  }
  // A wish that failed is tried again, whatever was learned meanwhile.
  for (const session of wishesOf(context).listWaiting()) if (!sessions.isOpen(session)) pending.add(session);
  return [...pending];
}

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
  const sessions = sessionsOf(context);
  const root = rawRoot(context);
  const own = new Set<string>();
  const imported = new Set<string>();
  for (const transcriptPath of unprocessed(context)) {
    const head = readHead(path.join(root, transcriptPath));
    const session = /^session_id: *"?([^\s"]+)/mu.exec(head)?.[1];
    if (session === undefined || sessions.isOpen(session)) continue;
    (/^source: *import\b/mu.test(head) ? imported : own).add(session);
  }
  return { own: own.size, imported: imported.size };
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

/** Transcripts of which nobody noted that all was processed, in the order of their days. */
function unprocessed(context: OperationContext): string[] {
  const processed = processedTranscripts(context).read();
  return transcripts(context).filter((file) => !processed.has(file));
}

function transcripts(context: OperationContext): string[] {
  return nodeFileSystem
    .listFiles(path.join(rawRoot(context), 'conversations'))
    .map((file) => `conversations/${file.replaceAll(path.sep, '/')}`)
    .map(plainName)
    .filter((file) => file.endsWith('.md'))
    .sort();
}

function rawRoot(context: OperationContext): string {
  return context.workspace.paths.repositories.raw.workTree;
}

export function processedTranscripts(context: OperationContext): ProcessedTranscripts {
  return new ProcessedTranscripts(nodeFileSystem, context.workspace.paths.journal);
}
