import type { Scene } from '../kinds/finding.ts';
import { capitalise } from '../text/tidy.ts';
import { contentWords, stemOf } from '../text/words.ts';

const MAX_WORDS = 4;
/** Said in any conversation. */
const EMPTY = new Set(
  'morning today thing things look tell need want know think good nice yeah sure really maybe stuff everything pls thx week day time'.split(
    ' ',
  ),
);

/** What a conversation is about: the content words that come back most, in the order of their first mention. */
export function topicOf({ conversation, turns }: Scene): string {
  const counts = new Map<string, { word: string; count: number; first: number }>();
  let place = 0;
  for (const turn of turns) {
    for (const { turn: said, text } of turn) {
      for (const word of contentWords(text)) {
        place += 1;
        if (!/^\p{L}[\p{L}-]{2,}$/u.test(word) || EMPTY.has(word)) continue;
        const stem = stemOf(word);
        const entry = counts.get(stem) ?? { word, count: 0, first: place };
        entry.count += said.role === 'user' ? 2 : 1;
        counts.set(stem, entry);
      }
    }
  }
  const project = conversation.project?.toLowerCase();
  const best = [...counts.values()]
    .filter(({ word }) => word !== project)
    .sort((one, other) => other.count - one.count || one.first - other.first)
    .slice(0, MAX_WORDS)
    .sort((one, other) => one.first - other.first)
    .map(({ word }) => word);
  const words = best.join(', ');
  if (project === undefined || project === '') return words === '' ? 'Conversation' : capitalise(words);
  return words === '' ? capitalise(project) : `${capitalise(project)}: ${words}`;
}
