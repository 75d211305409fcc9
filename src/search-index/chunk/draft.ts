import type { Scope } from '../../model/provenance.ts';
import { confidenceValue } from '../../model/schemas/fields.ts';
import type { FactMetadata, ItemMetadata } from '../../model/schemas/item.ts';
import { resolveMetadata, type ItemDefaults } from '../../workspace/formats/defaults.ts';
import type { Layout } from '../../workspace/formats/layout.ts';
import { PINNED_TAG, type DocumentKey, type Passage } from '../passage.ts';
import { momentOf } from './dates.ts';
import { splitText } from './split.ts';

/** The input of the index: a file's text (unpacked, if it was compressed) and the hash of its source. */
export interface SourceFile extends DocumentKey {
  readonly text: string;
  readonly hash: string;
}

/** The inputs that determine a file's passages beside its text. */
export interface ChunkContext {
  readonly layout: Layout;
  readonly chunking: {
    readonly max_tokens: number;
    readonly overlap_tokens: number;
    readonly respect_headings: boolean;
  };
  /** The home's zone: what the dates and hours in its files mean. */
  readonly timeZone: string;
}

/**
 * As long as a long paragraph, which is what an embedding model tells well from another; a fifth is repeated from the piece
 * before, so that no sentence loses its context. Other values make every home's index anew.
 */
export const CHUNKING: ChunkContext['chunking'] = { max_tokens: 400, overlap_tokens: 80, respect_headings: true };

/** An item before it is cut to length. */
export interface Draft extends Omit<Passage, 'entities'> {
  /** The line on which the text begins, where that is not the item's first. */
  readonly textLine?: number | undefined;
  /** The file's line for each line of a text from which lines between were left out. */
  readonly lines?: readonly number[] | undefined;
  /** Entities it is about whatever its text says; links in the text are added. */
  readonly about?: readonly string[] | undefined;
}

const CHARS_PER_TOKEN = 4;
/** A trail longer than this would outweigh what stands below it. */
const MAX_LEAD_CHARS = 240;

export function passagesOf(draft: Draft, { chunking }: Pick<ChunkContext, 'chunking'>): Passage[] {
  const { textLine, lines, about = [], ...item } = draft;
  const firstLine = textLine ?? item.startLine;
  const fileLine = (line: number): number => Math.min(lines?.[line] ?? firstLine + line, item.endLine);
  const pieces = splitText(plainText(item.text), {
    maxChars: chunking.max_tokens * CHARS_PER_TOKEN,
    overlapChars: chunking.overlap_tokens * CHARS_PER_TOKEN,
    keepsParagraphs: chunking.respect_headings,
  });
  const lead = clip(plainText(item.lead), MAX_LEAD_CHARS);
  const isWhole = pieces.length === 1;
  const passages: Passage[] = [];
  for (const { text, linesBefore, linesWithin } of pieces) {
    const startLine = isWhole ? item.startLine : fileLine(linesBefore);
    const endLine = isWhole ? item.endLine : fileLine(linesBefore + linesWithin);
    const entities = [...new Set([...about, ...linksIn(text)])];
    passages.push({ ...item, lead, text, startLine, endLine, entities });
  }
  return passages;
}

/** Where an item comes from and how much it counts, after the file's defaults. */
export function provenanceOf(
  meta: ItemMetadata,
  defaults: ItemDefaults,
  fileTags: readonly string[],
): Pick<Passage, 'source' | 'trust' | 'importance' | 'confidence' | 'session' | 'turn' | 'tags'> {
  const { source, trust, importance, confidence, session, turn, tags = [], pinned } = resolveMetadata(meta, defaults);
  return {
    source,
    trust,
    importance,
    confidence: confidence === undefined ? undefined : confidenceValue(confidence),
    session,
    turn,
    tags: [...new Set([...tags, ...fileTags, ...(pinned === true ? [PINNED_TAG] : [])])],
  };
}

/** When an item came to be known, or was last confirmed: what was said long ago may have been learned today. */
export function learnedOf(
  meta: Pick<FactMetadata, 'learned' | 'last_verified'>,
  timeZone: string,
): Pick<Passage, 'learnedMs'> {
  const days = [meta.learned, meta.last_verified].map((date) => momentOf(date, undefined, timeZone));
  const known = days.filter((timeMs) => timeMs !== undefined);
  return known.length === 0 ? {} : { learnedMs: Math.max(...known) };
}

/** Documents belong to one scope; an item that says it belongs to another must not be found in this one. */
export function isForeign(meta: ItemMetadata, scope: Scope): boolean {
  return meta.scope !== undefined && meta.scope !== scope;
}

/** Tab and line feed are text. */
const CONTROL_CHARACTERS = /[^\P{Cc}\t\n]/gu;

/** The text with LF line ends, and without characters that no reader sees and no store needs to survive. */
function plainText(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(CONTROL_CHARACTERS, ' ').toWellFormed().trim();
}

/** The first line end or so many characters, whichever comes first, as one line. */
export function oneLineOf(text: string, maxChars: number): string {
  return clip(
    text
      .slice(0, maxChars * 2)
      .replaceAll(/\s+/gu, ' ')
      .trim(),
    maxChars,
  );
}

export function clip(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  return `${text
    .slice(0, maxChars - 1)
    .toWellFormed()
    .trimEnd()}…`;
}

/** An embedded file (`![[plan.png]]`) is not an entity. */
const WIKI_LINK = /(?<!!)\[\[([^[\]|#\n]{1,200})(?:[#|][^[\]\n]{0,200})?\]\]/gu;

function linksIn(text: string): string[] {
  const targets = [...text.matchAll(WIKI_LINK)].map((link) => link[1] ?? '');
  // A link may name a path or a file; what counts is the entity's id.
  return targets.map((target) => target.trim().replace(/^.*\//u, '').replace(/\.md$/iu, '')).filter((id) => id !== '');
}
