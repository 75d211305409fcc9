import type { JournalPeriod } from '../../model/schemas/time.ts';
import { planJournal, type SessionDay } from '../../memory/stores/journal.ts';
import type { StoreParts } from '../../memory/stores/plan.ts';
import type { Change } from '../../workspace/door/request.ts';
import { itemText } from '../../workspace/formats/item.ts';
import { JOURNAL_SECTIONS, type Journal, journalPath } from '../../workspace/formats/journal.ts';
import { appendInOrder, findSection, normalTitle, sectionsOf } from '../../workspace/formats/sections.ts';
import { type MarkdownDocument, parseDocument, serializeDocument } from '../../workspace/markdown/document.ts';
import { replaceBlock } from '../../workspace/markdown/edit.ts';

/** The number of topics in a longer period, and the size of each. */
const LIMITS: Readonly<
  Record<'week' | 'month', { readonly topics: number; readonly points: number; readonly list: number }>
> = {
  week: { topics: 12, points: 4, list: 20 },
  month: { topics: 15, points: 3, list: 30 },
};

/** A week or month told from its days: what recurred first, decisions and errors whole, what was open at its end. */
export function planRollUp(
  parts: StoreParts,
  period: Exclude<JournalPeriod, 'day'>,
  date: string,
  days: readonly Journal[],
): Change {
  const path = journalPath(period, date);
  const edit = (current: string | undefined): string | undefined => {
    if (days.length === 0) return current;
    let text = current;
    for (const told of tell(period, days)) {
      const { changes } = planJournal(parts, { ...told, period, date, isSession: false });
      for (const change of changes) if ('edit' in change) text = change.edit(text);
    }
    return withCounts(text ?? '', sumCounts(days));
  };
  return { path, edit };
}

type Told = Omit<SessionDay, 'period' | 'date' | 'isSession'>;

function tell(period: 'week' | 'month', days: readonly Journal[]): Told[] {
  const limits = LIMITS[period];
  const topics = mergeTopics(days)
    .toSorted((one, other) => other.days - one.days || other.points.length - one.points.length)
    .slice(0, limits.topics)
    .map(({ name, points }): Told => ({
      session: `topic ${normalTitle(name)}`,
      topic: name,
      points: points.slice(0, limits.points),
    }));
  const newest = days.findLast(({ next }) => next.length > 0);
  const lists: Told = {
    session: 'lists',
    topic: 'General',
    points: [],
    decisions: unique(days.flatMap(({ decisions }) => decisions)).slice(-limits.list),
    errors: unique(days.flatMap(({ errors }) => errors)).slice(-limits.list),
    next: newest?.next ?? [],
  };
  return [...topics, lists];
}

interface MergedTopic {
  readonly name: string;
  readonly points: readonly string[];
  readonly days: number;
}

function mergeTopics(days: readonly Journal[]): MergedTopic[] {
  const merged = new Map<string, MergedTopic>();
  for (const { topics } of days) {
    for (const { name, points } of topics) {
      const known = merged.get(normalTitle(name));
      const all = unique([...(known?.points ?? []), ...points]);
      merged.set(normalTitle(name), { name: known?.name ?? name, points: all, days: (known?.days ?? 0) + 1 });
    }
  }
  return [...merged.values()];
}

function unique(lines: readonly string[]): string[] {
  const seen = new Map(
    lines.map((line) => [
      line
        .toLowerCase()
        .replaceAll(/[\s.]+/gu, ' ')
        .trim(),
      line,
    ]),
  );
  return [...seen.values()];
}

function sumCounts(days: readonly Journal[]): Record<string, number> {
  const sums: Record<string, number> = { days: days.length };
  for (const { counts } of days) {
    for (const [name, count] of Object.entries(counts))
      sums[name] = (Object.hasOwn(sums, name) ? (sums[name] ?? 0) : 0) + count;
  }
  return sums;
}

const ORDER: readonly string[] = Object.values(JOURNAL_SECTIONS).map(([name]) => name);

/** A journal with these counts in it. Lines of the same name follow; a person's own lines stay. */
export function withCounts(text: string, counts: Readonly<Record<string, number>>): string {
  let document = parseDocument(text);
  for (const [name, count] of Object.entries(counts)) document = setCount(document, name, count);
  return serializeDocument(document);
}

function setCount(document: MarkdownDocument, name: string, count: number): MarkdownDocument {
  const line = `- ${name}: ${count}`;
  const [title, ...others] = JOURNAL_SECTIONS.counts;
  const section = findSection(sectionsOf(document), title, ...others);
  const start = (section?.heading ?? -1) + 1;
  const end = start + (section?.blocks.length ?? 0);
  const at = document.blocks.findIndex(
    (block, index) =>
      index >= start && index < end && block.kind === 'item' && itemText(block).toLowerCase().startsWith(`${name}:`),
  );
  const known = document.blocks[at];
  if (known !== undefined) return itemText(known) === line.slice(2) ? document : replaceBlock(document, at, line);
  return count === 0 ? document : appendInOrder(document, title, ORDER, line, others);
}
