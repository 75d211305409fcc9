import { isTrustedAtLeast, TRUST_LEVELS, type Trust } from '../../model/provenance.ts';
import { readFrontmatter } from '../../model/schemas/index.ts';
import type { JournalFrontmatter, JournalPeriod } from '../../model/schemas/time.ts';
import type { MarkdownDocument } from '../markdown/document.ts';
import { renderFrontmatter } from '../markdown/frontmatter.ts';
import { headingText } from '../markdown/blocks.ts';
import { itemText } from './item.ts';
import { renderComment, splitTrailingMetadata, visibleText } from './metadata.ts';
import { fileStem } from './layout.ts';
import { findSection, itemTree, normalTitle, sectionsOf, type LocatedBlock, type Section } from './sections.ts';
import { oneLine } from '../../model/text.ts';

/** A period condensed: what happened by topic, what was decided, what went wrong, what comes next. */
export interface Journal {
  readonly period: JournalPeriod;
  /** `2026-02-16`, `2026-W07` or `2026-02`. */
  readonly date: string;
  readonly sessions: readonly string[];
  /** When it was last written to, for a day that was written down late. */
  readonly updated?: string | undefined;
  readonly topics: readonly { readonly name: string; readonly points: readonly string[] }[];
  readonly decisions: readonly string[];
  readonly errors: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
  readonly next: readonly string[];
}

/** Names of a journal's lists: our name first, then those that others use. */
export const JOURNAL_SECTIONS = {
  topics: ['What Happened'],
  decisions: ['Decisions', 'Decisions Made Today'],
  errors: ['Errors and Recoveries', 'Errors'],
  counts: ['Counts', 'Summary'],
  next: ['Context for Tomorrow', 'Notes for Tomorrow', 'Context for the Next Week', 'Context for the Next Month'],
} as const;

const NEXT_TITLES: Readonly<Record<JournalPeriod, string>> = {
  day: 'Context for Tomorrow',
  week: 'Context for the Next Week',
  month: 'Context for the Next Month',
};

export function journalPath(period: JournalPeriod, date: string): string {
  const folder = { day: '', week: 'weekly/', month: 'monthly/' }[period];
  return `memory/journal/${folder}${date}.md`;
}

export function parseJournal(document: MarkdownDocument, path: string): Journal {
  const frontmatter: Partial<JournalFrontmatter> = readFrontmatter('journal', document.frontmatter?.values);
  const sections = sectionsOf(document);
  const points = (names: readonly string[]): string[] => pointsOf(findSection(sections, ...names)?.blocks ?? []);
  const date = frontmatter.date ?? fileStem(path);
  const { topics: _topics, ...lists } = JOURNAL_SECTIONS;
  const named = new Set(Object.values(lists).flat().map(normalTitle));
  return {
    period: frontmatter.period ?? periodOf(date),
    date,
    sessions: frontmatter.sessions ?? [],
    topics: sections.filter((section) => !named.has(normalTitle(section.title))).flatMap(topicsOf),
    decisions: points(JOURNAL_SECTIONS.decisions),
    errors: points(JOURNAL_SECTIONS.errors),
    counts: countsOf(points(JOURNAL_SECTIONS.counts)),
    next: points(JOURNAL_SECTIONS.next),
  };
}

function periodOf(date: string): JournalPeriod {
  if (/^\d{4}-W\d{2}$/u.test(date)) return 'week';
  return /^\d{4}-\d{2}$/u.test(date) ? 'month' : 'day';
}

/** The level-three groups of a section; points above the first group belong to the section itself. */
function topicsOf(section: Section): Journal['topics'] {
  const groups: { name: string; blocks: LocatedBlock[] }[] = [{ name: section.title, blocks: [] }];
  for (const located of section.blocks) {
    if (located.block.kind === 'heading') groups.push({ name: headingText(located.block), blocks: [] });
    else groups.at(-1)?.blocks.push(located);
  }
  return groups
    .map(({ name, blocks }) => ({ name, points: pointsOf(blocks) }))
    .filter(({ points }) => points.length > 0);
}

function pointsOf(blocks: readonly LocatedBlock[]): string[] {
  return itemTree(blocks).map((node) => markedPoint(itemText(node.block)));
}

/** Reads the trust that a point states, where that is less than usual. */
export function pointTrust(point: string): Trust | undefined {
  const trust = splitTrailingMetadata(point).fields?.get('trust');
  return TRUST_LEVELS.find((level) => level === trust);
}

/** The visible text; with its source, where that is neither the agent nor the user. */
function markedPoint(raw: string): string {
  const trust = pointTrust(raw);
  const visible = visibleText(raw).trim();
  if (trust === undefined || isTrustedAtLeast(trust, 'agent')) return visible;
  return `${visible} ${renderComment([['trust', trust]])}`;
}

function countsOf(points: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const point of points) {
    const match = /^\**([^:*]{1,60}?)\**\s*:\**\s*(\d+(?:\.\d+)?)\b/u.exec(point);
    if (match?.[1] !== undefined) counts[match[1].toLowerCase()] = Number(match[2]);
  }
  return counts;
}

export function renderJournal(journal: Journal): string {
  const { period, date, sessions, updated } = journal;
  const frontmatter = {
    type: 'journal',
    ...(period === 'day' ? {} : { period }),
    date,
    sessions,
    ...(updated === undefined ? {} : { updated }),
  };
  const list = (title: string, points: readonly string[]): string[] =>
    points.length === 0 ? [] : [`## ${title}`, bullets(points)];
  const counts = Object.entries(journal.counts).map(([name, count]) => `${name}: ${count}`);
  const parts = [
    `${renderFrontmatter(frontmatter)}\n# ${date}`,
    ...(journal.topics.length === 0 ? [] : [`## ${JOURNAL_SECTIONS.topics[0]}`]),
    ...journal.topics.flatMap(({ name, points }) => [`### ${oneLine(name)}`, bullets(points)]),
    ...list(JOURNAL_SECTIONS.decisions[0], journal.decisions),
    ...list(JOURNAL_SECTIONS.errors[0], journal.errors),
    ...list(JOURNAL_SECTIONS.counts[0], counts),
    ...list(NEXT_TITLES[period], journal.next),
  ];
  return `${parts.join('\n\n')}\n`;
}

function bullets(points: readonly string[]): string {
  return points.map((point) => `- ${oneLine(point)}`).join('\n');
}
