import type { Utterance } from '../clauses/utterance.ts';
import { RELATION_NOUN } from '../entities/people.ts';
import type { Scene } from '../kinds/finding.ts';

const PRONOUN = /(?<![\p{L}'])(?<word>he|she|him|his|her)(?![\p{L}-])/iu;
const MALE = /^(?:he|him|his)$/iu;
const RELATIVE = new RegExp(`\\b(?:my|our) (?:new |old |little |big |older |younger )?${RELATION_NOUN}\\b`, 'iu');
const MAN =
  /\b(?:brother|father|dad|husband|boyfriend|son|uncle|nephew|grandfather|grandpa|father-in-law|godfather|landlord|brother-in-law|stepson)$/iu;
const WOMAN =
  /\b(?:sister|mother|mum|mom|wife|girlfriend|daughter|aunt|niece|grandmother|grandma|mother-in-law|godmother|landlady|sister-in-law|stepdaughter)$/iu;
/** The number of turns back that a pronoun reaches. */
const REACH_TURNS = 2;

/** Whom the first "he" or "she" of a statement means, where only one person can be meant; as the user would say it. */
export function findMeantPerson(utterance: Utterance, scene: Scene): string | undefined {
  const found = PRONOUN.exec(utterance.text);
  if (found === null || peopleIn(utterance.text.slice(0, found.index), scene).length > 0) return undefined;
  const isMale = MALE.test(found[0]);
  for (const earlier of before(utterance, scene)) {
    const named = peopleIn(earlier.text, scene).filter((name) => couldBe(name, isMale, scene));
    if (named.length === 1) return named[0];
    if (named.length > 1) return isSubject(earlier, named[0]) ? named[0] : undefined;
  }
  return undefined;
}

/** The statements before, latest first. */
function* before({ turnIndex, index }: Utterance, { turns }: Scene): Generator<Utterance> {
  for (let place = turnIndex; place >= Math.max(0, turnIndex - REACH_TURNS); place -= 1) {
    const turn = turns[place] ?? [];
    yield* turn.slice(0, place === turnIndex ? index : turn.length).reverse();
  }
}

function peopleIn(text: string, scene: Scene): string[] {
  const found: string[] = [];
  for (const [word] of text.matchAll(/\p{L}[\p{L}'-]*/gu)) {
    const name = scene.people.nameOf(word);
    if (name !== undefined && !found.includes(name)) found.push(name);
  }
  const [relative] = RELATIVE.exec(text) ?? [];
  return found.length === 0 && relative !== undefined ? [relative] : found;
}

function couldBe(name: string, isMale: boolean, { lexicon }: Scene): boolean {
  if (name.includes(' ')) return !(isMale ? WOMAN : MAN).test(name);
  const classes = lexicon.classesOf(name);
  return !classes.includes(isMale ? 'FemaleName' : 'MaleName') || classes.includes(isMale ? 'MaleName' : 'FemaleName');
}

/** "Priya told Kemal …": what goes on about "she" or "he" goes on about whoever the sentence is about. */
function isSubject({ text }: Utterance, name: string | undefined): boolean {
  return name !== undefined && text.toLowerCase().startsWith(name.toLowerCase());
}

/** The statement with the person in place of its first pronoun, or beside it where the form would change. */
export function namePerson(text: string, person: string): string {
  const own = person.charAt(0).toUpperCase() + person.slice(1);
  return text.replace(PRONOUN, (word: string, _word: string, index: number) => {
    if (index > 0) return `${word} (${person})`;
    return /^(?:his|her)$/iu.test(word) ? `${own}'s` : own;
  });
}

/** The rest without what the person stands for: is anything else left open? */
export function withoutPronouns(text: string): string {
  return text.replaceAll(new RegExp(PRONOUN.source, 'giu'), 'someone');
}
