import { readWords } from './text/words.ts';
import type { WatchedTopic } from './topic-file.ts';

/** So many of the playbook's own words in a reply are more than chance. */
const MIN_WORDS = 2;
const MIN_SHARE = 0.08;

/**
 * Whether a reply drew on a playbook: it uses words of it that the message it answers did not bring. A guess, for tuning
 * only, and never a reason to forget anything.
 */
export function wasUseful(topic: Pick<WatchedTopic, 'body'>, message: string, reply: string): boolean {
  const brought = stemsOf(message);
  const own = [...stemsOf(topic.body)].filter((stem) => !brought.has(stem));
  const said = stemsOf(reply);
  const used = own.filter((stem) => said.has(stem)).length;
  return used >= MIN_WORDS && used / Math.max(1, Math.min(own.length, said.size)) >= MIN_SHARE;
}

function stemsOf(text: string): Set<string> {
  return new Set(readWords(text).flatMap(({ stem, isContent }) => (isContent ? [stem] : [])));
}
