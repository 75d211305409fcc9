import { extractQueryTerms } from '../../search-index/text/terms.ts';

/** The share of a memory's new words that a reply must contain before it counts as having used it. */
const MIN_SHARE = 0.6;
const MIN_TERMS = 2;

/**
 * Whether a reply says what a memory says. Words that the user brought along prove nothing: an answer repeats them
 * whether or not anything was remembered. A memory that only says what the question said cannot be told either way.
 */
export function isUsedIn(memory: string, reply: string, said: string): boolean {
  const known = new Set(extractQueryTerms(said));
  const added = [...new Set(extractQueryTerms(memory))].filter((term) => !known.has(term));
  if (added.length === 0) return false;
  const answered = new Set(extractQueryTerms(reply));
  const found = added.filter((term) => answered.has(term)).length;
  return found >= Math.min(MIN_TERMS, added.length) && found / added.length >= MIN_SHARE;
}
