import type { Store } from '../../model/provenance.ts';
import { parseEntity, type Entity } from '../../workspace/formats/entity.ts';
import { parseEpisodes, type EpisodeEntry } from '../../workspace/formats/episode.ts';
import type { Located } from '../../workspace/formats/item.ts';
import { visibleText } from '../../workspace/formats/metadata.ts';
import { type MarkdownDocument, parseDocument, serializeHead } from '../../workspace/markdown/document.ts';
import { derivedId } from '../../workspace/markdown/identity.ts';
import { countLines } from '../../workspace/markdown/lines.ts';
import { isControlFile } from '../../workspace/formats/control-files.ts';
import { JOURNAL_SECTIONS } from '../../workspace/formats/journal.ts';
import { normalTitle } from '../../workspace/formats/sections.ts';
import { type FileKind, type Layout, type Place, placeOf, scopeOfFile } from '../../workspace/formats/layout.ts';
import type { DocumentKey, IndexedDocument, IndexedEntity, Passage } from '../passage.ts';
import { type SectionTypes, chunkBlocks } from './blocks.ts';
import { dateInWords, momentOf } from './dates.ts';
import {
  type ChunkContext,
  type SourceFile,
  isForeign,
  learnedOf,
  oneLineOf,
  passagesOf,
  provenanceOf,
} from './draft.ts';
import { type FileFrame, type FrameInput, type IdentifiedBlock, frameOf } from './frame.ts';
import { type ChunkedFile, chunkLiveLog, chunkTranscript } from './turns.ts';

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

const ENTITY_TYPES: SectionTypes = new Map([
  ['summary', 'summary'],
  ['facts', 'fact'],
  ['timeline', 'event'],
  ['open questions', 'question'],
  ['goals and tasks', 'task'],
  ['goals', 'task'],
  ['tasks', 'task'],
  ['decisions', 'decision'],
  ['key decisions', 'decision'],
  ['relations', 'relation'],
]);

const MAX_PROPERTY_CHARS = 400;

function chunkEntity(input: FrameInput): ChunkedFile & { readonly entity: IndexedEntity } {
  const entity = parseEntity(input.document, input.path.replace(/\.gz$/iu, ''));
  const frame = frameOf({ ...input, name: entity.name });
  const about = [entity.id];
  const passages = chunkBlocks(frame, frame.blocks, {
    type: 'note',
    sectionTypes: ENTITY_TYPES,
    trailHead: entity.name,
    day: frame.day,
    timeMs: frame.timeMs,
    about,
  });
  return {
    scope: input.scope,
    title: entity.name,
    session: undefined,
    passages: [...chunkProperties(entity, frame), ...passages],
    entity: {
      id: entity.id,
      name: entity.name,
      type: entity.type,
      aliases: entity.frontmatter.aliases ?? [],
      edges: entity.relations
        .filter(({ isSuperseded }) => !isSuperseded)
        .map(({ relation, target }) => ({ relation, to: target })),
    },
  };
}

/** Properties stand in the frontmatter, but "when is her birthday?" asks for one like for any other fact. */
function chunkProperties(entity: Entity, frame: FileFrame): Passage[] {
  const stated = Object.entries(entity.frontmatter.properties ?? {});
  const text = stated.map(([name, value]) => `${name.replaceAll('_', ' ')}: ${valueText(value)}`).join('\n');
  if (text === '') return [];
  const draft = {
    id: entity.id,
    text,
    lead: entity.name,
    day: '',
    startLine: 1,
    endLine: Math.max(1, countLines(serializeHead(frame.document))),
    type: 'fact',
    timeMs: frame.timeMs,
    speaker: undefined,
    ...provenanceOf({}, frame.defaults, frame.tags),
    about: [entity.id],
  };
  return passagesOf(draft, frame.context);
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return oneLineOf(value.map(valueText).join(', '), MAX_PROPERTY_CHARS);
  const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
  return oneLineOf(text, MAX_PROPERTY_CHARS);
}

type Entry = EpisodeEntry & Located;

/** A day's entries, each one item however many paragraphs it has. */
function chunkEpisodes(frame: FileFrame): Passage[] {
  const file = parseEpisodes(frame.document);
  const date = file.date ?? frame.date;
  const passages: Passage[] = [];
  let at = 0;
  for (const entry of file.entries) {
    while ((frame.blocks[at]?.startLine ?? Infinity) < entry.startLine) at += 1;
    const from = at;
    while ((frame.blocks[at]?.endLine ?? Infinity) <= entry.endLine) at += 1;
    passages.push(...chunkEntry(entry, frame, frame.blocks.slice(from, at), date));
  }
  return passages;
}

function chunkEntry(
  entry: Entry,
  frame: FileFrame,
  blocks: readonly IdentifiedBlock[],
  date: string | undefined,
): Passage[] {
  const { context, defaults, scope, tags, timeMs } = frame;
  if (isForeign(entry.meta, scope)) return [];
  const day = (date === undefined ? undefined : dateInWords(date)) ?? frame.day;
  const lead = entry.title ?? '';
  const when =
    momentOf(entry.meta.time, undefined, context.timeZone) ?? momentOf(date, entry.time, context.timeZone) ?? timeMs;
  if (isLooseList(entry, blocks)) {
    const body = blocks.filter(({ block }) => block.kind !== 'heading');
    return chunkBlocks(frame, body, { type: entry.type, trailHead: lead, day, timeMs: when });
  }
  return passagesOf(
    {
      id: entryId(frame, blocks),
      text: visibleText(entry.text),
      lead,
      day,
      startLine: entry.startLine,
      endLine: entry.endLine,
      textLine: textLineOf(entry, blocks),
      type: isOver(entry) ? 'superseded' : entry.type,
      timeMs: when,
      ...learnedOf(entry.meta, context.timeZone),
      speaker: undefined,
      ...provenanceOf(entry.meta, defaults, tags),
    },
    context,
  );
}

function isOver({ meta }: Entry): boolean {
  return meta['superseded_by'] !== undefined || meta['until'] !== undefined;
}

/** Notes that nobody made into an entry, such as the bullets of another agent's day: each is a thought of its own. */
function isLooseList(entry: Entry, blocks: readonly IdentifiedBlock[]): boolean {
  if (entry.time !== undefined || Object.keys(entry.meta).length > 0) return false;
  return blocks.filter(({ block }) => block.kind === 'item').length > 1;
}

/** An entry's anchor stands at the end of its last block; without one that block's derived id serves. */
function entryId(frame: FileFrame, blocks: readonly IdentifiedBlock[]): string {
  const last = blocks.findLast(({ id }) => id !== undefined)?.id;
  const first = blocks[0]?.block;
  return last ?? (first === undefined ? frame.path : derivedId(frame.path, first, 0));
}

function textLineOf(entry: Entry, blocks: readonly IdentifiedBlock[]): number {
  const content = blocks.find(({ block, startLine }) => {
    const isHead = block.kind === 'blank' || block.kind === 'html' || startLine === entry.startLine;
    return !isHead || block.kind === 'paragraph';
  });
  return content?.startLine ?? entry.startLine;
}
