import { factMetadataSchema } from '../../model/schemas/item.ts';
import { blockText, headingText } from '../../workspace/markdown/blocks.ts';
import { derivedId } from '../../workspace/markdown/identity.ts';
import { parseFact } from '../../workspace/formats/entity-items.ts';
import { visibleText } from '../../workspace/formats/metadata.ts';
import { normalTitle } from '../../workspace/formats/sections.ts';
import { dayInWords, momentOf } from './dates.ts';
import { dueWords, isStanding, untilWords } from './due.ts';
import { isForeign, learnedOf, oneLineOf, passagesOf, provenanceOf, type Draft } from './draft.ts';
import type { FileFrame, IdentifiedBlock } from './frame.ts';
import type { Passage } from '../passage.ts';

/** The types of the items below a heading, by the heading's words in lower case. */
export type SectionTypes = ReadonlyMap<string, string>;

export interface BlockDefaults {
  /** The type of items whose section has none of its own. */
  readonly type: string;
  readonly sectionTypes?: SectionTypes | undefined;
  /** Titles of sections, in lower case, that say nothing about their items; nor do headings below them that are sentences. */
  readonly untoldSections?: ReadonlySet<string> | undefined;
  /** The beginning of every trail. */
  readonly trailHead: string;
  /** The day in words of items that have none of their own. */
  readonly day: string;
  readonly timeMs: number | undefined;
  readonly about?: readonly string[] | undefined;
}

/** Parsing metadata out of a block of this length would cost more than all the rest; no person wrote it by hand. */
const MAX_ITEM_CHARS = 256 * 1024;
const MAX_PARENT_CHARS = 100;
/** A heading of more words is no name. */
const MAX_NAME_WORDS = 3;
const DATE_AT_START = /^\**\[?(\d{4}(?:-\d{2}){0,2})\]?\**(?:\s*[:—–]\s*|\s+)/u;

/** One passage or more for every item, paragraph, table and fence; headings and parent items stand in the lead. */
export function chunkBlocks(frame: FileFrame, blocks: readonly IdentifiedBlock[], defaults: BlockDefaults): Passage[] {
  const walk = new BlockWalk(frame, defaults);
  for (const block of blocks) walk.visit(block);
  return walk.drafts.flatMap((draft) => passagesOf(draft, frame.context));
}

interface Level {
  readonly level: number;
  readonly words: string;
}

/** An item that deeper ones may follow; what it is dated holds for them. */
interface ParentItem extends Level {
  readonly date: string | undefined;
}

interface ReadBlock {
  readonly text: string;
  readonly isSuperseded: boolean;
  readonly meta: ReturnType<typeof parseFact>['meta'];
}

class BlockWalk {
  readonly drafts: Draft[] = [];
  readonly #frame: FileFrame;
  readonly #defaults: BlockDefaults;
  #headings: Level[] = [];
  #parents: ParentItem[] = [];
  #unnamed = 0;
  /** Whether the last draft is code or a table, whose anchor stands in a line of its own behind it. */
  #awaitsAnchor = false;

  constructor(frame: FileFrame, defaults: BlockDefaults) {
    this.#frame = frame;
    this.#defaults = defaults;
  }

  visit(located: IdentifiedBlock): void {
    const { block } = located;
    switch (block.kind) {
      case 'blank':
      case 'rule':
        return;
      case 'heading':
        this.#headings = [...above(this.#headings, block.level), { level: block.level, words: headingText(block) }];
        this.#parents = [];
        this.#awaitsAnchor = false;
        return;
      default:
        this.#visitContent(located);
    }
  }

