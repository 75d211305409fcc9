import { isPastForm, type Lexicon } from '../entities/lexicon.ts';

export interface Speakers {
  /** Stands for "I". */
  readonly user: string;
  /** Stands for "we". */
  readonly group: string;
  /** Whether "you" is the agent, as in wishes about its work, or anybody, as in instructions. */
  readonly isAgentAddressed: boolean;
  readonly lexicon: Lexicon;
}

const IRREGULAR: Readonly<Record<string, string>> = {
  am: 'is',
  are: 'is',
  were: 'was',
  have: 'has',
  "haven't": "hasn't",
  do: 'does',
  "don't": "doesn't",
  "aren't": "isn't",
  "weren't": "wasn't",
  go: 'goes',
};
const UNCHANGING = new Set(
  "will would can could shall should may might must won't wouldn't can't cannot couldn't shouldn't mustn't had hadn't did didn't was wasn't is isn't has hasn't does doesn't ought 'd gotta gonna put set cut let hit read cost quit and or but who that which to".split(
    ' ',
  ),
);
const ADVERBS = new Set(
  'also always never really just still now usually often generally only actually already finally probably both all then currently rarely sometimes almost definitely ever even mostly recently strongly much personally honestly absolutely kind sort of not'.split(
    ' ',
  ),
);

const CONTRACTED: Readonly<Record<string, string>> = { m: 'is', re: 'is', ve: 'has', ll: 'will', d: 'would' };

/** First person to third: a statement is read by somebody who was not there. */
export function toThirdPerson(text: string, speakers: Speakers): string {
  const spans = text.split(/(`[^`]*`)/u);
  return spans.map((span, index) => (index % 2 === 1 ? span : rewrite(span, speakers))).join('');
}

function rewrite(text: string, speakers: Speakers): string {
  const { user, group } = speakers;
  let result = text
    .replaceAll(
      /(?<![\w'])(i|we)'(m|re|ve|ll|d)(?![\w'])/giu,
      (_whole, who: string, ending: string) => `${subjectOf(who, speakers)} ${CONTRACTED[ending.toLowerCase()] ?? ''}`,
    )
    .replaceAll(/(?<![\w'/.-])(i|we)((?:\s+[\p{L}']+){1,4})/giu, (_whole, who: string, rest: string) =>
      agree(subjectOf(who, speakers), rest, speakers),
    )
    .replaceAll(/(?<![\w'])(?:i|I)(?![\w'.])/gu, user)
    .replaceAll(/(?<![\w'])we(?![\w'])/giu, group)
    .replaceAll(/(?<![\w'])my(?![\w'])/giu, possessive(user))
    .replaceAll(/(?<![\w'])mine(?![\w'])/giu, possessive(user))
    .replaceAll(/(?<![\w'])(?:our|ours)(?![\w'])/giu, possessive(group))
    .replaceAll(/(?<![\w'])me(?![\w'])/giu, user)
    .replaceAll(/(?<![\w'])us(?![\w'])/gu, group)
    .replaceAll(/(?<![\w'])myself(?![\w'])/giu, `${user} personally`);
  if (speakers.isAgentAddressed) {
    result = result
      .replaceAll(/(?<![\w'])you're(?![\w'])/giu, 'the agent is')
      .replaceAll(/(?<![\w'])your(?:s|self)?(?![\w'])/giu, "the agent's")
      .replaceAll(/(?<![\w'])you(?![\w'])/giu, 'the agent');
  }
  return result;
}

function subjectOf(who: string, { user, group }: Speakers): string {
  return who.toLowerCase() === 'i' ? user : group;
}

/** "I usually live" → "Ines usually lives": the verb is the first word behind that is no adverb. */
function agree(subject: string, rest: string, speakers: Speakers): string {
  const words = rest.trim().split(/\s+/u);
  const place = words.findIndex((word) => !ADVERBS.has(word.toLowerCase()) && !word.endsWith('ly'));
  const changed = words.map((word, index) => (index === place ? thirdForm(word, speakers.lexicon) : word));
  return `${subject} ${changed.join(' ')}`;
}

function thirdForm(verb: string, lexicon: Lexicon): string {
  const key = verb.toLowerCase();
  const irregular = IRREGULAR[key];
  if (irregular !== undefined) return irregular;
  if (UNCHANGING.has(key) || isPastForm(lexicon, key) || /'|ing$/u.test(key)) return verb;
  const classes = lexicon.classesOf(key);
  if (classes.length > 0 && !classes.some((name) => /Infinitive|Verb|PresentTense|Noun|Singular|Adjective/u.test(name)))
    return verb;
  if (/(?:[sxz]|ch|sh|o)$/u.test(key)) return `${verb}es`;
  if (/[^aeiou]y$/u.test(key)) return `${verb.slice(0, -1)}ies`;
  return `${verb}s`;
}

function possessive(name: string): string {
  return `${name}'s`;
}
