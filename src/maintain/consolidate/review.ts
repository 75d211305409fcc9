import type { Contradiction } from '../../memory/graph/contradictions.ts';
import { addDays } from '../../model/time.ts';
import type { LookedAt } from '../reflect/survey.ts';

export const REVIEWED_TYPES: ReadonlySet<string> = new Set(['project', 'person']);

/** So long without a change something may be over; people are met less often than projects are worked on. */
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
