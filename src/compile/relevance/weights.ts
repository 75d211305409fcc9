import type { Fitted } from '../../retrieve/logistic.ts';

/*
 * Fitted by `node training/prompts.ts --write` on the people of `bench/data/people`, the last one on the homes of
 * `training/data/prompts`.
 */

/** Whether a memory helps, by what is stored. */
export const FIRST_LOOK: Fitted = {
  start: -8.95,
  weights: {
    closeness: { name: 'close in meaning', weight: 9.224 },
    lessThanBest: { name: 'less close than the best', weight: -5.277 },
    coverage: { name: 'share of the message found', weight: 3.241 },
    information: { name: 'rare words shared', weight: -0.126 },
    ofProject: { name: 'of this project', weight: 0.543 },
    isStatement: { name: 'a learned statement', weight: -0.064 },
    length: { name: 'length', weight: 1.091 },
    rank: { name: 'place in the search', weight: -0.685 },
    ofOtherProject: { name: 'of another project', weight: -2.139 },
    age: { name: 'age', weight: -0.609 },
  },
};

/** Whether a memory helps, once the model has read it together with the message. */
export const HELPS: Fitted = {
  start: -2.642,
  weights: {
    closeness: { name: 'close in meaning', weight: 2.939 },
    lessThanBest: { name: 'less close than the best', weight: -1.448 },
    coverage: { name: 'share of the message found', weight: 2.219 },
    information: { name: 'rare words shared', weight: -0.129 },
    ofProject: { name: 'of this project', weight: 0.692 },
    isStatement: { name: 'a learned statement', weight: -0.286 },
    length: { name: 'length', weight: 1.536 },
    rank: { name: 'place in the search', weight: -0.467 },
    ofOtherProject: { name: 'of another project', weight: -3.02 },
    age: { name: 'age', weight: -0.834 },
    helps: { name: 'the model says that it helps', weight: 0.469 },
  },
};

/** Whether a message needs anything remembered. */
export const SPEAKS: Fitted = {
  start: -10.688,
  weights: {
    bestHelp: { name: 'the best memory helps', weight: 0.139 },
    bestHelps: { name: 'the best three help', weight: 0.439 },
    bestChance: { name: 'the best memory is likely', weight: 0.11 },
    bestChances: { name: 'the best four are likely', weight: 1.126 },
    closeness: { name: 'close in meaning', weight: 15.109 },
    coverage: { name: 'share of the message found', weight: 4.343 },
    words: { name: 'length of the message', weight: -1.209 },
    isQuestion: { name: 'a question', weight: -0.757 },
    inProject: { name: 'typed in a project', weight: 0.152 },
  },
};

/**
 * The same in a home of few memories, where more features say no more. Fitted on the same rows outside the script, with the
 * twelve likeliest memories of a prompt read; `--write` replaces it with its own.
 */
export const SPEAKS_SMALL: Fitted = {
  start: 6.26,
  weights: {
    bestHelps: { name: 'the best three help', weight: 2.36 },
    bestChances: { name: 'the best four are likely', weight: 0.69 },
  },
};
