import type { franc as Franc } from 'franc-min';

export type Language = 'en' | 'de' | 'es' | 'fr' | 'other';

const CODES: Readonly<Record<string, Language>> = { eng: 'en', deu: 'de', spa: 'es', fra: 'fr' };

/** Function words that are frequent in one language and hardly occur in the others. */
const MARKERS: Readonly<Record<Exclude<Language, 'other'>, ReadonlySet<string>>> = {
  en: new Set(
    "the and is are of to for with we i'm it's you that this have don't my our be will not on it was but so let's i".split(
      ' ',
    ),
  ),
  de: new Set(
    'und ist nicht ich wir mit für auf das der die ein eine den dem haben habe zu bitte auch noch mein meine uns am im'.split(
      ' ',
    ),
  ),
  es: new Set('el los las que para con una un no es mi nos por del está prefiero quiero y en'.split(' ')),
  fr: new Set('le les des est pas je nous pour avec une un mon ma que du sur et vous dans on'.split(' ')),
};

/** Below this a statistical guess is a coin toss. */
const MIN_GUESS_LENGTH = 80;
/** So many function words of one language leave no doubt. */
const ENOUGH = 3;

export type GuessByLetters = typeof Franc;

/** Function words first: chat is too short for statistics, and names would mislead them. */
export function guessLanguage(text: string, words: readonly string[], guessByLetters: GuessByLetters): Language {
  let best: Language = 'en';
  let bestCount = 0;
  for (const [language, markers] of Object.entries(MARKERS) as [Exclude<Language, 'other'>, ReadonlySet<string>][]) {
    const count = words.filter((word) => markers.has(word)).length;
    if (count > bestCount) {
      best = language;
      bestCount = count;
    }
  }
  if (bestCount >= ENOUGH || text.length < MIN_GUESS_LENGTH) return best;
  const code = guessByLetters(text);
  return code === 'und' ? best : (CODES[code] ?? 'other');
}