  #visitContent(located: IdentifiedBlock): void {
    const { block } = located;
    const isItem = block.kind === 'item';
    const read = readBlock(located);
    const text = read.text.trim();
    this.#parents = isItem ? above(this.#parents, block.level) : [];
    const date = this.#ownDate(text, read.meta) ?? this.#parents.at(-1)?.date;
    if (text === '' && block.id !== undefined && this.#awaitsAnchor) this.#anchorLast(block.id);
    else if (text !== '' && !isForeign(read.meta, this.#frame.scope)) this.#add(located, { ...read, text }, date);
    this.#awaitsAnchor = text !== '' && (block.kind === 'fence' || block.kind === 'table');
    if (isItem) this.#parents.push({ level: block.level, words: oneLineOf(text, MAX_PARENT_CHARS), date });
  }

  /** When it happened, or else when it was learned: the first date that can be understood. */
  #ownDate(text: string, meta: ReadBlock['meta']): string | undefined {
    const { timeZone } = this.#frame.context;
    const dates = [meta.time, DATE_AT_START.exec(text)?.[1], meta.learned, meta.from];
    return dates.find((date) => momentOf(date, undefined, timeZone) !== undefined);
  }

  #add(located: IdentifiedBlock, { text, meta, isSuperseded }: ReadBlock, date: string | undefined): void {
    const { block, startLine, endLine } = located;
    const { context, defaults, tags, path } = this.#frame;
    this.drafts.push({
      // HTML has no id of its own; like an item's it comes from its words.
      id: located.id ?? derivedId(path, block, (this.#unnamed += 1)),
      text,
      lead: this.#trail(),
      day: date === undefined ? this.#defaults.day : dayInWords(date, context.timeZone),
      startLine,
      endLine,
      textLine: block.kind === 'fence' ? Math.min(startLine + 1, endLine) : startLine,
      type: isSuperseded ? 'superseded' : this.#typeHere(),
      timeMs: momentOf(date, undefined, context.timeZone) ?? this.#defaults.timeMs,
      ...learnedOf(this.#frame.kind === 'journal' ? writtenOf(this.#frame) : meta, context.timeZone),
      ...(isStanding(this.#frame, this.#headings.at(-1)?.words ?? '', { text, meta }) ? { isStanding: true } : {}),
      speaker: undefined,
      ...provenanceOf(meta, defaults, tags),
      about: this.#defaults.about,
    });
  }

  #anchorLast(id: string): void {
    const last = this.drafts.at(-1);
    if (last !== undefined) this.drafts[this.drafts.length - 1] = { ...last, id };
  }

  #trail(): string {
    const { trailHead, untoldSections } = this.#defaults;
    const untold = this.#headings.findIndex(({ words }) => untoldSections?.has(normalTitle(words)) === true);
    const headings = this.#headings.filter(
      ({ words }, at) => untold === -1 || at < untold || (at > untold && words.split(/\s+/u).length <= MAX_NAME_WORDS),
    );
    const parts = [...headings, ...this.#parents].map(({ words }) => words).filter((words) => words !== '');
    const title = this.#frame.title.toLowerCase();
    // The title is in the trail's head already.
    if (parts[0]?.toLowerCase() === title) parts.shift();
    return [trailHead, ...parts].filter((part) => part !== '').join(' › ');
  }

  #typeHere(): string {
    const { sectionTypes, type } = this.#defaults;
    const named = this.#headings.map(({ words }) => sectionTypes?.get(normalTitle(words)));
    return named.findLast((found) => found !== undefined) ?? type;
  }
}

/** A day of the journal is one memory: when it was last written to is when it was learned. */
function writtenOf({ frontmatter }: FileFrame): { readonly learned: string | undefined } {
  const { updated } = frontmatter;
  return { learned: typeof updated === 'string' ? updated : undefined };
}

function above<T extends Level>(levels: readonly T[], level: number): T[] {
  return levels.filter((one) => one.level < level);
}

function readBlock(located: IdentifiedBlock): ReadBlock {
  const { block } = located;
  const plain = (text: string): ReadBlock => ({ text, meta: factMetadataSchema.parse({}), isSuperseded: false });
  if (block.kind === 'fence') return plain(codeOf(block.raw));
  if (block.kind === 'html') return plain(visibleText(block.raw));
  if (block.kind === 'table' || block.raw.length > MAX_ITEM_CHARS) return plain(visibleText(blockText(block)));
  const { text, meta, isSuperseded } = parseFact(located);
  const isOver = isSuperseded || meta.superseded_by !== undefined || /^(?:superseded|reversed)$/u.test(statusOf(meta));
  const visible = visibleText(isSuperseded ? text : blockText(block)).trim();
  return { text: visible + hiddenDates(meta, isOver), meta, isSuperseded: isOver };
}

function statusOf(meta: ReadBlock['meta']): string {
  return typeof meta['status'] === 'string' ? meta['status'] : '';
}

/** Dates that only the metadata says, and that the item means little without. */
function hiddenDates(meta: ReadBlock['meta'], isOver: boolean): string {
  return dueWords(meta['due']) + untilWords(isOver ? meta.until : undefined);
}

/** The code without the lines that only mark it as code. */
function codeOf(raw: string): string {
  const lines = raw.trimEnd().split('\n');
  const marker = /^ {0,3}(`{3,}|~{3,})/u.exec(lines[0] ?? '')?.[1];
  const isClosed = marker !== undefined && lines.length > 1 && (lines.at(-1) ?? '').trim().startsWith(marker);
  return lines.slice(1, isClosed ? -1 : undefined).join('\n');
}
