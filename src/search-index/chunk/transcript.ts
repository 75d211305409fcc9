import type { Scope } from '../../model/provenance.ts';
import type { MarkdownDocument } from '../../workspace/markdown/types.ts';
import { fileStem } from '../../workspace/formats/layout.ts';
import { parseTranscript, type Transcript } from '../../workspace/formats/transcript.ts';
import type { IndexedDocument } from '../passage.ts';
import { knownZone } from './dates.ts';
import type { ChunkContext, SourceFile } from './draft.ts';
import { scopeOfFile } from '../../workspace/formats/file-scope.ts';
import { chunkTurns } from './turns.ts';

export type ChunkedFile = Pick<IndexedDocument, 'scope' | 'title' | 'session' | 'passages'>;

/** A finished session; undefined when nothing in the file can be read as a turn. */
export function chunkTranscript(
  file: SourceFile,
  document: MarkdownDocument,
  context: ChunkContext,
  folderScope: Scope,
): ChunkedFile | undefined {
  const { frontmatter, title, turns } = parseTranscript(document);
  if (turns.length === 0) return undefined;
  const session = sessionOf(frontmatter, file.path);
  const passages = chunkTurns(
    // An empty line stands between a turn's heading and its words.
    turns.map((turn) => Object.assign(turn, { textLine: Math.min(turn.startLine + 2, turn.endLine) })),
    {
      session,
      timeZone: knownZone(frontmatter.timezone) ?? 'UTC',
      trust: frontmatter.trust,
      tags: frontmatter.tags ?? [],
      context,
    },
  );
  return {
    scope: scopeOfFile(folderScope, document),
    title: frontmatter.topic ?? title ?? session,
    session,
    passages,
  };
}

/** The session's id, or what the file's name says of it: `1845-ses_a1b2c3d4-slug.part2.md`. */
function sessionOf(frontmatter: Transcript['frontmatter'], path: string): string {
  if (frontmatter.session_id !== undefined) return frontmatter.session_id;
  const stem = fileStem(path.replace(/\.gz$/iu, '')).replace(/\.part\d+$/u, '');
  return /^\d{4}-(ses_[A-Za-z0-9]+)/u.exec(stem)?.[1] ?? stem;
}
