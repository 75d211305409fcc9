import path from 'node:path';
import { nodeFileSystem } from '../../platform/fs.ts';
import { parseTranscript } from '../../workspace/formats/transcript.ts';
import { parseDocument } from '../../workspace/markdown/document.ts';
import { readPacked } from '../../workspace/packed.ts';
import type { OperationContext } from '../context.ts';
import { wishesOf } from '../session/fulfil-wishes.ts';
import { rawRoot, transcripts, unprocessed } from './waiting.ts';

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
