import type { Language } from './understanding.ts';
import type { Word } from './words.ts';

const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/gu;

/** Words that are frequent in one of the languages and rare in the others; folded, as `Word.folded` is. */
const MARKERS: Readonly<Record<Exclude<Language, 'other'>, string>> = {
  en:
    'the what when where who which how why did does do is are was were has have had of to and in on for with about my ' +
    'we you it this that from can should tell last ago yesterday week month year today i me our your she he they his her if ' +
    'not any at by use used new',
  de:
    'der die das den dem und ist war waren wie was wann wo wer warum welche welcher welches wir ich du mir mich uns ' +
    'mein meine unser unsere hat haben hatte wurde nicht mit fur uber von zum zur beim letzte letzten letztes letzter woche ' +
    'monat jahr gestern heute vorgestern seit vor am im ein eine einen auf geht mache macht kennst weisst sich nach gibt es',
  es:
    'el los las que cuando donde quien como por cual cuales es son fue era esta estaba hemos ha he hay mi mis nuestro ' +
    'nuestra con para sobre del una uno y en de la lo se semana mes ano ayer anoche hoy hace pasado pasada sabes dijo hizo ' +
    'cuanto',
  fr:
    'le les des du que quand ou qui comment pourquoi quel quelle quels quelles est sont etait avons avez nous vous ' +
    'je tu il elle mon ma mes notre avec pour sur dans une et en de la semaine mois annee hier depuis dernier derniere ce ' +
    'cette sait sais faire fait qu',
};

const LANGUAGES = ['en', 'de', 'es', 'fr'] as const;

/** Words used by two languages are evidence for both; the more telling ones decide. */
const languagesOf = new Map<string, (typeof LANGUAGES)[number][]>();
for (const language of LANGUAGES) {
  for (const marker of MARKERS[language].split(' ')) {
    languagesOf.set(marker, [...(languagesOf.get(marker) ?? []), language]);
  }
}

/** Enough to tell a language by; more words do not change the answer. */
const MAX_WORDS = 60;

/** A guess from function words. Latin letters without any of them count as English: names, commands, keywords. */
export function guessLanguage(text: string, words: readonly Word[]): Language {
  const scores = { en: 0, de: 0, es: 0, fr: 0 };
  for (const { folded } of words.slice(0, MAX_WORDS)) {
    const languages = languagesOf.get(folded);
    if (languages === undefined) continue;
    for (const language of languages) scores[language] += 1 / languages.length;
  }
  if (/[¿¡ñ]/u.test(text)) scores.es += 2;
  if (/[äöüß]/iu.test(text)) scores.de += 1;
  if (/[çœèêàù]/iu.test(text)) scores.fr += 1;
  let best: Language = 'en';
  for (const language of LANGUAGES) if (scores[language] > scores[best]) best = language;
  if (scores[best] > 0) return best;
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0;
  return letters > 0 && latin * 2 < letters ? 'other' : 'en';
}

export function guessScript(text: string): 'spaced' | 'unspaced' {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const unspaced = text.match(UNSPACED)?.length ?? 0;
  return unspaced > 0 && unspaced * 2 >= letters ? 'unspaced' : 'spaced';
}

/** Function words of the language asked in; the index drops only the English ones. */
export function isFunctionWord(folded: string, language: Language): boolean {
  return language !== 'other' && language !== 'en' && (languagesOf.get(folded)?.includes(language) ?? false);
}
