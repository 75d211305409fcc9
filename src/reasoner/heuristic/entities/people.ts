import type { HeardConversation } from '../../port.ts';
import { isFirstName, isPlaceName, type Lexicon } from './lexicon.ts';
import { capitalise } from '../../../model/text.ts';

/** Nouns that name people by their relation to another person. */
export const RELATION_NOUN =
  '(?:sister|brother|sibling|mother|mum|mom|father|dad|parents|wife|husband|partner|girlfriend|boyfriend|fiancée?|daughter|son|kids?|child|children|baby|aunt|uncle|cousin|niece|nephew|grandmother|grandma|grandfather|grandpa|grandparents|in-laws|mother-in-law|father-in-law|friend|best friend|flatmate|roommate|neighbou?r|landlord|landlady|boss|manager|team ?lead|lead|cto|ceo|cfo|colleague|coworker|co-worker|teammate|intern|mentor|mentee|assistant|doctor|gp|paediatrician|pediatrician|dentist|vet|therapist|physio|physiotherapist|lawyer|accountant|tax advisor|teacher|tutor|coach|trainer|babysitter|nanny|childminder|plumber|electrician|caretaker|janitor|client|customer contact|recruiter|designer|contractor|handyman|hairdresser|godmother|godfather|godchild|ex|sister-in-law|brother-in-law|stepson|stepdaughter|mentor)';

const SPOKEN_OF_AS_PERSON =
  /^(?:said|says|told|asked|wants|wanted|thinks|thought|likes|loves|hates|prefers|lives|works|joined|joins|mentioned|replied|agreed|suggested|owns|leads|manages|speaks|knows|needs|is (?:our|my|the new|allergic|vegetarian|vegan|pregnant|married|retired|\d+|on (?:parental|maternity|paternity|sick) leave)|will|approved|reviews|handles|'s (?:birthday|number|email|phone|team|boss|wife|husband|partner))\b/iu;

/** "The Router needs a restart": who has an article before the name is a thing. */
const AFTER_ARTICLE = /(?<![\p{L}])(?:the|an?|this|every|each|another|any) $/iu;

/** Capitalised words that are no names of people. */
const NO_NAME = new Set(
  (
    'i the a an and but so if ok okay yes no not also just then this that it its we you he she they my our your his her ' +
    'monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september ' +
    'october november december english german french spanish polish hungarian english docker redis postgres kafka rust typescript ' +
    'javascript python linux ios android google apple amazon github slack jira whatsapp claude mac windows chrome firefox'
  ).split(' '),
);

/** The people a conversation speaks of, by name: lower-case mentions of a name are recognised too. */
export interface People {
  /** The name as it is properly written, when the word is one of somebody other than the user. */
  nameOf(word: string): string | undefined;
  readonly names: readonly string[];
}

export function findPeople(conversation: HeardConversation, lexicon: Lexicon): People {
  const names = new Map<string, string>();
  const user = conversation.user?.toLowerCase().split(/\s+/u)[0];
  const others = new Set<string>();
  const add = (name: string): void => {
    const key = name.toLowerCase();
    if (key !== user && !others.has(key)) names.set(key, names.get(key) ?? name);
  };
  for (const { name, type, isUser } of conversation.known ?? []) {
    const first = name.split(/\s+/u)[0] ?? name;
    if (type === 'person' && isUser !== true) add(first);
    else if (type !== 'person') others.add(first.toLowerCase());
  }
  if (conversation.project !== undefined) others.add(conversation.project.toLowerCase());
  for (const { text, role } of conversation.turns) {
    if (role === 'tool' || role === 'system') continue;
    for (const name of namesIn(text.slice(0, 8000), lexicon)) add(name);
  }
  return {
    nameOf: (word) => names.get(word.toLowerCase().replace(/'s$|s'$/u, '')),
    names: [...names.values()],
  };
}

function* namesIn(text: string, lexicon: Lexicon): Generator<string> {
  for (const match of text.matchAll(/(?<![\w`/.@-])(\p{L}[\p{L}-]+)(?![\w`/@])/gu)) {
    const word = match[1] ?? '';
    const key = word.toLowerCase();
    if (NO_NAME.has(key) || word.length < 3) continue;
    const isCapital = /^\p{Lu}\p{Ll}/u.test(word);
    if (isFirstName(lexicon, key)) {
      if (isCapital || !isCommonWord(lexicon, key)) yield isCapital ? word : capitalise(word);
      continue;
    }
    if (isPlaceName(lexicon, key)) continue;
    const before = text.slice(Math.max(0, match.index - 24), match.index);
    const after = text.slice(match.index + word.length, match.index + word.length + 24).trimStart();
    const isIntroduced = new RegExp(`\\b(?:my|our|her|his|their|the) (?:new )?${RELATION_NOUN},? $`, 'iu').test(before);
    const isActing = SPOKEN_OF_AS_PERSON.test(after) && !isCommonWord(lexicon, key) && !AFTER_ARTICLE.test(before);
    if (isIntroduced && !isCommonWord(lexicon, key)) yield capitalise(word);
    else if (isCapital && isActing && !/[.!?]\s*$|^$/u.test(before) && /\p{L}[ ,]$/u.test(before)) yield word;
    else if (
      isCapital &&
      isActing &&
      lexicon.classesOf(key).length === 0 &&
      !/^(?:will|needs|handles|knows)\b/u.test(after)
    )
      yield word;
    else if (isActing && /^'s (?:birthday|number|email|phone)/iu.test(after)) yield capitalise(word);
  }
}

/** Words like "will", "mark" or "rose" are names only when they are written like one. */
function isCommonWord(lexicon: Lexicon, word: string): boolean {
  return lexicon
    .classesOf(word)
    .some((name) =>
      /Verb|Infinitive|Noun|Adjective|Modal|Adverb|Tense|Singular|Plural|Gerund|Preposition|Conjunction|Determiner|Pronoun|Date|Month/u.test(
        name,
      ),
    );
}
