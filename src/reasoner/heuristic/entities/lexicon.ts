import fs from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { readDictionary } from './dictionary.ts';

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

type Classes = Readonly<Record<string, string | readonly string[] | undefined>>;

interface World {
  readonly model: {
    readonly one: { readonly lexicon: Classes };
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

/** Knows the words of a language: the library, or its dictionary until more is asked. */
interface Words {
  readonly classesOf: (word: string) => readonly string[];
  readonly library: () => Library;
}

let loading: Promise<Lexicon> | undefined;

/** Its library is loaded when a sentence is first to be tagged or a verb conjugated, where the package has the dictionary beside it. */
export async function loadLexicon(): Promise<Lexicon> {
  loading ??= openWords().then(lexiconOf);
  return loading;
}

/** Both are files of the package. A checkout has no dictionary, nor has a program that bundled this file into its own. */
async function openWords(): Promise<Words> {
  const dictionary = fileURLToPath(new URL('./dictionary.txt.br', import.meta.url));
  if (fs.existsSync(dictionary)) {
    const load = createRequire(import.meta.url);
    let library: Library | undefined;
    return {
      classesOf: readDictionary(brotliDecompressSync(fs.readFileSync(dictionary)).toString('utf8')),
      library: () => (library ??= (load('./library-words.js') as { readonly library: unknown }).library as Library),
    };
  }
  const library = (await import('./words-library.ts')).library as unknown as Library;
  const classes = new Map(Object.entries(await loadClasses()));
  return { classesOf: (word) => [classes.get(word) ?? []].flat(), library: () => library };
}

/** The library's dictionary, with every form of its verbs and nouns. */
export async function loadClasses(): Promise<Classes> {
  const library = (await import('./words-library.ts')).library as unknown as Library;
  return library.world().model.one.lexicon;
}

function lexiconOf(words: Words): Lexicon {
  const classesOf = (word: string): readonly string[] => words.classesOf(word.toLowerCase());
  const isPast = (verb: string): boolean =>
    classesOf(verb).includes('PastTense') || (/[^e]ed$/u.test(verb) && !classesOf(verb).includes('Infinitive'));
  return {
    classesOf,
    isPast,
    wordsIn: (sentence) => words.library()(sentence).docs.flat(),
    presentOf: (verb) => {
      if (!/^\p{L}{2,}$/u.test(verb) || isPast(verb)) return undefined;
      const { model, methods } = words.library().world();
      const verbs = methods.two.transform.verb;
      const { PastTense: past = verb, PresentTense: present = verb } = verbs.conjugate(verb, model);
      // "I put", "I read": now or then?
      if (past === verb || present === verb) return undefined;
      const isVerb = classesOf(verb).includes('Infinitive') || classesOf(past).includes('PastTense');
      return isVerb && verbs.toInfinitive(present, model, 'PresentTense') === verb ? present : undefined;
    },
  };
}

const FIRST_NAMES = new Set(['FirstName', 'MaleName', 'FemaleName', 'Person']);
const PLACES = new Set(['City', 'Country', 'Region', 'Place']);

export function isFirstName(lexicon: Lexicon, word: string): boolean {
  return lexicon.classesOf(word).some((name) => FIRST_NAMES.has(name));
}

export function isPlaceName(lexicon: Lexicon, word: string): boolean {
  return lexicon.classesOf(word).some((name) => PLACES.has(name));
}
