import { z } from 'zod';
import { MnemeError, isMnemeError } from '../../model/errors.ts';
import { judgeAnswer } from '../../retrieve/chance.ts';
import type { Hit, HitSource } from '../../retrieve/hit.ts';
import { joinMemories } from '../../retrieve/one-memory.ts';
import type { SearchResult } from '../../retrieve/search.ts';
import type { OperationContext } from '../context.ts';
import { defineVerb } from '../verb.ts';
import { findGraphAnswers, type GraphAnswer } from './graph-answers.ts';
import { filterOptions, filterShape, isFiltered, toFilter } from './filter.ts';
import { openPast } from './past.ts';
import { type Reranker, createModelReranker } from '../../retrieve/rerank.ts';
import { blame, type BlameLine } from '../../workspace/git/blame.ts';

// Strict: a misspelt filter would otherwise be no filter.
const input = z.strictObject({
  query: z.string().default('').describe('The question, in plain words; may be left out when a context is given.'),
  limit: z
    .number()
    .int()
    .min(1)
    .optional()
    .describe('Most hits; search.default_results when not given, and never more than search.max_results.'),
  tokens: z
    .number()
    .int()
    .min(1)
    .max(1_000_000)
    .optional()
    .describe('As much as fits into this many tokens, instead of a limit.'),
  prefix: z.boolean().default(false).describe('The last word may be the beginning of a longer one.'),
  at: z.string().optional().describe('Version to search: a date, a tag, a mutation id, `yesterday`, `3 days ago`.'),
  explain: z
    .boolean()
    .default(false)
    .describe('Explain how the question was understood, the parts of every score, and what was left out.'),
  user: z.string().optional().describe('The person who asks or is talked to.'),
  task: z.string().optional().describe('What is being worked on.'),
  timeOfDay: z.enum(['morning', 'afternoon', 'evening', 'night']).optional().describe('Part of the day.'),
  topics: z.array(z.string().trim().min(1)).max(50).default([]).describe('What was talked about lately.'),
  ...filterShape,
});

export type RecallInput = z.input<typeof input>;
type Given = z.output<typeof input>;

export interface RecallResult {
  readonly hits: readonly Hit[];
  readonly mode: SearchResult['mode'];
  readonly tookMs: number;
  /** False when nothing is remembered about the question; there are no hits then. */
  readonly answered: boolean;
  /** Answers that follow from the graph, for a question along two or more relations ("where does my sister's boss live?"). */
  readonly graph?: readonly GraphAnswer[] | undefined;
  /** Notes on this answer for a person. */
  readonly notes: readonly string[];
  readonly explanation?: Explanation | undefined;
}

export interface Explanation {
  readonly understood: SearchResult['answer']['understanding'];
  /** The number of passages compared. */
  readonly scored: number;
  /** The best that were left out. */
  readonly leftOut: readonly { readonly id: string; readonly path: string; readonly score: number }[];
}

const MAX_LEFT_OUT = 10;
/** The search fetches twice as many hits as are wanted, because several may be the same memory. */
const ASKED_FOR = 2;

export const recall = defineVerb({
  name: 'recall',
  summary: 'Find what is remembered: by words, by meaning, by time.',
  description:
    'Find what is remembered, by words, by meaning and by time. Ask in plain words; `-` reads the question from standard input.',
  examples: [
    'mneme recall "where is the spare key?"',
    'mneme recall "what did we decide about deploys" --since 2026-01-01 --types decision',
    'mneme recall "router password" --explain',
  ],
  input,
  args: ['query...'],
  effect: 'read',
  async run(context, given): Promise<RecallResult> {
    const startedMs = performance.now();
    const text = questionOf(given);
    const { limit, note } = limitOf(context, given);
    const { result, notes } = await answer(context, given, { text, limit: limit * ASKED_FOR });
    const minScore = context.config.search.min_score;
    const hits = given.tokens === undefined ? chooseHits(given.query, result, { limit, minScore }) : result.hits;
    const graph = given.at === undefined ? await findGraphAnswers(context, given.query, given.scope ?? 'shared') : [];
    return {
      answered: hits.length + graph.length > 0,
      ...(graph.length === 0 ? {} : { graph }),
      hits: given.explain && given.at === undefined ? await withMutations(context, hits) : hits,
      mode: result.mode,
      tookMs: Math.round((performance.now() - startedMs) * 100) / 100,
      notes: [...(note === undefined ? [] : [note]), ...notes, ...result.notes],
      ...(given.explain ? { explanation: explain(result, hits) } : {}),
    };
  },
  http: { method: 'POST' },
  cli: {
    section: 'everyday',
    aliases: ['search', 'find'],
    stdin: 'query',
    options: {
      ...filterOptions,
      at: { value: 'when' },
      user: { value: 'name' },
      task: { value: 'words' },
      timeOfDay: { value: 'part' },
    },
  },
  async render(view, result, given) {
    const { renderRecall } = await import('./render-recall.ts');
    return renderRecall(view, given.query ?? '', result, isFiltered(given));
  },
});

