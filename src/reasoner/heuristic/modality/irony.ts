import type { Utterance } from '../clauses/utterance.ts';

const PRAISE = new Set([
  'great',
  'lovely',
  'fantastic',
  'brilliant',
  'wonderful',
  'awesome',
  'perfect',
  'nice',
  'cool',
]);

/** Things nobody is fond of: praise beside one of them is not meant. */
const UNPLEASANT =
  /\b(?:paged|pager|3 ?am|4 ?am|at (?:2|3|4|5)\b|again|another (?:outage|bug|incident|meeting|form|invoice)|outage|crash(?:es|ed|ing)?|broken|breaks?|down|taxes|paperwork|queue|waiting|hold music|on hold|migrat\w+|merge conflicts?|debugging|rain|tantrums?|flaky|timeouts?|deadlines?|meetings?|yelled|screaming|vomit\w*|strike|delayed?|cancel\w+|bureaucra\w+|form(?:s|ulare)?|landlords?|segfaults?|regex|yaml|timezones?|leap (?:years?|seconds?)|burn\w*|leak\w*)\b/u;
const FONDNESS =
  /\b(?:love|loving|adore|enjoy|can't wait|so happy|thrilled|delighted|my favou?rite|living the dream)\b/u;
const MARKS =
  /(?:\/s\b|🙃|🙄|😒|😂|🤣|\blol\b|\bhaha+\b|\bjk\b|\bkidding\b|\bjoking\b|\bjoke\b|\byay\b|\bsarcas\w+|\bof course it (?:did|does|is|was)\b|\bbecause (?:of course|why not)\b|\bwhat could (?:possibly )?go wrong\b|\bjust what i needed\b|\bexactly what i needed\b|\bthe dream\b|\bobviously the\b)/u;

/** Praise of the unpleasant, and signs that somebody laughs. */
export function isIronic({ plain, openers, text }: Utterance): boolean {
  if (/\b(?:but )?(?:seriously|no joke|not kidding|jokes aside)\b/u.test(plain)) return false;
  if (MARKS.test(plain) || MARKS.test(text)) return true;
  const isPraised = openers.some((opener) => PRAISE.has(opener));
  if (FONDNESS.test(plain) && UNPLEASANT.test(plain) && !/\b(?:don't|doesn't|not|never|hate)\b/u.test(plain))
    return true;
  return isPraised && FONDNESS.test(plain);
}
