import type { Clause } from './clauses.ts';

/** What a clause does in a message, and so how much of what it says the message is about. */
export type ClauseRole = 'point' | 'told' | 'aside' | 'before-turn' | 'dismissed';

/** "no need to", "not about", "is sorted": it is named in order to be left alone. */
const DISMISSED =
  /^\W*(?:(?:please|just|ok|so|and|we can|you can) )*(?:ignore|skip|drop|park|leave out)\b|\b(?:nothing to do with|(?:is|are|was|were)(?:n't| not) (?:about|for|because of)|not (?:about|talking about|asking about|for) |no need (?:to|for)|(?:don't|do not|won't|doesn't|does not|needn't|didn't) (?:have to |need to |want to |even )?(?:need|have|want|talk|touch|worry|care|look|do|bother|discuss|use|mention|mean)|forget (?:about )?(?:the|it|that|my)|never ?mind|aside from|apart from|instead of|rather than|let's not|not (?:today|now|yet)|(?:can|could|will) wait|case closed|(?:is|are|'s|'re|was|were|got) (?:already |all )?(?:sorted|done|fine|settled|over|closed|paid|cancelled|canceled|handled|finished|booked|taken care)\b|already (?:did|done|sent|paid|sorted|booked|have|answered|filed|fixed)|(?:isn't|aren't|not|no longer) [\w ]{0,20}(?:any ?more|any longer)|(?:i'll|we'll|i will) [\w ]{1,25}\blater\b|kein(?:e|en|er)? |nicht (?:um|über|nötig))/iu;

const NONE_OF_IT =
  /^\W*(?:\w+,? )?no (?:\w+ ){1,3}(?:today|tonight|now|this|talk|again|any more|please|then|needed)\b/iu;

/** Where somebody is or what they are doing while they ask something else. */
const ASIDE =
  /^\W*(?:(?:sorry|hi|hey|ok|so|well|oh|ugh|btw|and)\W+)*(?:(?:i'm|i am|im|we're|we are|i was|we were|i've been|we've been) (?:\w+ )?(?:at|in|on|off|out|back|just|still|waiting|sitting|stuck|standing|cooking|driving|walking|heading|about to|between|writing|typing|listening|watching|reading|having|away|here)|waiting (?:for|at|in)|sitting (?:in|at|on)|stuck (?:in|at|on)|standing (?:in|at)|while |during |after (?:the|my|our|that|lunch|work)|before (?:the|my|our|i)|on (?:my|the|our) way|(?:just )?(?:got )?(?:back|home|out) (?:from|of)|in the middle of|half(?:way)? through|between |typing (?:this )?|my (?:wife|husband|partner|mum|mom|dad|mother|father|sister|brother|cousin|uncle|aunt|friend|neighbour|neighbor|colleague|boss|teacher|coach|gran|grandma|flatmate) (?:says|said|told|asked|thinks|claims|texted)|(?:she|he|they|someone|somebody|everybody) (?:said|says|told|asked|called|thinks|goes|texted))/iu;

const FULL = 1;
const WORTH: Readonly<Record<ClauseRole, number>> = {
  point: FULL,
  told: 0.85,
  'before-turn': 0.6,
  aside: 0.35,
  dismissed: 0.15,
};

export function roleOf(clauses: readonly Clause[], at: number): ClauseRole {
  const clause = clauses[at];
  if (clause === undefined) return 'told';
  const text = clause.text.replaceAll('’', "'");
  const later = clauses.slice(at + 1);
  const isAskedElsewhere = clauses.some(({ isAsk }, other) => isAsk && other !== at);
  if (DISMISSED.test(text) || NONE_OF_IT.test(text)) return isAskedElsewhere || !clause.isAsk ? 'dismissed' : 'told';
  if (ASIDE.test(text) && !/\?/u.test(text) && later.some(({ isAsk }) => isAsk)) return 'aside';
  if (!clause.isTurn && !/\?/u.test(text) && later.some(({ isTurn }) => isTurn)) return 'before-turn';
  return clause.isAsk ? 'point' : 'told';
}

export function worthOf(role: ClauseRole): number {
  return WORTH[role];
}
