import { extractTerms } from '../../search-index/text/terms.ts';

/** One way of asking for a procedure, as words that all have to be said. */
export interface TriggerPhrase {
  /** As the file has it. */
  readonly text: string;
  readonly terms: readonly string[];
}

/** `When the user asks to`: how people begin a trigger, and nothing anybody says to an agent. */
const OPENING =
  /^(?:(?:when|whenever|if|as soon as|once|after|before|every time)\b[\s,]*)?(?:(?:the\s+)?(?:user|person|customer|somebody|someone|anyone|they|you|we|i)\b\s*)?(?:(?:asks?|wants?|needs?|says?|would like|requests?|tells?|mentions?|is|are|has|have|gets?)\b\s*)?(?:(?:me|us|you|the agent)\b\s*)?(?:(?:to|for|about|that|how to)\b\s*)?/iu;

const SEPARATOR = /\s*(?:[,;.\n•]|\bor\b|\/|\boder\b)\s*/iu;

/** The small words of other languages; the index knows those of English only. */
const SMALL_WORDS: ReadonlySet<string> = new Set(
  extractTerms(
    `wenn falls sobald der die das den dem ein eine einen man ich wir nutzer benutzer mich mir bittet möchte will soll zum zur und oder auf für mit nach
    cuando si el la los las un una usuario pide quiere por para con del al y que quand lorsque le les un une utilisateur demande veut pour avec des du
    et de en`,
  ),
);

/** Words of nearly every request decide nothing alone. */
const EVERYDAY: ReadonlySet<string> = new Set(
  extractTerms(
    'ask asks want wants need user something anything please help make do get go start new work thing case time day task',
  ),
);

/** `When the user asks to deploy, push to production, or ship` → deploy · push production · ship. */
export function triggerPhrases(trigger: string): TriggerPhrase[] {
  const phrases: TriggerPhrase[] = [];
  for (const part of trigger.split(SEPARATOR)) {
    const text = part
      .replace(/^[-*+>\s]+/u, '')
      .replace(OPENING, '')
      .trim();
    const phrase = phraseOf(text);
    if (phrase !== undefined) phrases.push(phrase);
  }
  return phrases;
}

/** undefined when nothing in it tells anything apart. */
export function phraseOf(text: string): TriggerPhrase | undefined {
  const terms = [...new Set(extractTerms(text))].filter((term) => !SMALL_WORDS.has(term));
  return terms.every((term) => EVERYDAY.has(term)) ? undefined : { text, terms };
}
