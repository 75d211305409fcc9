/** Words by which people say that they say it again: "as we said", "you know the rule", "still the best lesson". */
const REMINDS =
  /(?<![\p{L}'])(?:(?:just )?as (?:i|we|you) (?:said|agreed|decided|discussed|know|told you)|as (?:agreed|discussed|decided|always|before|ever|you know)|like (?:i|we) said|(?:i|we) (?:already |have already |'ve already )?(?:told you|said)(?: (?:that|so|this|it))?(?: (?:already|before|earlier|last \p{L}+|on \p{L}+day|a hundred times))?|you know (?:the (?:rule|drill|story|deal)|how it goes)|you (?:already )?know (?:that|this)(?= )|still (?:true|holds|applies|stands|the (?:rule|best|case|same)(?: \p{L}+)?)|same (?:as|rule as) (?:always|before|ever|last time)|(?:the|our) (?:usual|old|well-known) (?:rule|lesson|story)|once (?:again|more)|i keep saying|should hear (?:this |that |it )?again|how often (?:do|did|have) i (?:say|said)(?: (?:it|that))?|for the (?:second|third|hundredth) time|(?:i )?repeat:?|reminder:|remember,|remember:|nothing new[,:]?|still and forever:?)(?![\p{L}'])[,:;]?/giu;

/** The agent's question in front: it is not what somebody is reminded of. */
const ASKED = /^[^?]{5,160}\? (?=\p{L})/u;

interface Reminder {
  /** What is said, without the words that say it is known. */
  readonly text: string;
  readonly isReminder: boolean;
}

export function readReminder(text: string): Reminder {
  const plain = text.replaceAll(/\s+/gu, ' ').trim();
  const rest = plain.replaceAll(REMINDS, ' ').replaceAll(/\s+/gu, ' ').trim();
  return rest === plain ? { text, isReminder: false } : { text: rest.replace(ASKED, ''), isReminder: true };
}
