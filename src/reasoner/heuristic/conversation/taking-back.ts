const WE = "(?:we|i|we're|i'm|we've|i've|we'll|i'll|the team|they|\\p{Lu}\\p{L}+)";
const OBJECT = '(?<object>.{2,120}?)';
const END =
  '(?:\\s*(?:after all|any ?more|anymore|any longer|for now|then|please|instead|,? (?:because|since|as|so|it|that|which)\\b.*))*[.!\\s]*$';

const FORMS: readonly string[] = [
  `${WE} (?:won't|will not|are not going to|aren't going to|am not going to|not going to|don't want to|decided not to|decided against|are no longer going to) (?:be )?${OBJECT},? (?:after all|any ?more|anymore|any longer)[.!]?`,
  `${WE} (?:are not|aren't|am not|is not|isn't|not) (?<object>\\p{L}+ing .{2,120}?),? (?:after all|any ?more|anymore)`,
  `${WE} (?:are|'re|am|'m|is)? ?no longer (?<object>\\p{L}+ing .{2,120}?)${END}`,
  `(?:let's|let us) not ${OBJECT},? after all[.!]?`,
  `(?:scrap|drop|ditch|kill|bin|abandon|cancel|call off|withdraw|take back|never ?mind|strike|shelve) (?:the |that |this |our |my )?(?:whole )?(?:idea|plan|decision|thought|proposal|intention)s? (?:of |to |for |about |with |that (?:we|i) )${OBJECT}${END}`,
  `(?:scrap|drop|ditch|abandon|cancel|call off|shelve) (?:the|that|our|my) ${OBJECT} (?:idea|plan|decision|thing)${END}`,
  `(?:forget|ignore|disregard|never ?mind|strike|take back|scratch) (?:about )?(?:what|everything|all|the thing|the stuff) (?:that )?(?:i|we) (?:just )?(?:said|told you|wrote|mentioned|decided|asked)(?: (?:before|earlier|yesterday|last week))? (?:about|on|regarding|concerning|of) ${OBJECT}${END}`,
  `(?:i|we)(?:'ve| have)? changed (?:my|our) minds? (?:about|on|regarding) ${OBJECT}${END}`,
  `(?:i|we) (?:take|took) back (?:what (?:i|we) said|my words?) (?:about|on) ${OBJECT}${END}`,
  `(?<object>(?:the|our|my|that) .{2,100}?) (?:is|are) (?:off|cancelled|canceled|called off|off the table|scrapped|no longer (?:the plan|planned|happening|valid|needed))${END}`,
  `(?:wir|ich) (?:nehmen|nehme|benutzen|benutze|verwenden|verwende|nutzen|nutze|machen|mache) ${OBJECT} (?:jetzt )?doch nicht(?: mehr)?[.!]?`,
  `vergiss (?:,? was ich (?:über|zu|von)|das mit|die idee mit|den plan mit) ${OBJECT}(?: gesagt habe)?[.!\\s]*$`,
  `(?:al final|finalmente) no (?:vamos a |voy a )?${OBJECT}[.!\\s]*$`,
  `olvida lo que dije (?:sobre|de) ${OBJECT}[.!\\s]*$`,
  `(?:finalement,? )?(?:on|nous) ne ${OBJECT} (?:plus|finalement pas)[.!]?`,
  `oublie ce que j'ai dit (?:sur|à propos de) ${OBJECT}[.!\\s]*$`,
];
const OPENERS = '(?:(?:ok(?:ay)?|so|well|actually|hm+|oh|right|no|wait|please|and|but|then|also|alors|bueno)[,:]? )*';
const PATTERNS = FORMS.map((form) => new RegExp(`^${OPENERS}${form}`, 'iu'));

/** Whoever asks, supposes or speaks of others' doubts takes nothing back. */
const NOT_MEANT =
  /\?\s*$|\b(?:if|unless|whether|should we|shall we|could|would|might|maybe|perhaps|said (?:that )?(?:we|they|he|she)|don't (?:forget|cancel|drop|scrap)|never forget)\b/iu;

/** The words a sentence takes back, as the speaker said them ("use Kafka"); undefined for nearly every sentence. */
export function findTakenBack(sentence: string): string | undefined {
  const text = sentence.trim().replaceAll('’', "'");
  if (NOT_MEANT.test(text)) return undefined;
  for (const pattern of PATTERNS) {
    const object = pattern.exec(text)?.groups?.['object']?.replace(/[\s,;]+$/u, '');
    if (object !== undefined && /\p{L}{2}/u.test(object) && !/^(?:that|this|it|them|so|one)$/iu.test(object))
      return object;
  }
  return undefined;
}
