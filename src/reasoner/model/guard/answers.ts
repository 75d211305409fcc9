import type { z } from 'zod';
import { slugify } from '../../../workspace/safety/paths.ts';
import { estimateTokens } from '../../../workspace/formats/core.ts';
import type {
  Comparison,
  Conclusion,
  InferInput,
  RerankInput,
  Route,
  RouteInput,
  Summary,
  SummariseInput,
} from '../../port.ts';
import type { compareAnswer, gateAnswer, inferAnswer, rerankAnswer, routeAnswer, SummaryAnswer } from '../schemas.ts';
import {
  cleanCertainty,
  cleanEntities,
  cleanKind,
  cleanLine,
  cleanRelations,
  cleanTags,
  cleanUpTo,
  type NameSources,
} from './clean.ts';
import { termsOf, foldWords, isSupported } from './words.ts';

/** Answers of the other purposes, checked against what was given. */

const MAX_SUMMARY_CHARACTERS = 300;
const MAX_POINT_CHARACTERS = 300;
const MAX_TOPIC_CHARACTERS = 80;
const MAX_REASON_CHARACTERS = 300;
const MAX_SLUG_CHARACTERS = 48;

export interface Checked<Output> {
  readonly output: Output;
  readonly notes: readonly string[];
}

export function checkRoute(answer: z.output<typeof routeAnswer>, input: RouteInput): Checked<Route> {
  const { text, user, known = [] } = input;
  const names: NameSources = { said: foldWords(text), known, user };
  const entities = cleanEntities(answer.entities, names);
  const said = termsOf([text, ...known.map(({ name }) => name)].join(' '));
  const summary = cleanUpTo(answer.summary, MAX_SUMMARY_CHARACTERS);
  const isFaithful = summary !== undefined && isSupported(summary, said, user);
  return {
    output: {
      store: answer.store,
      kind: cleanKind(answer.kind),
      entities,
      relations: cleanRelations(answer.relations, entities, names),
      tags: cleanTags(answer.tags),
      confidence: cleanCertainty(answer.confidence),
      isCoreWorthy: answer.is_core_worthy,
      summary: isFaithful ? summary : cleanLine(text).slice(0, MAX_SUMMARY_CHARACTERS),
    },
    notes: isFaithful ? [] : ['the summary said what the text does not; the text itself was taken'],
  };
}

/** Joins the entries of a conversation's pieces, in order; what does not fit is left out from the end. */
export function checkSummaries(answers: readonly SummaryAnswer[], input: SummariseInput): Checked<Summary> {
  const { conversation, maxTokens } = input;
  const { turns, user, project } = conversation;
  const said = termsOf(
    [user ?? '', project ?? '', ...turns.map((turn) => `${turn.name ?? ''} ${turn.text}`)].join(' '),
  );
  let unfaithful = 0;
  let tokensLeft = maxTokens;
  const take = (lines: readonly string[]): string[] =>
    lines.flatMap((given) => {
      const line = cleanUpTo(given, MAX_POINT_CHARACTERS);
      if (line === undefined || !isSupported(line, said, user)) {
        unfaithful += 1;
        return [];
      }
      const tokens = estimateTokens(line);
      if (tokens > tokensLeft) return [];
      tokensLeft -= tokens;
      return [line];
    });
  const all = (part: 'points' | 'decisions' | 'errors' | 'next'): string[] => [
    ...new Set(interleave(answers.map((answer) => answer[part]))),
  ];
  const topic = cleanLine(answers[0]?.topic ?? '').slice(0, MAX_TOPIC_CHARACTERS);
  // Decisions first: they are what a diary is looked up for.
  const decisions = take(all('decisions'));
  const points = take(all('points'));
  const [errors, next] = [take(all('errors')), take(all('next'))];
  const tags = cleanTags(answers.flatMap((answer) => answer.tags));
  const notes = unfaithful === 0 ? [] : [`${unfaithful} of its lines said what nobody said and were dropped`];
  return { output: { topic, points, decisions, errors, next, tags }, notes };
}

/** The first of each, then the second of each: every piece gets its most telling lines in. */
function interleave(lists: readonly (readonly string[])[]): string[] {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list[at] ?? [])).flat();
}

export function checkGate({ answer }: z.output<typeof gateAnswer>): Checked<boolean> {
  return { output: answer === 'YES', notes: [] };
}

/** A text that the model forgot answers nothing. */
export function checkScores(
  { scores }: z.output<typeof rerankAnswer>,
  { texts }: RerankInput,
): Checked<readonly number[]> {
  return { output: texts.map((_, at) => Math.min(10, Math.max(0, scores[at] ?? 0)) / 10), notes: [] };
}

export function checkComparison(answer: z.output<typeof compareAnswer>): Checked<Comparison> {
  const reason = cleanLine(answer.reason).slice(0, MAX_REASON_CHARACTERS);
  return { output: { verdict: answer.verdict, reason }, notes: [] };
}

const MAX_CONCLUSIONS = 20;
const MIN_PREMISES = 2;

/** A conclusion names what it follows from, and speaks of nothing that is not in there. */
export function checkConclusions(
  { conclusions }: z.output<typeof inferAnswer>,
  { subject, premises }: InferInput,
): Checked<readonly Conclusion[]> {
  const texts = new Map(premises.map(({ id, text }) => [id, text]));
  const checked = conclusions.flatMap(({ statement: given, premises: named, confidence }) => {
    const statement = cleanUpTo(given, MAX_SUMMARY_CHARACTERS);
    const known = [...new Set(named.map((id) => id.replace(/^\^/u, '')))].filter((id) => texts.has(id));
    if (statement === undefined || known.length < MIN_PREMISES) return [];
    const said = termsOf([subject, ...known.map((id) => texts.get(id) ?? '')].join(' '));
    if (!isSupported(statement, said, subject)) return [];
    return [{ statement, premises: known, confidence: cleanCertainty(confidence) }];
  });
  const dropped = conclusions.length - checked.length;
  const notes =
    dropped === 0 ? [] : [`${dropped} of its conclusions did not follow from what it named and were dropped`];
  return { output: checked.slice(0, MAX_CONCLUSIONS), notes };
}

export function checkSlug({ slug }: { readonly slug: string }): Checked<string> {
  return { output: slugify(slug, MAX_SLUG_CHARACTERS), notes: [] };
}
