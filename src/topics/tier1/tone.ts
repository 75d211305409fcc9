import { readWords } from '../text/words.ts';

/** The tone of a message; all from 0 to 1 except `valence`, which goes from −1 (bad) to 1 (good). */
export interface Tone {
  readonly valence: number;
  readonly urgency: number;
}

/** Gives the valence of a text by a lexicon. */
export type Valence = (text: string) => number;

/** A mood shows in a sentence or two, and the lexicon is the slowest part of tier 1. */
const MAX_WEIGHED = 160;

const URGENT_WORDS =
  /(?<!\b(?:no|not|nothing|isn't|nicht|kein|keine)\s+(?:so |that |really )?)\b(?:urgent(?:ly)?|asap|immediately|emergency|right now|hurry|critical|dringend|sofort|notfall|eilt)\b/giu;
const DISTRESS = /\b(?:help|down|broken|on fire|burning|nothing works|everything is|can't wait|cannot wait)\b/giu;
const SHOUTING_WORD = /\b\p{Lu}{4,}\b/gu;

export function readTone(text: string, valenceOf: Valence): Tone {
  const shown = text.slice(0, 2000);
  const words = readWords(shown).length;
  const shouted = words === 0 ? 0 : (shown.match(SHOUTING_WORD)?.length ?? 0) / Math.max(3, words);
  const marks = /!{3,}|(?:!\s*){3,}|!\?|\?!/u.test(shown) ? 1 : shown.includes('!') ? 0.3 : 0;
  const urgent = Math.min(2, shown.match(URGENT_WORDS)?.length ?? 0);
  const distress = Math.min(2, shown.match(DISTRESS)?.length ?? 0);
  const urgency = 0.5 * urgent + 0.2 * distress + 0.3 * marks + Math.min(0.4, shouted * 1.5);
  let valence: number | undefined;
  return {
    urgency: Math.min(1, urgency),
    // Looking up every word costs more than all the rest of tier 1: only when somebody asks.
    get valence() {
      valence ??= valenceOf(shown.slice(0, MAX_WEIGHED));
      return valence;
    },
  };
}

/** From here on a message counts as good, bad or urgent when a topic does not say otherwise. */
const DEFAULT_THRESHOLD = 0.5;
/** A message that is this much worse or better than the one before it is a change of mood. */
const SHIFT = 0.8;

/** The part of the tone that a trigger wants; undefined when the message does not sound like it. */
export function matchTone(
  wanted: 'positive' | 'negative' | 'urgent' | 'shift',
  threshold: number | undefined,
  tone: Tone,
  before: Tone | undefined,
): string | undefined {
  const least = threshold ?? DEFAULT_THRESHOLD;
  const show = (name: string, value: number): string | undefined =>
    value >= least ? `${name} ${value.toFixed(2)}` : undefined;
  switch (wanted) {
    case 'positive':
      return show('positive', tone.valence);
    case 'negative':
      return show('negative', -tone.valence);
    case 'urgent':
      return show('urgent', tone.urgency);
    case 'shift': {
      const change = before === undefined ? 0 : Math.abs(tone.valence - before.valence);
      return change >= (threshold ?? SHIFT) ? `shift of ${change.toFixed(2)}` : undefined;
    }
  }
}
