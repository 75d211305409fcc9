import { isTrustedAtLeast } from '../../model/provenance.ts';
import type { EpisodeType } from '../../model/schemas/time.ts';
import { addDays } from '../../model/time.ts';
import type { Episode } from '../../memory/episodes/read-episodes.ts';
import { planJournal } from '../../memory/stores/journal.ts';
import type { StoreParts } from '../../memory/stores/plan.ts';
import type { Change } from '../../workspace/door/request.ts';
import { journalPath, parseJournal, type Journal } from '../../workspace/formats/journal.ts';
import { parseDocument } from '../../workspace/markdown/document.ts';
import { withCounts } from './roll-up.ts';

/** The name under which a journal keeps what no conversation's own diary tells. */
const OWN_POINTS = 'consolidation';
const TOPIC = 'Noted';
/** A day is for reading: what matters less stays in the episodes, where a question finds it. */
const MAX_POINTS = 20;
const MAX_POINT_CHARS = 240;

/** The days that have entries, or a journal that was not looked at yet. */
export function daysToCondense(
  found: { readonly episodes: Iterable<string>; readonly journals: Iterable<string> },
  doneUpTo: string | undefined,
  last: string,
): string[] {
  // A diary may have come late: the last day that was condensed is looked at again.
  const first = doneUpTo === undefined ? '' : addDays(doneUpTo, -1);
  return [...new Set([...found.episodes, ...found.journals])].filter((day) => day >= first && day <= last).sort();
}

/** A day's journal completed by what stands in its episodes alone, and by its counts. */
export function planDay(parts: StoreParts, date: string, entries: readonly Episode[]): Change {
  const path = journalPath('day', date);
  const edit = (current: string | undefined): string | undefined => {
    const known = current === undefined ? undefined : parseJournal(parseDocument(current), path);
    if (known === undefined && entries.length === 0) return undefined;
    const untold = entries.filter(({ meta }) => meta.session === undefined || !isTold(known, meta.session));
    const text = writePoints(parts, date, untold, current);
    return withCounts(text, countsOf(parseJournal(parseDocument(text), path), entries));
  };
  return { path, edit };
}

function isTold(journal: Journal | undefined, session: string): boolean {
  return journal?.sessions.includes(session) === true;
}

function writePoints(
  parts: StoreParts,
  date: string,
  entries: readonly Episode[],
  current: string | undefined,
): string {
  const byImportance = entries.toSorted((one, other) => other.meta.importance - one.meta.importance);
  const most = new Set(byImportance.slice(0, MAX_POINTS));
  const chosen = entries.filter((entry) => most.has(entry));
  const of = (...types: readonly EpisodeType[]): string[] =>
    chosen.filter(({ type }) => types.includes(type)).map(markedPoint);
  const plan = planJournal(parts, {
    date,
    session: OWN_POINTS,
    isSession: false,
    topic: TOPIC,
    points: of('fact', 'preference', 'event', 'emotion', 'correction', 'learning', 'interaction'),
    decisions: of('decision'),
    errors: of('error'),
    next: of('task'),
  });
  let text = current;
  for (const change of plan.changes) if ('edit' in change) text = change.edit(text);
  return text ?? '';
}

/** An imported entry does not become the agent's word by being told again. */
function markedPoint(entry: Episode): string {
  const { trust } = entry.meta;
  return isTrustedAtLeast(trust, 'agent') ? pointOf(entry) : `${pointOf(entry)} <!-- trust:${trust} -->`;
}

/** Its first paragraph, on one line. */
export function pointOf({ text }: Pick<Episode, 'text'>): string {
  const [first = ''] = text.split(/\n\s*\n/u);
  const line = first.replaceAll(/\s+/gu, ' ').trim();
  if (line.length <= MAX_POINT_CHARS) return line;
  return `${line.slice(0, line.lastIndexOf(' ', MAX_POINT_CHARS)).trimEnd()} …`;
}

function countsOf({ sessions, decisions, errors }: Journal, entries: readonly Episode[]): Record<string, number> {
  return {
    conversations: sessions.length,
    entries: entries.length,
    decisions: decisions.length,
    errors: errors.length,
  };
}
