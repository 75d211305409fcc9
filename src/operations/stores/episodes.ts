import { z } from 'zod';
import { MnemeError } from '../../model/errors.ts';
import { EPISODE_TYPES, type EpisodeType } from '../../model/schemas/time.ts';
import { DAY_MS, localTime } from '../../model/time.ts';
import { type Episode, episodeScore, readEpisodes } from '../../memory/episodes/read-episodes.ts';
import type { OperationContext } from '../context.ts';
import { runOperation } from '../operation.ts';
import { defineVerb } from '../verb.ts';
import { recall } from '../search/recall.ts';
import { similar } from '../search/similar.ts';

const DEFAULT_DAYS = 7;
const MAX_FOUND = 20;
const MAX_RELATED = 5;

const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/u, 'is a day such as 2026-02-16');

const input = z.object({
  query: z.string().trim().min(1).optional().describe('What it was about; without it, the last days are listed.'),
  since: day.optional().describe('First day, such as 2026-02-16.'),
  until: day.optional().describe('Last day.'),
  type: z.enum(EPISODE_TYPES).optional().describe('Only this type.'),
  tag: z.string().trim().min(1).optional().describe('Only with this tag.'),
  minImportance: z.number().min(0).max(1).optional().describe('At least this important, 0 to 1.'),
  limit: z.number().int().min(1).max(1000).default(50).describe('Most entries.'),
});

export type EpisodesInput = z.input<typeof input>;

export interface ListedEpisode {
  readonly id: string | null;
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly date: string;
  readonly time: string | null;
  readonly type: EpisodeType;
  readonly title: string | null;
  readonly text: string;
  readonly tags: readonly string[];
  readonly importance: number;
  readonly trust: string;
  readonly source: string;
  readonly session: string | null;
  readonly related: readonly string[];
  /** Only where something was asked: .7 similarity, .2 importance, .1 recency. */
  readonly score: number | null;
}

export interface EpisodeList {
  readonly since: string | null;
  readonly until: string | null;
  readonly episodes: readonly ListedEpisode[];
  /** The number of further entries. */
  readonly left: number;
}

export const episodes = defineVerb({
  name: 'episodes',
  summary: 'List what happened: the last days, or what answers a question.',
  description: 'List what happened in the last seven days, or find what a question is about.',
  examples: ['mneme memory episodes', 'mneme memory episodes "the migration" --type error --since 2026-01-01'],
  input,
  effect: 'read',
  reach: 'shared',
  async run(context, given): Promise<EpisodeList> {
    const isBounded = given.since !== undefined || given.until !== undefined || given.query !== undefined;
    const from = localTime(context.clock.now() - (DEFAULT_DAYS - 1) * DAY_MS, context.config.time_zone).date;
    const since = isBounded ? given.since : from;
    const all = readEpisodes(context.workspace.root, { since, until: given.until }).filter((each) =>
      isWanted(each, given),
    );
    const ranked =
      given.query === undefined
        ? all.reverse().map((each) => toListed(each, null))
        : await rank(context, given.query, all);
    return {
      since: since ?? null,
      until: given.until ?? null,
      episodes: ranked.slice(0, given.limit),
      left: Math.max(0, ranked.length - given.limit),
    };
  },
  cli: {
    path: 'memory episodes list',
    formerly: ['episodes', 'episodes list'],
    isDefault: true,
    args: ['query...'],
    options: { since: { value: 'day' }, until: { value: 'day' } },
  },
  render: async (view, list) => (await import('./render.ts')).renderEpisodes(view, list),
});

function isWanted({ type, meta }: Episode, given: z.output<typeof input>): boolean {
  if (given.type !== undefined && type !== given.type) return false;
  if (given.tag !== undefined && !(meta.tags ?? []).includes(given.tag)) return false;
  return given.minImportance === undefined || meta.importance >= given.minImportance;
}

/** Search finds them; importance and recency put them in order as episodes are remembered. */
async function rank(context: OperationContext, query: string, all: readonly Episode[]): Promise<ListedEpisode[]> {
  const { hits } = await runOperation(recall, context, { query, stores: ['episodic'], limit: MAX_FOUND });
  const now = context.clock.now();
  return hits
    .flatMap((hit) => {
      const episode = all.find(
        ({ id, path, startLine }) => id === hit.id || (path === hit.path && startLine === hit.startLine),
      );
      if (episode === undefined) return [];
      const timeMs = Date.parse(hit.time ?? `${episode.date}T12:00:00Z`);
      const similarity = Math.max(hit.scores.semantic, hit.scores.lexical);
      return [toListed(episode, episodeScore({ similarity, importance: episode.meta.importance, timeMs }, now))];
    })
    .sort((one, other) => (other.score ?? 0) - (one.score ?? 0));
}

export interface ShownEpisode extends ListedEpisode {
  /** Those it names, and those that are like it. */
  readonly near: readonly { readonly id: string; readonly text: string; readonly why: 'named' | 'alike' }[];
}

export const episodeShow = defineVerb({
  name: 'episodes show',
  summary: 'Show one entry, with those that belong to it.',
  input: z.object({ id: z.string().trim().min(1).describe('The entry, by its id.') }),
  args: ['id'],
  effect: 'read',
  reach: 'shared',
  async run(context, { id }): Promise<ShownEpisode> {
    const wanted = id.replace(/^\^/u, '');
    const all = readEpisodes(context.workspace.root);
    const episode = all.find((each) => each.id === wanted);
    if (episode === undefined) {
      throw new MnemeError('not-found', `No episode has the id ${wanted}.`, {
        hint: '`mneme memory episodes` lists the last days; `mneme why ID` knows items of every store.',
      });
    }
    const named = episode.meta.related ?? [];
    const { hits } = await runOperation(similar, context, { id: wanted, stores: ['episodic'], limit: MAX_RELATED });
    const near = [
      ...named.map((each) => ({
        id: each,
        text: all.find((other) => other.id === each)?.text ?? '',
        why: 'named' as const,
      })),
      ...hits
        .filter((hit) => hit.id !== wanted && !named.includes(hit.id))
        .map((hit) => ({ id: hit.id, text: hit.text, why: 'alike' as const })),
    ];
    return { ...toListed(episode, null), near };
  },
  library: false,
  cli: { path: 'memory episodes show', formerly: ['episodes show'] },
  render: async (view, episode) => (await import('./render.ts')).renderEpisode(view, episode),
});

function toListed(
  { id, path, startLine, endLine, date, time, type, title, text, meta }: Episode,
  score: number | null,
): ListedEpisode {
  return {
    id: id ?? null,
    path,
    startLine,
    endLine,
    date,
    time: time ?? null,
    type,
    title: title ?? null,
    text,
    tags: meta.tags ?? [],
    importance: meta.importance,
    trust: meta.trust,
    source: meta.source,
    session: meta.session ?? null,
    related: meta.related ?? [],
    score: score === null ? null : Math.round(score * 1000) / 1000,
  };
}
