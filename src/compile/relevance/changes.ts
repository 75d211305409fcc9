import { packagedJudge } from '../../judge/judge.ts';
import { isMnemeError } from '../../model/errors.ts';
import type { ReadChange } from '../later.ts';

/**
 * From what chance of an update or an opposite on later words change a memory, and from what closeness in meaning on they are
 * about the same: the head for pairs learned from near ones and misjudges others. Chosen by reading 200 pairs that share
 * words, in the conversations of `bench/data/people`; about one of six is a change.
 * The chances are low because these pairs are further apart than those the head learned from; choose them again with every new head.
 */
const CHANCE = { maybe: 0.025, surely: 0.04 };
const CLOSENESS = { maybe: 0.2, surely: 0.3 };
/** Sentences with so many rare words in common are about the same, whatever the head says. */
const MUCH_IN_COMMON = 7;

/** Words that say themselves that something is not as it was. */
const DECLARES = /\b(?:no longer|any ?more|different from|instead of|nicht mehr|anstatt)\b/iu;

/** Reads so many pairs; of further ones, and without the model's files, the words alone decide. */
export function openReadChange(limit: number): ReadChange | undefined {
  try {
    const judge = packagedJudge();
    let left = limit;
    return (earlier, { text, says, worth }) => {
      if (left === 0) return says;
      left -= 1;
      const closeness = judge.closeness(earlier, text);
      if (closeness < CLOSENESS.maybe) return undefined;
      const { update = 0, opposite = 0 } = judge.comparePair(earlier, text);
      const chance = update + opposite;
      const isMuch = worth >= MUCH_IN_COMMON;
      const least = DECLARES.test(text) ? CHANCE.maybe : CHANCE.surely;
      if (closeness >= CLOSENESS.surely && (chance >= least || (isMuch && says === 'surely'))) return 'surely';
      return chance >= CHANCE.maybe || isMuch ? 'maybe' : undefined;
    };
  } catch (error) {
    if (!isMnemeError(error, 'integrity')) throw error;
    return undefined;
  }
}
