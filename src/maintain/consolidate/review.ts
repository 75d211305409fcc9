import type { Contradiction } from '../../memory/graph/contradictions.ts';
import { addDays } from '../../model/time.ts';
import { type Proposal } from '../../proposals/proposal.ts';
import { isOpen } from '../../proposals/state.ts';
import type { LookedAt } from '../reflect/survey.ts';

export const REVIEWED_TYPES: ReadonlySet<string> = new Set(['project', 'person']);

/** After this long without a change something may be over; people are met less often than projects are worked on. */
const STALE_DAYS: Readonly<Record<string, number>> = { project: 90, person: 365 };

export interface Review {
  readonly path: string;
  readonly id: string;
  readonly name: string;
  readonly findings: readonly string[];
}

/** Finds points to review in the file of a project or person; entities without a finding are left out. */
export function reviewEntities(
  entities: readonly LookedAt[],
  contradictions: readonly Contradiction[],
  today: string,
): Review[] {
  return entities
    .map((looked) => ({
      path: looked.record.path,
      id: looked.record.id,
      name: looked.record.name,
      findings: [
        ...findStale(looked, today),
        ...findEmpty(looked),
        ...findOverdue(looked, today),
        ...findDoubtful(looked),
        ...contradictions
          .filter(({ path }) => path === looked.record.path)
          .map(({ message }) => `contradicts itself: ${message}`),
      ],
    }))
    .filter(({ findings }) => findings.length > 0)
    .toSorted((one, other) => one.path.localeCompare(other.path));
}

function findStale({ record }: LookedAt, today: string): string[] {
  const days = STALE_DAYS[record.type];
  const changed = (record.updated ?? record.created)?.slice(0, 10);
  const isOver = record.status !== undefined && record.status !== 'active';
  if (days === undefined || changed === undefined || isOver || changed >= addDays(today, -days)) return [];
  return [`nothing has changed since ${changed}; is it still current?`];
}

function findEmpty({ entity }: LookedAt): string[] {
  const { facts, decisions, tasks, relations, summary } = entity;
  const isEmpty = facts.length + decisions.length + tasks.length + relations.length === 0 && summary === '';
  return isEmpty ? ['nothing is known'] : [];
}

function findOverdue({ entity }: LookedAt, today: string): string[] {
  return entity.tasks
    .filter(
      ({ status, meta }) => status !== 'done' && status !== 'dropped' && meta.due !== undefined && meta.due < today,
    )
    .map(({ text, meta }) => `was due ${meta.due}: ${text}`);
}

/** S1 §10.1: what is hardly believed is looked at once a month. */
const DOUBTFUL = 0.3;

function findDoubtful({ entity }: LookedAt): string[] {
  return entity.facts
    .filter(
      ({ isSuperseded, meta }) =>
        !isSuperseded &&
        (meta.confidence === 'low' || (typeof meta.confidence === 'number' && meta.confidence < DOUBTFUL)),
    )
    .map(({ text, id }) => `hardly certain: ${text}${id === undefined ? '' : ` (^${id})`}`);
}

export function reviewPath(month: string): string {
  return `memory/meta/reviews/${month}.md`;
}

export function renderReview(month: string, looked: number, reviews: readonly Review[]): string {
  const head = [`# Review — ${month}`, '', '<!-- Made by mneme; it is written anew with the month. -->', ''];
  const counts = `Projects and people looked at: ${looked}, with something to look at: ${reviews.length}.`;
  const parts = reviews.flatMap(({ id, findings }) => [
    '',
    `## [[${id}]]`,
    '',
    ...findings.map((finding) => `- ${finding}`),
  ]);
  return `${[...head, counts, ...parts].join('\n')}\n`;
}

interface WeekFigures {
  /** `2026-W07` */
  readonly week: string;
  /** Each day with its entries and conversations. */
  readonly days: readonly { readonly date: string; readonly entries: number; readonly conversations: number }[];
  readonly core: { readonly tokens: number; readonly maxTokens: number };
  /** As the report of the week before has it. */
  readonly coreBefore: number | undefined;
  readonly proposals: readonly Proposal[];
}

export function reportPath(week: string): string {
  return `memory/meta/reports/${week}.md`;
}

const CORE_LINE = /^- core memory: (\d+) of /mu;

/** The size of core memory when a report was written. */
export function coreTokensIn(report: string): number | undefined {
  const tokens = CORE_LINE.exec(report)?.[1];
  return tokens === undefined ? undefined : Number(tokens);
}

/** A week in figures: whether capturing works, whether core memory grows, which changes needed a person. */
export function renderWeekReport({ week, days, core, coreBefore, proposals }: WeekFigures): string {
  const entries = days.reduce((sum, day) => sum + day.entries, 0);
  const [first, last] = [days[0]?.date ?? '', days.at(-1)?.date ?? ''];
  const isOfWeek = (time: string | undefined): boolean =>
    time !== undefined && time.slice(0, 10) >= first && time.slice(0, 10) <= last;
  const decided = (state: Proposal['state']): number =>
    proposals.filter((proposal) => proposal.state === state && isOfWeek(proposal.decided)).length;
  const grown = coreBefore === undefined ? '' : ` (${signed(core.tokens - coreBefore)} since the last report)`;
  return `${[
    `# Report — ${week}`,
    '',
    '<!-- Made by mneme; it is written anew with the week. -->',
    '',
    '| day | entries | conversations |',
    '|---|---|---|',
    ...days.map((day) => `| ${day.date} | ${day.entries} | ${day.conversations} |`),
    '',
    `- captures per day: ${(entries / Math.max(1, days.length)).toFixed(1)}`,
    `- core memory: ${core.tokens} of ${core.maxTokens} tokens${grown}`,
    `- proposals made: ${proposals.filter(({ created }) => isOfWeek(created)).length}`,
    `- proposals approved: ${decided('applied')}, rejected: ${decided('rejected')}, withdrawn: ${decided('withdrawn')}`,
    `- proposals that wait: ${proposals.filter(({ state }) => isOpen(state)).length}`,
  ].join('\n')}\n`;
}

function signed(value: number): string {
  return value < 0 ? `−${-value}` : `+${value}`;
}
