import type { Lexicon } from '../entities/lexicon.ts';

export interface Speaker {
  /** Stands for "I". */
  readonly user: string;
  readonly lexicon: Lexicon;
}

/** Verbs whose third form no rule gives, with those that have only one. */
const FORMS: Readonly<Record<string, string>> = {
  am: 'is',
  have: 'has',
  "haven't": "hasn't",
  do: 'does',
  "don't": "doesn't",
  ...Object.fromEntries(
    "was wasn't had hadn't did didn't will won't would wouldn't can can't cannot could couldn't shall should shouldn't may might must mustn't ought"
      .split(' ')
      .map((word) => [word, word]),
  ),
};
const CONTRACTED: Readonly<Record<string, string>> = { m: 'is', ve: 'has', ll: 'will' };
const ADVERBS = new Set(
  'also always never really just still now usually often generally only actually already finally probably then currently rarely sometimes almost definitely ever even mostly recently strongly personally honestly absolutely'.split(
    ' ',
  ),
);
const FIRST_PERSON = /(?<![\w'/.-])(?:i|me|my)(?![\w.-])/iu;
/** No certain third form: "mine", "myself", and "I'd", which is "had" or "would". */
const UNCERTAIN = /(?<![\w'])(?:mine|myself|i'd|am i|do i|have i|was i|should i|can i|will i)(?![\w'])/iu;

/**
 * First person to third where every verb's form is certain; else the words as they were said. A statement carries its
 * speaker's name elsewhere, so "I" can be understood; a wrong form cannot be undone.
 */
export function toThirdPerson(text: string, speaker: Speaker): string {
  const spans = text.split(/(`[^`]*`|"[^"]*")/u);
  const changed = spans.map((span, index) => (index % 2 === 1 ? span : rewrite(span, speaker)));
  return changed.includes(undefined) ? text : changed.join('');
}

function rewrite(text: string, { user, lexicon }: Speaker): string | undefined {
  if (!FIRST_PERSON.test(text)) return UNCERTAIN.test(text) ? undefined : text;
  if (UNCERTAIN.test(text)) return undefined;
  let isCertain = true;
  const result = text
    .replaceAll(/(?<![\w'/.-])i'(m|ve|ll)(?![\w'])/giu, (_whole, ending: string) => {
      return `${user} ${CONTRACTED[ending.toLowerCase()] ?? ''}`;
    })
    .replaceAll(/(?<![\w'/.-])i((?:\s+[\p{L}']+){1,4})/giu, (whole, rest: string, index: number) => {
      const agreed = agree(user, rest, text.slice(index + whole.length), lexicon);
      isCertain &&= agreed !== undefined;
      return agreed ?? whole;
    })
    .replaceAll(/(?<![\w'/.-])my(?![\w'-])/giu, `${user}'s`)
    .replaceAll(/(?<![\w'/.-])me(?![\w'-])/giu, user);
  return isCertain && !/(?<![\w'/.-])i(?![\w'.-])/iu.test(result) ? result : undefined;
}

/** "I usually live" → "Ines usually lives": the verb is the first word behind that is no adverb. */
function agree(user: string, rest: string, after: string, lexicon: Lexicon): string | undefined {
  const words = rest.trim().split(/\s+/u);
  const place = words.findIndex((word) => !ADVERBS.has(word.toLowerCase()) && !/..ly$/u.test(word));
  const verb = words[place]?.toLowerCase();
  if (verb === undefined) return undefined;
  const form = FORMS[verb] ?? (lexicon.isPast(verb) ? verb : lexicon.presentOf(verb));
  if (form === undefined) return undefined;
  // "I live in Graz and work there": the second verb would have to change too; after "to" and "don't" it would not.
  const following = `${words.slice(place + 1).join(' ')}${after}`;
  const isHelping = /^(?:do|don't)$/u.test(verb) || following.startsWith('to ');
  if (form !== verb && !isHelping && sharesSubject(following, lexicon)) return undefined;
  return `${user} ${words.map((word, index) => (index === place ? form : word)).join(' ')}`;
}

function sharesSubject(text: string, lexicon: Lexicon): boolean {
  for (const [, word = ''] of text.matchAll(
    /(?:,|\b(?:and|or|but|then))\s+(?:also |then |just |never |always |don't )?([\p{L}']+)/giu,
  )) {
    const key = word.toLowerCase();
    if (key in FORMS || lexicon.presentOf(key) !== undefined) return true;
  }
  return false;
}
