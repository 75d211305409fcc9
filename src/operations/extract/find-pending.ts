import path from 'node:path';
import { nodeFileSystem } from '../../platform/fs.ts';
import { ProcessedTranscripts } from '../../extract/processed-transcripts.ts';
import { parseTranscript } from '../../workspace/formats/transcript.ts';
import { parseDocument } from '../../workspace/markdown/document.ts';
import type { OperationContext } from '../context.ts';
import { sessionsOf } from '../session/open-sessions.ts';

/** Sessions that have ended and hold turns nobody has processed, oldest first: what was said later may replace it. */
export function findPending(context: OperationContext): readonly string[] {
  const sessions = sessionsOf(context);
  const root = context.workspace.paths.repositories.raw.workTree;
  const processed = processedTranscripts(context).read();
  const pending = new Set<string>();
  const files = nodeFileSystem
    .listFiles(path.join(root, 'conversations'))
    .map((file) => file.replaceAll(path.sep, '/'));
  for (const file of files.filter((name) => name.endsWith('.md')).sort()) {
    const transcriptPath = `conversations/${file}`;
    if (processed.has(transcriptPath)) continue;
    const text = nodeFileSystem.read(path.join(root, transcriptPath))?.toString('utf8') ?? '';
    const { frontmatter, turns } = parseTranscript(parseDocument(text));
    const session = frontmatter.session_id;
    if (session === undefined || turns.length === 0 || sessions.isOpen(session)) continue;
    const lastTurn = (frontmatter.first_turn ?? 1) - 1 + turns.length;
    if (lastTurn > sessions.processedUpTo(session)) pending.add(session);
  }
  return [...pending];
}

export function processedTranscripts(context: OperationContext): ProcessedTranscripts {
  return new ProcessedTranscripts(nodeFileSystem, context.workspace.paths.journal);
}
