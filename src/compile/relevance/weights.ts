import type { Fitted } from '../../retrieve/logistic.ts';

/*
 * Fitted by `node training/prompts.ts` on the people of `bench/data/people`, each of whom was also judged by the others.
 */

/** Whether a memory helps, by what is stored. */
export const FIRST_LOOK: Fitted = {
  start: -8.008,
  weights: {
    closeness: { name: 'close in meaning', weight: 8.117 },
    lessThanBest: { name: 'less close than the best', weight: -5.351 },
    coverage: { name: 'share of the message found', weight: 2.953 },
    information: { name: 'rare words shared', weight: -0.026 },
    ofProject: { name: 'of this project', weight: 0.654 },
    isStatement: { name: 'a learned statement', weight: -0.101 },
    length: { name: 'length', weight: 1.437 },
    rank: { name: 'place in the search', weight: -0.709 },
    ofOtherProject: { name: 'of another project', weight: -1.922 },
    age: { name: 'age', weight: -0.661 },
  },
};

/** Whether a memory helps, once the model has read it together with the message. */
export const HELPS: Fitted = {
  start: -4.014,
  weights: {
    closeness: { name: 'close in meaning', weight: 4.459 },
    lessThanBest: { name: 'less close than the best', weight: -1.99 },
    coverage: { name: 'share of the message found', weight: 2.432 },
    information: { name: 'rare words shared', weight: -0.095 },
    ofProject: { name: 'of this project', weight: 0.641 },
    isStatement: { name: 'a learned statement', weight: -0.28 },
    length: { name: 'length', weight: 1.031 },
    rank: { name: 'place in the search', weight: -0.364 },
    ofOtherProject: { name: 'of another project', weight: -3.312 },
    age: { name: 'age', weight: -0.856 },
    helps: { name: 'the model says that it helps', weight: 0.474 },
  },
};

/** Whether a message needs anything remembered. */
export const SPEAKS: Fitted = {
  start: -5.516,
  weights: {
    bestHelp: { name: 'the best memory helps', weight: 0.082 },
    bestHelps: { name: 'the best three help', weight: 0.355 },
    bestChance: { name: 'the best memory is likely', weight: 0.182 },
    bestChances: { name: 'the best four are likely', weight: 1.181 },
    closeness: { name: 'close in meaning', weight: 9.819 },
    coverage: { name: 'share of the message found', weight: 3.113 },
    words: { name: 'length of the message', weight: -1.106 },
    isQuestion: { name: 'a question', weight: -0.765 },
    inProject: { name: 'typed in a project', weight: 0.296 },
  },
};

export const SPEAKS_SMALL: Fitted = SPEAKS;
