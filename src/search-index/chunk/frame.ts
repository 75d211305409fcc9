import type { Scope } from '../../model/provenance.ts';
import { textList } from '../../model/schemas/fields.ts';
import { headingText } from '../../workspace/markdown/blocks.ts';
import { itemIds } from '../../workspace/markdown/identity.ts';
import type { MarkdownDocument } from '../../workspace/markdown/document.ts';
import { itemDefaults, type ItemDefaults } from '../../workspace/formats/defaults.ts';
import { fileStem, type FileKind } from '../../workspace/formats/layout.ts';
import { locateBlocks, type LocatedBlock } from '../../workspace/formats/sections.ts';
import { PINNED_TAG } from '../passage.ts';
import { dateInWords, momentOf } from './dates.ts';
import type { ChunkContext } from './draft.ts';

/** A Markdown file with what holds for all of its items. */
export interface FileFrame {
  readonly path: string;
  readonly kind: FileKind;
  readonly scope: Scope;
  readonly document: MarkdownDocument;
  readonly blocks: readonly IdentifiedBlock[];
  readonly frontmatter: Readonly<Record<string, unknown>>;
  readonly defaults: ItemDefaults;
  readonly title: string;
  /** The first part of every trail; '' for a title that says no more than the date. */
  readonly trailHead: string;
  /** The day, week or month the file is about, in words; '' where it is about none. */
  readonly day: string;
  /** `2026-02-16`, `2026-W07`, `2026-02` or a timestamp; undefined when the file says nothing. */
  readonly date: string | undefined;
  readonly timeMs: number | undefined;
  readonly tags: readonly string[];
  readonly context: ChunkContext;
}

export interface IdentifiedBlock extends LocatedBlock {
  readonly id: string | undefined;
}

export interface FrameInput {
  readonly path: string;
  readonly kind: FileKind;
  readonly scope: Scope;
  readonly document: MarkdownDocument;
  readonly context: ChunkContext;
  /** The name in the file's format, such as an entity's name. */
  readonly name?: string | undefined;
}

export function frameOf({ path, kind, scope, document, context, name }: FrameInput): FileFrame {
  const frontmatter = document.frontmatter?.values ?? {};
  const ids = itemIds(path, document);
  const heading = document.blocks.find((block) => block.kind === 'heading' && block.level === 1);
  const stem = fileStem(path.replace(/\.gz$/iu, ''));
  const title =
    name ?? given(frontmatter['title']) ?? given(frontmatter['name']) ?? (heading && headingText(heading)) ?? stem;
  const day = calendarDate(frontmatter, stem);
  const date =
    day ?? ['updated', 'created', 'retrieved', 'learned'].map((key) => given(frontmatter[key])).find(isDefined);
  return {
    path,
    kind,
    scope,
    document,
    blocks: locateBlocks(document).map((located, index) => Object.assign(located, { id: ids[index] })),
    frontmatter,
    defaults: itemDefaults(kind, frontmatter),
    title: title === '' ? stem : title,
    trailHead: trailHead(title === '' ? stem : title, day),
    day: day === undefined ? '' : (dateInWords(day.slice(0, 10)) ?? ''),
    date,
    timeMs: momentOf(date, undefined, context.timeZone),
    tags: [
      ...(textList.safeParse(frontmatter['tags']).data ?? []),
      ...(frontmatter['pinned'] === true ? [PINNED_TAG] : []),
    ],
    context,
  };
}

function isDefined<T>(value: T | undefined): value is T {
  return value !== undefined;
}

function given(value: unknown): string | undefined {
  return (typeof value === 'string' && value.trim() !== '') || typeof value === 'number' ? String(value) : undefined;
}

/** The day, week or month a file is about, from its frontmatter or its name. */
function calendarDate(frontmatter: Readonly<Record<string, unknown>>, stem: string): string | undefined {
  const candidates = [
    given(frontmatter['date']),
    /(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)/u.exec(stem)?.[0],
    /^\d{4}-(?:W\d{2}|\d{2})$/u.exec(stem)?.[0],
  ];
  return candidates.find((date) => date !== undefined && dateInWords(date.slice(0, 10)) !== undefined);
}

/** Titles such as `2026-02-16 — what happened` say no more than the date does. */
function trailHead(title: string, date: string | undefined): string {
  if (date === undefined || !title.includes(date.slice(0, 10))) return title;
  return title
    .replace(date.slice(0, 10), '')
    .replace(/what happened(?: \(\d+\))?/iu, '')
    .replaceAll(/^[\s—–:,-]+|[\s—–:,-]+$/gu, '');
}
