/** A dictionary's classes of a word, in compromise's names (`Infinitive`, `PastTense`, `FirstName`, `City`). */
export interface Lexicon {
  classesOf(word: string): readonly string[];
  /** "lives" for "live"; undefined when the word is no verb, or its form is not certain. */
  presentOf(verb: string): string | undefined;
  isPast(verb: string): boolean;
  /** The words of a sentence with their classes as they stand there: "is" and "book" by their neighbours. */
  wordsIn(sentence: string): readonly TaggedWord[];
}

export interface TaggedWord {
  readonly text: string;
  readonly tags: ReadonlySet<string>;
}

interface Conjugation {
  readonly PastTense?: string;
  readonly PresentTense?: string;
}

interface World {
  readonly model: {
    readonly one: { readonly lexicon: Readonly<Record<string, string | readonly string[] | undefined>> };
  };
  readonly methods: {
    readonly two: {
      readonly transform: {
        readonly verb: {
          conjugate(infinitive: string, model: World['model']): Conjugation;
          toInfinitive(verb: string, model: World['model'], tense: string): string;
        };
      };
    };
  };
}

interface Library {
  (sentence: string): { readonly docs: readonly (readonly TaggedWord[])[] };
  world(): World;
}

let loading: Promise<Lexicon> | undefined;

/** Big, so it is loaded when first needed. A single word is looked up directly: tagging takes half a millisecond. */
export async function loadLexicon(): Promise<Lexicon> {
  loading ??= import('compromise/two').then((module) => {
    const library = module.default as unknown as Library;
    const { model, methods } = library.world();
    const dictionary = new Map(Object.entries(model.one.lexicon));
    const verbs = methods.two.transform.verb;
    const classesOf = (word: string): readonly string[] => {
      const found = dictionary.get(word.toLowerCase());
      if (found === undefined) return [];
      return typeof found === 'string' ? [found] : found;
    };
    const isPast = (verb: string): boolean =>
      classesOf(verb).includes('PastTense') || (/[^e]ed$/u.test(verb) && !classesOf(verb).includes('Infinitive'));
    return {
      classesOf,
      isPast,
      wordsIn: (sentence) => library(sentence).docs.flat(),
      presentOf: (verb) => {
        if (!/^\p{L}{2,}$/u.test(verb) || isPast(verb)) return undefined;
        const { PastTense: past = verb, PresentTense: present = verb } = verbs.conjugate(verb, model);
        // "I put", "I read": now or then?
        if (past === verb || present === verb) return undefined;
        const isVerb = classesOf(verb).includes('Infinitive') || classesOf(past).includes('PastTense');
        return isVerb && verbs.toInfinitive(present, model, 'PresentTense') === verb ? present : undefined;
      },
    };
  });
  return loading;
}

const FIRST_NAMES = new Set(['FirstName', 'MaleName', 'FemaleName', 'Person']);
const PLACES = new Set(['City', 'Country', 'Region', 'Place']);

export function isFirstName(lexicon: Lexicon, word: string): boolean {
  return lexicon.classesOf(word).some((name) => FIRST_NAMES.has(name));
}

export function isPlaceName(lexicon: Lexicon, word: string): boolean {
  return lexicon.classesOf(word).some((name) => PLACES.has(name));
}
