import type { HeardTurn } from '../../port.ts';
import { guessLanguage, type GuessByLetters, type Language } from '../text/language.ts';
import { splitSentences } from '../text/sentences.ts';
import { spoken } from '../text/spoken.ts';
import { withoutMarked } from '../../../judge/handed-over/marked.ts';
import { tidy } from '../text/tidy.ts';
import { wordsOf } from '../text/words.ts';
import { takeOpeners } from './openers.ts';
import { splitStatements } from './split.ts';

/** One statement of a turn, in the author's own words. */
export interface Utterance {
  readonly turn: HeardTurn;
  readonly turnIndex: number;
  /** Its place among the turn's statements. */
  readonly index: number;
  /** Which of the turn's sentences it comes from. */
  readonly sentence: number;
  /** Which line of the message it stands in. */
  readonly line: number;
  readonly text: string;
  /** Lower case; code spans and long quotations are stand-ins, so that nothing inside them counts as said. */
  readonly plain: string;
  readonly openers: readonly string[];
  readonly isAsked: boolean;
  readonly isListed: boolean;
  readonly number?: number | undefined;
  readonly language: Language;
}

export function utterancesOf(turn: HeardTurn, turnIndex: number, guessByLetters: GuessByLetters): Utterance[] {
  const own = withoutMarked(tidy(spoken(turn.text))).replaceAll(/\s(?:um+|uh+|uhm|erm?)\s/giu, '. ');
  const language = guessLanguage(own, wordsOf(own.slice(0, 2000)), guessByLetters);
  const utterances: Utterance[] = [];
  let carried: readonly string[] = [];
  for (const [sentenceIndex, sentence] of splitSentences(own).entries()) {
    const parts = splitStatements(sentence.text);
    for (const [place, part] of parts.entries()) {
      const { openers: ownOpeners, text } = takeOpeners(part);
      const openers = [...carried, ...ownOpeners];
      // "No. Half past seven.": the opener belongs to what follows it.
      carried = text === '' ? openers : [];
      if (text === '') continue;
      utterances.push({
        turn,
        turnIndex,
        index: utterances.length,
        sentence: sentenceIndex,
        line: sentence.line,
        text: text.trim(),
        plain: plainOf(text),
        openers,
        isAsked: sentence.isAsked && place === parts.length - 1,
        isListed: sentence.isListed,
        number: sentence.number,
        language,
      });
    }
  }
  if (utterances.length === 0 && carried.length > 0) utterances.push(bare(turn, turnIndex, carried, language));
  return utterances;
}

/** A turn that is nothing but "yes". */
function bare(turn: HeardTurn, turnIndex: number, openers: readonly string[], language: Language): Utterance {
  return {
    turn,
    turnIndex,
    index: 0,
    sentence: 0,
    line: 0,
    text: '',
    plain: '',
    openers,
    isAsked: false,
    isListed: false,
    language,
  };
}

export function plainOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/`[^`]*`/gu, 'codeterm')
    .replaceAll(/"([^"]*)"/gu, (_whole, inner: string) => (inner.split(/\s+/u).length > 3 ? 'quotedtext' : inner))
    .replaceAll(/\s+/gu, ' ')
    .trim();
}
