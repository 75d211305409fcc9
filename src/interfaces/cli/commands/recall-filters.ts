import type { Command } from 'commander';
import { DECAY_STATUSES } from '../../../memory/decay/relevance.ts';
import { MnemeError } from '../../../model/errors.ts';
import { STORES, TRUST_LEVELS } from '../../../model/provenance.ts';
import type { RecallInput } from '../../../operations/search/recall.ts';
import type { GlobalOptions } from '../cli.ts';
import { decimalOf } from './show.ts';

/** What narrows a search, as typed. */
export interface FilterOptions extends GlobalOptions {
  readonly stores?: string;
  readonly types?: string;
  readonly since?: string;
  readonly until?: string;
  readonly minImportance?: string;
  readonly tags?: string;
  readonly entities?: string;
  readonly speakers?: string;
  readonly sessions?: string;
  readonly trust?: string;
  readonly status?: string;
  readonly scope?: string;
  readonly archived?: boolean;
}

export function addFilterOptions(command: Command): Command {
  return command
    .option('--stores <list>', 'only these stores: episodic, core, vault, reference … (comma-separated)')
    .option('--types <list>', 'only these types: turn, decision, fact, preference …')
    .option('--since <when>', 'from this time on: 2026-02-16, yesterday, "3 days ago"')
    .option('--until <when>', 'up to this time')
    .option('--min-importance <number>', 'at least this important, 0 to 1')
    .option('--tags <list>', 'with all of these tags')
    .option('--entities <list>', 'about all of these entities, such as person--alex')
    .option('--speakers <list>', 'said by one of these')
    .option('--sessions <list>', 'from one of these sessions')
    .option('--trust <list>', 'only what is trusted this way: user, agent, tool, import, external')
    .option('--status <list>', 'only what has faded this far: active, fading, dormant, faint')
    .option('--scope <scope>', 'besides what is shared, what belongs to user:NAME, project:NAME …')
    .option('--archived', 'search the archive too');
}

type FilterInput = Pick<
  RecallInput,
  | 'stores'
  | 'types'
  | 'since'
  | 'until'
  | 'minImportance'
  | 'tags'
  | 'entities'
  | 'speakers'
  | 'sessions'
  | 'trust'
  | 'status'
  | 'scope'
  | 'archived'
>;

/** The schema says what is allowed; here the words only become lists and numbers. */
export function filterInput(options: FilterOptions): FilterInput {
  const { since, until, scope, archived, minImportance } = options;
  return {
    stores: oneOf('--stores', options.stores, STORES),
    types: listOf(options.types),
    since,
    until,
    minImportance: minImportance === undefined ? undefined : decimalOf('--min-importance', minImportance),
    tags: listOf(options.tags),
    entities: listOf(options.entities),
    speakers: listOf(options.speakers),
    sessions: listOf(options.sessions),
    trust: oneOf('--trust', options.trust, TRUST_LEVELS),
    status: oneOf('--status', options.status, DECAY_STATUSES),
    scope,
    archived,
  };
}

/** Whether anything narrows the search: then an empty answer may be due to that. */
export function isFiltered(options: FilterOptions): boolean {
  return Object.values(filterInput(options)).some((value) => value !== undefined);
}

export function listOf(text: string | undefined): string[] | undefined {
  return text
    ?.split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function oneOf<Name extends string>(
  option: string,
  text: string | undefined,
  known: readonly Name[],
): Name[] | undefined {
  return listOf(text)?.map((given) => {
    const name = known.find((candidate) => candidate === given.toLowerCase());
    if (name !== undefined) return name;
    throw new MnemeError('usage', `${option} does not know "${given}".`, { hint: `There are: ${known.join(', ')}.` });
  });
}
