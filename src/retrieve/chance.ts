import { extractTerms } from '../search-index/text/terms.ts';
import type { Group } from './fit.ts';
import { type Fitted, chanceOf, coverTerms, logOdds, rarestOf } from './logistic.ts';
import type { Ranked } from './rank.ts';
import type { Answer } from './retriever.ts';

/** The parts of an answer that are judged. */
export type JudgedAnswer = Pick<Answer, 'groups' | 'ranked' | 'rarities' | 'size' | 'understanding'>;

export interface Judgement {
  /** The chance that what is remembered answers the question at all. */
  readonly chance: number;
  /** By group of the answer: the chance that it holds the answer. */
  readonly hits: readonly number[];
  /** Whether there is enough to answer with. */
  readonly isAnswered: boolean;
}

/** Fewer chances than this, and there is nothing remembered about the question. */
const LEAST_CHANCE = 0.4;
/** Words alone tell much less: only what has next to nothing in common is left out. */
const LEAST_CHANCE_BY_WORDS = 0.2;

/** A search by so few words is no question: what contains them all was looked for. */
const MAX_KEYWORDS = 2;
const MAX_QUESTION_CHARS = 1000;

/** Looked at for the question as a whole. */
const LOOKED_AT = 30;
const MAX_INFORMATION = 4;
const MAX_TERMS = 12;
/** A capital letter behind the first word: mostly a name. */
const NAME = /(?<=\S\s+)\p{Lu}[\p{L}\p{N}'-]*/gu;

/** The probability that the hits answer the question, from stored vectors and words alone. */
export function judgeAnswer(question: string, answer: JudgedAnswer): Judgement {
  const isByMeaning = answer.ranked.some(({ closeness }) => closeness !== undefined);
  const least = isByMeaning ? LEAST_CHANCE : LEAST_CHANCE_BY_WORDS;
  // New passages have no vector of the sentence model yet, and are judged by their words.
  const unread = answer.groups.filter(({ best }) => best.closeness === undefined);
  const byWords =
    unread.length === 0 ? 0 : chanceOf(ANSWERED_BY_WORDS, questionFeatures(question, { ...answer, groups: unread }));
  const byMeaning = isByMeaning ? chanceOf(ANSWERED, questionFeatures(question, answer)) : 0;
  const chance = Math.max(byWords, byMeaning);
  const hits = hitFeatures(answer, chance).map((features, at) =>
    chanceOf(answer.groups[at]?.best.closeness === undefined ? ANSWERS_BY_WORDS : ANSWERS, features),
  );
  return { chance, hits, isAnswered: chance >= least || isAboutTimeAlone(answer) || isSearch(question, answer) };
}

/** Before anything is normalised among the hits. */
export function questionFeatures(question: string, answer: JudgedAnswer): Record<string, number> {
  const { ranked, groups, rarities, size } = answer;
  const looked = ranked.slice(0, LOOKED_AT);
  const unheard = [...rarities].filter(([, rarity]) => rarity >= rarestOf(size) - 0.001);
  const names = new Set([...question.matchAll(NAME)].flatMap(([word]) => extractTerms(word)));
  const total = sum(rarities.values());
  const covered = groups.map(({ members }) => coverTerms(members, rarities).coverage);
  return {
    closeness: Math.max(0, ...ranked.map(closenessOf)),
    closeInWords: Math.max(0, ...looked.map((one) => closenessOf(one) * coverTerms([one.passage], rarities).coverage)),
    coverage: Math.max(0, ...covered),
    information: Math.min(MAX_INFORMATION, (Math.max(0, ...covered) * total) / Math.log(1 + (size + 0.5) / 1.5)),
    unheard: total === 0 ? 0 : sum(unheard.map(([, rarity]) => rarity)) / total,
    unheardName: Number(unheard.some(([term]) => names.has(term))),
    terms: Math.min(MAX_TERMS, rarities.size) / MAX_TERMS,
  };
}

/** The features of each group of the answer, given the chance that there is an answer at all. */
export function hitFeatures(
  { groups, ranked, rarities }: Pick<JudgedAnswer, 'groups' | 'ranked' | 'rarities'>,
  chance: number,
): Record<string, number>[] {
  const best = Math.max(0, ...ranked.map(closenessOf));
  return groups.map(({ best: own, members }: Group, rank) => ({
    answered: logOdds(chance),
    lessThanBest: best - closenessOf(own),
    coverage: coverTerms(members, rarities).coverage,
    rank: Math.log(1 + rank),
  }));
}

/** "What did we do yesterday?" has no word in common with what happened; that it is from then is the answer. */
function isAboutTimeAlone({ understanding: { timeRange, intent, terms } }: JudgedAnswer): boolean {
  return (timeRange !== undefined || intent === 'latest') && terms.filter(({ isTime }) => !isTime).length <= 1;
}

/** A search for certain words, or with a text that is too long to be a question: what was found is the answer. */
function isSearch(question: string, { groups, rarities, understanding: { phrases } }: JudgedAnswer): boolean {
  if (rarities.size === 0 || question.length > MAX_QUESTION_CHARS) return true;
  const isCovered = ({ members }: Group): boolean => coverTerms(members, rarities).coverage === 1;
  const hasPhrase = ({ members }: Group): boolean =>
    phrases.some((phrase) => members.some(({ text }) => text.toLowerCase().includes(phrase.toLowerCase())));
  return groups.some((group) => hasPhrase(group) || (rarities.size <= MAX_KEYWORDS && isCovered(group)));
}

function closenessOf({ closeness }: Ranked): number {
  return closeness ?? 0;
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

/*
 * Fitted by `node training/recall.ts`, which also prints how well kinds of conversations that took no part are judged.
 */

/** Whether anything remembered answers a question, where the sentence model has vectors. */
const ANSWERED: Fitted = {
  start: -7.22,
  weights: {
    closeness: { name: 'close in meaning', weight: 18.906 },
    closeInWords: { name: 'close in meaning and words', weight: 2.667 },
    information: { name: 'rare words shared', weight: 0.139 },
    unheard: { name: 'words that were never said', weight: -0.444 },
    unheardName: { name: 'a name that was never said', weight: -2.188 },
    terms: { name: 'length of the question', weight: 0.275 },
  },
};

/** The same by words alone. */
const ANSWERED_BY_WORDS: Fitted = {
  start: -0.171,
  weights: {
    coverage: { name: 'share of the question found', weight: 2.086 },
    information: { name: 'rare words shared', weight: 0.251 },
    unheard: { name: 'words that were never said', weight: -1.29 },
    unheardName: { name: 'a name that was never said', weight: -2.658 },
    terms: { name: 'length of the question', weight: -0.161 },
  },
};

/** Whether a hit holds the answer. */
const ANSWERS: Fitted = {
  start: -1.193,
  weights: {
    answered: { name: 'there is an answer', weight: 0.467 },
    lessThanBest: { name: 'less close than the best', weight: -16.083 },
    coverage: { name: 'share of the question found', weight: 0.789 },
    rank: { name: 'place in the search', weight: -0.853 },
  },
};

/** The same by words alone. */
const ANSWERS_BY_WORDS: Fitted = {
  start: -1.22,
  weights: {
    answered: { name: 'there is an answer', weight: 0.474 },
    coverage: { name: 'share of the question found', weight: 0.551 },
    rank: { name: 'place in the search', weight: -1.812 },
  },
};
