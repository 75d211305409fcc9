/** Words that take something back, and what they take back. */
export interface TakenBack {
  /** "use Kafka", "the move to Postgres": what no longer holds, in the speaker's words. */
  readonly object: string;
  /** The words do nothing else: there is nothing to remember beside what they take back. */
  readonly isBare: boolean;
}

const WE = "(?:we|i|we're|i'm|we've|i've|we'll|i'll|the team|they|\\p{Lu}\\p{L}+)";
const OBJECT = '(?<object>.{2,120}?)';
const END =
  '(?:\\s*(?:after all|any ?more|anymore|any longer|for now|then|please|instead|,? (?:because|since|as|so|it|that|which)\\b.*))*[.!\\s]*$';

/** Each with whether the sentence says nothing beside what it takes back. */
const FORMS: readonly (readonly [string, boolean])[] = [
  [
    `${WE} (?:won't|will not|are not going to|aren't going to|am not going to|not going to|don't want to|decided not to|decided against|are no longer going to) (?:be )?${OBJECT},? (?:after all|any ?more|anymore|any longer)[.!]?`,
    false,
  ],
  [
    `${WE} (?:are not|aren't|am not|is not|isn't|not) (?<object>\\p{L}+ing .{2,120}?),? (?:after all|any ?more|anymore)`,
    false,
  ],
  [`${WE} (?:are|'re|am|'m|is)? ?no longer (?<object>\\p{L}+ing .{2,120}?)${END}`, false],
  [`(?:let's|let us) not ${OBJECT},? after all[.!]?`, false],
  [
    `(?:scrap|drop|ditch|kill|bin|abandon|cancel|call off|withdraw|take back|never ?mind|strike|shelve) (?:the |that |this |our |my )?(?:whole )?(?:idea|plan|decision|thought|proposal|intention)s? (?:of |to |for |about |with |that (?:we|i) )${OBJECT}${END}`,
    true,
  ],
  [
    `(?:scrap|drop|ditch|abandon|cancel|call off|shelve) (?:the|that|our|my) ${OBJECT} (?:idea|plan|decision|thing)${END}`,
    true,
  ],
  [
    `(?:forget|ignore|disregard|never ?mind|strike|take back|scratch) (?:about )?(?:what|everything|all|the thing|the stuff) (?:that )?(?:i|we) (?:just )?(?:said|told you|wrote|mentioned|decided|asked)(?: (?:before|earlier|yesterday|last week))? (?:about|on|regarding|concerning|of) ${OBJECT}${END}`,
    true,
  ],
  [`(?:i|we)(?:'ve| have)? changed (?:my|our) minds? (?:about|on|regarding) ${OBJECT}${END}`, true],
  [`(?:i|we) (?:take|took) back (?:what (?:i|we) said|my words?) (?:about|on) ${OBJECT}${END}`, true],
  [
    `(?<object>(?:the|our|my|that) .{2,100}?) (?:is|are) (?:off|cancelled|canceled|called off|off the table|scrapped|no longer (?:the plan|planned|happening|valid|needed))${END}`,
    false,
  ],
  [
    `(?:wir|ich) (?:nehmen|nehme|benutzen|benutze|verwenden|verwende|nutzen|nutze|machen|mache) ${OBJECT} (?:jetzt )?doch nicht(?: mehr)?[.!]?`,
    false,
  ],
  [
    `vergiss (?:,? was ich (?:über|zu|von)|das mit|die idee mit|den plan mit) ${OBJECT}(?: gesagt habe)?[.!\\s]*$`,
    true,
  ],
  [`(?:al final|finalmente) no (?:vamos a |voy a )?${OBJECT}[.!\\s]*$`, false],
  [`olvida lo que dije (?:sobre|de) ${OBJECT}[.!\\s]*$`, true],
  [`(?:finalement,? )?(?:on|nous) ne ${OBJECT} (?:plus|finalement pas)[.!]?`, false],
  [`oublie ce que j'ai dit (?:sur|à propos de) ${OBJECT}[.!\\s]*$`, true],
];
const OPENERS = '(?:(?:ok(?:ay)?|so|well|actually|hm+|oh|right|no|wait|please|and|but|then|also|alors|bueno)[,:]? )*';
const PATTERNS = FORMS.map(([form, isBare]) => ({ pattern: new RegExp(`^${OPENERS}${form}`, 'iu'), isBare }));

/** Whoever asks, supposes or speaks of others' doubts takes nothing back. */
const NOT_MEANT =
  /\?\s*$|\b(?:if|unless|whether|should we|shall we|could|would|might|maybe|perhaps|said (?:that )?(?:we|they|he|she)|don't (?:forget|cancel|drop|scrap)|never forget)\b/iu;

/** What a sentence takes back; undefined for nearly every sentence. */
export function findTakenBack(sentence: string): TakenBack | undefined {
  const text = sentence.trim().replaceAll('’', "'");
  if (NOT_MEANT.test(text)) return undefined;
  for (const { pattern, isBare } of PATTERNS) {
    const object = pattern.exec(text)?.groups?.['object']?.replace(/[\s,;]+$/u, '');
    if (object !== undefined && /\p{L}{2}/u.test(object) && !/^(?:that|this|it|them|so|one)$/iu.test(object)) {
      return { object, isBare };
    }
  }
  return undefined;
}
