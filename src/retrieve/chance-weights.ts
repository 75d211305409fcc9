import type { Fitted } from './logistic.ts';

/*
 * Fitted by `node training/recall.ts`, which also prints how well kinds of conversations that took no part are judged.
 */

/** Whether anything remembered answers a question, where the sentence model has vectors. */
export const ANSWERED: Fitted = {
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
export const ANSWERED_BY_WORDS: Fitted = {
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
export const ANSWERS: Fitted = {
  start: -1.193,
  weights: {
    answered: { name: 'there is an answer', weight: 0.467 },
    lessThanBest: { name: 'less close than the best', weight: -16.083 },
    coverage: { name: 'share of the question found', weight: 0.789 },
    rank: { name: 'place in the search', weight: -0.853 },
  },
};

/** The same by words alone. */
export const ANSWERS_BY_WORDS: Fitted = {
  start: -1.22,
  weights: {
    answered: { name: 'there is an answer', weight: 0.474 },
    coverage: { name: 'share of the question found', weight: 0.551 },
    rank: { name: 'place in the search', weight: -1.812 },
  },
};
