import type { Store } from '../../model/provenance.ts';
import { parseDocument } from '../../workspace/markdown/document.ts';
import type { MarkdownDocument } from '../../workspace/markdown/types.ts';
import { isControlFile } from '../../workspace/formats/control-files.ts';
import { JOURNAL_SECTIONS } from '../../workspace/formats/journal.ts';
import { normalTitle } from '../../workspace/formats/sections.ts';
import { placeOf, type FileKind, type Layout, type Place } from '../../workspace/formats/layout.ts';
import type { DocumentKey, IndexedDocument, Passage } from '../passage.ts';
import { chunkBlocks, type SectionTypes } from './blocks.ts';
import type { ChunkContext, SourceFile } from './draft.ts';
import { chunkEntity } from './entity.ts';
import { chunkEpisodes } from './episodes.ts';
import { frameOf, type FileFrame } from './frame.ts';
import { scopeOfFile } from '../../workspace/formats/file-scope.ts';
import { chunkLiveLog } from './live.ts';
import { chunkTranscript, type ChunkedFile } from './transcript.ts';

/** Raised when the same file would give other passages than before: every index then reads its files again. */
export const CHUNK_FORMAT = 4;

/**
 * Files that are not searched, and why. All others are, whatever folder they are in.
 *
 * | file | reason |
 * |---|---|
 * | assets: what is not Markdown and no pattern of the layout claims | nothing to read |
 * | generated views (`memory/graph/index.md`, `memory/meta/pending-*.md`) | would be found beside what they show |
 * | proposals | not true until somebody says so |
 * | `mneme.yaml` | settings are no memories |
 * | logs and tables under `memory/meta/`, its `audit-archive.md` included | about memories, not memories |
 * | what the user rules about the memory (`memory/meta/ignore.md`, `feedback.md`) | names what is not to be told |
 * | attachments in `raw/` | referred to by their transcripts |
 */
const UNSEARCHED_KINDS: ReadonlySet<FileKind> = new Set(['asset', 'generated', 'proposal', 'config']);
const READABLE_NAME = /\.(?:md|markdown|txt)(?:\.gz)?$/iu;
const AUDIT_ARCHIVE = /(?:^|\/)audit-archive[^/]*$/iu;

/** Whether a path is one whose file is read at all. */
export function isSearched({ source, path }: DocumentKey, layout: Layout): boolean {
  if (source === 'live') return /^[^/]+\.jsonl$/u.test(path);
  if (source === 'raw') return /^conversations\/.+\.md(?:\.gz)?$/iu.test(path);
  const { kind } = placeOf(path, layout);
  if (UNSEARCHED_KINDS.has(kind) || isControlFile(path)) return false;
  // A vault and the meta folder take files of any sort.
  return (kind !== 'vault' && kind !== 'meta') || (READABLE_NAME.test(path) && !AUDIT_ARCHIVE.test(path));
}

/** The file as the index keeps it; undefined for what is not searched. Never fails, whatever the text is. */
export function chunkFile(file: SourceFile, context: ChunkContext): IndexedDocument | undefined {
  if (!isSearched(file, context.layout)) return undefined;
  const { source, path, hash } = file;
  if (source === 'live') {
    const place = { store: 'episodic', isArchived: false } as const;
    return { source, path, hash, ...place, entity: undefined, ...chunkLiveLog(file, context) };
  }
  const document = parseDocument(file.text.replace(/^\uFEFF+/u, ''));
  const place: Place = source === 'raw' ? transcriptPlace() : placeOf(path, context.layout);
  const chunked = chunkByKind(file, document, place, context);
  return { source, path, hash, store: place.store, isArchived: place.isArchived, entity: undefined, ...chunked };
}

function transcriptPlace(): Place {
  const store: Store = 'episodic';
  return { kind: 'transcript', store, scope: 'shared', isArchived: false };
}

function chunkByKind(
  file: SourceFile,
  document: MarkdownDocument,
  place: Place,
  context: ChunkContext,
): ChunkedFile & Partial<Pick<IndexedDocument, 'entity'>> {
  const { path } = file;
  const { kind } = place;
  const transcript = kind === 'transcript' ? chunkTranscript(file, document, context, place.scope) : undefined;
  if (transcript !== undefined) return transcript;
  const scope = scopeOfFile(place.scope, document);
  const input = { path, kind, scope, document, context };
  if (kind === 'entity') return place.isArchived ? { ...chunkEntity(input), entity: undefined } : chunkEntity(input);
  const frame = frameOf(input);
  const passages = kind === 'episode' ? chunkEpisodes(frame) : chunkNotes(frame);
  return { scope, title: frame.title, session: undefined, passages };
}

const PROCEDURE_TYPES: SectionTypes = new Map([
  ['trigger', 'trigger'],
  ['triggers', 'trigger'],
  ['when to use', 'trigger'],
  ['steps', 'step'],
  ['procedure', 'step'],
  ['tree', 'step'],
  ['decision tree', 'step'],
]);

const JOURNAL_TYPES: SectionTypes = new Map([
  ['decisions', 'decision'],
  ['decisions made today', 'decision'],
  ['errors', 'error'],
  ['errors and recoveries', 'error'],
]);

const SECTION_TYPES: Partial<Record<FileKind, SectionTypes>> = { procedure: PROCEDURE_TYPES, journal: JOURNAL_TYPES };

/** A line of the journal is not about its template's heading, nor about how its session began. */
const UNTOLD_SECTIONS: ReadonlySet<string> = new Set(Object.values(JOURNAL_SECTIONS).flat().map(normalTitle));

function chunkNotes(frame: FileFrame): Passage[] {
  return chunkBlocks(frame, frame.blocks, {
    type: frame.kind === 'memory' ? 'core' : 'note',
    sectionTypes: SECTION_TYPES[frame.kind],
    untoldSections: frame.kind === 'journal' ? UNTOLD_SECTIONS : undefined,
    trailHead: frame.trailHead,
    day: frame.day,
    timeMs: frame.timeMs,
  });
}
