/** What a dictionary says of a word: its classes, in compromise's names (`Infinitive`, `PastTense`, `FirstName`, `City`). */
export interface Lexicon {
  classesOf(word: string): readonly string[];
}

interface Library {
  world(): { model: { one: { lexicon: Readonly<Record<string, string | readonly string[] | undefined>> } } };
}

let loading: Promise<Lexicon> | undefined;

/** Big, so it is loaded when first needed. Its dictionary is looked up directly: tagging a sentence takes milliseconds. */
export async function loadLexicon(): Promise<Lexicon> {
  loading ??= import('compromise/two').then((module) => {
    const library = module.default as unknown as Library;
    const words = new Map(Object.entries(library.world().model.one.lexicon));
    return {
      classesOf: (word) => {
        const found = words.get(word.toLowerCase());
        if (found === undefined) return [];
        return typeof found === 'string' ? [found] : found;
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

export function isPastForm(lexicon: Lexicon, word: string): boolean {
  const classes = lexicon.classesOf(word);
  return classes.includes('PastTense') || classes.includes('Participle') || /[^e]ed$/u.test(word);
}