async function answer(
  context: OperationContext,
  given: Given,
  { text, limit }: { readonly text: string; readonly limit: number },
): Promise<{ readonly result: SearchResult; readonly notes: readonly string[] }> {
  const { tokens, status, at, prefix } = given;
  const reranker = modelRerankerOf(context);
  const filter = toFilter(context, given);
  const request = {
    text,
    filter,
    limit,
    tokens,
    statuses: status,
    models: 'all' as const,
    reranker,
    isUnfinished: prefix,
    isUnlisted: prefix,
  };
  if (at === undefined) return { result: await context.search.ask(request), notes: [] };
  const past = await openPast(context, at);
  return { result: await context.search.ask({ ...request, at: past }), notes: past.notes };
}

/** Only where somebody asks: what is looked up by the way would make a call each time. */
function modelRerankerOf({ config, parts }: OperationContext): Reranker | undefined {
  if (!config.search.rerank || config.reasoner.provider === 'heuristic') return undefined;
  return createModelReranker(async () => (await parts.extraction()).reasoner);
}

/** Without a question, what surrounds the user is the question (S1 §8.3). */
function questionOf({ query, task, topics, timeOfDay, user }: Given): string {
  const surroundings = [task, ...topics, query.trim() === '' ? timeOfDay : undefined, user];
  const text = [query.trim(), ...surroundings].filter((part) => part !== undefined && part !== '').join('\n');
  if (text !== '') return text;
  throw new MnemeError('usage', 'There is nothing to look for.', {
    hint: 'Ask something: mneme recall "where did we deploy to?"; or give a context with --task or --topics.',
  });
}

/** The number of hits, and a note where search.max_results allows fewer than asked for. */
function limitOf({ config }: OperationContext, { limit }: Given): { readonly limit: number; readonly note?: string } {
  const { default_results: usual, max_results: most } = config.search;
  if (limit === undefined || limit <= most) return { limit: limit ?? usual };
  return { limit: most, note: `search.max_results allows ${most} hits, so ${limit} were not looked for.` };
}

/**
 * Each memory once, with the chance that it holds the answer; none where nothing is remembered about the question. A budget
 * is filled whatever the chances are: whoever gives one decides how much is read.
 */
function chooseHits(
  query: string,
  { hits, answer: found }: SearchResult,
  { limit, minScore }: { readonly limit: number; readonly minScore: number },
): Hit[] {
  const { isAnswered, hits: chances } = judgeAnswer(query, found);
  // An empty query asks for the user's surroundings, which cannot go unanswered.
  if (!isAnswered && query.trim() !== '') return [];
  const good = hits.flatMap((hit, at) => (hit.score >= minScore ? [at] : []));
  const order = good.sort((left, right) => (chances[right] ?? 0) - (chances[left] ?? 0) || left - right);
  const memories = joinMemories(order.flatMap((at) => found.groups[at] ?? []));
  return memories.slice(0, limit).flatMap(({ at, also, isSuperseded }) => {
    const hit = hits[order[at] ?? -1];
    if (hit === undefined) return [];
    const places = [at, ...also].map((place) => order[place] ?? -1);
    const score = Math.max(...places.map((place) => chances[place] ?? 0));
    const sources = places.slice(1).flatMap((place) => toSource(hits[place]));
    // A line of core memory has no day of its own; the page that states the same has.
    const time = places.map((place) => hits[place]?.time ?? null).find((one) => one !== null) ?? null;
    return [{ ...hit, time, score: Math.round(score * 10_000) / 10_000, sources, superseded: isSuperseded }];
  });
}

function toSource(hit: Hit | undefined): HitSource[] {
  if (hit === undefined) return [];
  const { id, source, path, startLine, store, type } = hit;
  return [{ id, source, path, startLine, store, type }];
}

function explain({ answer: { understanding, ranked, groups } }: SearchResult, hits: readonly Hit[]): Explanation {
  const kept = new Set(hits.flatMap(({ id, sources = [] }) => [id, ...sources.map((source) => source.id)]));
  const members = groups.filter(({ best }) => kept.has(best.passage.id)).flatMap((group) => group.members);
  const shown = new Set(members.map(({ id }) => id));
  const leftOut = ranked.filter(({ passage }) => !shown.has(passage.id)).slice(0, MAX_LEFT_OUT);
  return {
    understood: understanding,
    scored: ranked.length,
    leftOut: leftOut.map(({ passage, score }) => ({ id: passage.id, path: passage.document.path, score })),
  };
}

/**
 * Says for each hit which mutation wrote it. Only git knows, and asking it takes longer than the search itself, so it
 * is asked when somebody wants an explanation.
 */
async function withMutations(context: OperationContext, hits: readonly Hit[]): Promise<readonly Hit[]> {
  await context.workspace.drain();
  const known = new Map<string, readonly BlameLine[]>();
  const explained: Hit[] = [];
  for (const hit of hits) {
    const key = `${hit.source}/${hit.path}`;
    if (!known.has(key)) known.set(key, await linesOf(context, hit));
    // The last line of an item is its text; the first may be a heading that stood there before.
    const mutation = known.get(key)?.find(({ line }) => line === hit.endLine)?.mutation ?? null;
    explained.push({ ...hit, provenance: { ...hit.provenance, mutation } });
  }
  return explained;
}

/** Nothing for a session that is still going on, or a file that git does not have yet. */
async function linesOf({ workspace }: OperationContext, { source, path }: Hit): Promise<readonly BlameLine[]> {
  if (source === 'live') return [];
  try {
    return await blame(workspace.git[source], path);
  } catch (error) {
    if (isMnemeError(error)) return [];
    throw error;
  }
}
