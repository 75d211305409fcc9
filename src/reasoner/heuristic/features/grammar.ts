import type { Heard } from '../kinds/finding.ts';

/** Of the classes that a word has, the first of these says most about the sentence it stands in. */
const TELLING =
  'Pronoun Possessive Determiner Conjunction Preposition QuestionWord Copula Modal Auxiliary Negative FirstName Person Place Date Duration Time Money Value Gerund PastTense PresentTense Imperative Infinitive Participle PhrasalVerb Verb Comparative Superlative Adjective Adverb ProperNoun Plural Actor Organization Noun Expression Url'.split(
    ' ',
  );
const START = '^';
const END = '$';
/** How many words of its beginning tell a sentence's build. */
const BEGINNINGS = [2, 3, 4];
/** Tagging takes time by the word; how a sentence is built shows long before this. */
const MAX_CHARACTERS = 600;

/** How a sentence is built, whatever its words: what two writers have in common who share no vocabulary. */
export function* grammarFeatures({ utterance, scene }: Heard): Generator<string> {
  const classes = scene.lexicon
    .classesIn(utterance.text.slice(0, MAX_CHARACTERS))
    .map((each) => TELLING.find((name) => each.has(name)) ?? 'Other');
  let before = START;
  for (const each of [...classes, END]) {
    yield `y:${before}_${each}`;
    before = each;
  }
  for (const length of BEGINNINGS) yield `yb:${classes.slice(0, length).join('_')}`;
}
