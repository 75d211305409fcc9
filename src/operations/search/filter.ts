import { z } from 'zod';
import { isScope, STORES, TRUST_LEVELS } from '../../model/provenance.ts';
import { MnemeError } from '../../model/errors.ts';
import { DECAY_STATUSES } from '../../memory/decay/relevance.ts';
import type { SearchFilter } from '../../search-index/port.ts';
import type { OperationContext } from '../context.ts';
import type { OptionShape } from '../verb.ts';
import { getMoment } from '../history/open-history.ts';

const list = (what: string): z.ZodOptional<z.ZodArray<z.ZodString>> =>
  z.array(z.string().trim().min(1)).max(100).optional().describe(what);

/** The filters of a search, for every verb that searches. */
export const filterShape = {
  stores: z.array(z.enum(STORES)).min(1).optional().describe('Only these stores.'),
  types: list('Only these types: turn, decision, fact, preference …'),
  since: z.string().optional().describe('From this time on: 2026-02-16, yesterday, "3 days ago".'),
  until: z.string().optional().describe('Up to this time.'),
  minImportance: z.number().min(0).max(1).optional().describe('At least this important, 0 to 1.'),
  tags: list('With all of these tags.'),
  entities: list('About all of these entities, such as person--alex.'),
  speakers: list('Said by one of these people.'),
  sessions: list('From one of these sessions.'),
  trust: z.array(z.enum(TRUST_LEVELS)).min(1).optional().describe('Only what is trusted this way.'),
  status: z.array(z.enum(DECAY_STATUSES)).min(1).optional().describe('Only what has faded this far.'),
  scope: z
    .string()
    .refine(isScope, 'is shared, or user:NAME, project:NAME, channel:NAME, agent:NAME')
    .optional()
    .describe('Besides what is shared, what belongs to this scope.'),
  archived: z.boolean().optional().describe('Search the archive too.'),
};

const filterInput = z.object(filterShape);

/** Placeholders for the values of the filters in the command line's help. */
export const filterOptions: Readonly<Record<string, OptionShape>> = {
  since: { value: 'when' },
  until: { value: 'when' },
  scope: { value: 'scope' },
};

/** Whether anything narrows the search: then an empty answer may be due to that. */
export function isFiltered(given: Partial<FilterInput>): boolean {
  return Object.keys(filterShape).some((key) => given[key as keyof FilterInput] !== undefined);
}

type FilterInput = z.output<typeof filterInput>;

export function toFilter(context: OperationContext, given: FilterInput): SearchFilter {
  // A day's start is the last instant before it, and a day's end the last one in it.
  const sinceMs = given.since === undefined ? undefined : getMoment(context, given.since, 'start') + 1;
  const untilMs = given.until === undefined ? undefined : getMoment(context, given.until, 'end') + 1;
  if (sinceMs !== undefined && untilMs !== undefined && sinceMs >= untilMs) {
    throw new MnemeError(
      'usage',
      `since ${given.since ?? ''} is after until ${given.until ?? ''}: nothing can lie between.`,
    );
  }
  return {
    scopes: given.scope === undefined || given.scope === 'shared' ? ['shared'] : ['shared', given.scope],
    stores: given.stores,
    types: given.types,
    sinceMs,
    untilMs,
    minImportance: given.minImportance,
    tags: given.tags,
    entities: given.entities,
    speakers: given.speakers,
    sessions: given.sessions,
    trust: given.trust,
    withArchived: given.archived,
  };
}
