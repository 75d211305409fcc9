import type { Utterance } from '../clauses/utterance.ts';
import { findNamedDates } from '../dates/dates.ts';
import { RELATION_NOUN } from '../entities/people.ts';
import { contentWords } from '../text/words.ts';
import type { Heard, Scene } from './finding.ts';

const RELATIVE = new RegExp(
  `\\b(?:my|our|her|his|their) (?:new |old |little |big |older |younger )?${RELATION_NOUN}\\b`,
  'giu',
);

export function notice(utterance: Utterance, scene: Scene): Heard {
  return {
    utterance,
    dates: findNamedDates(utterance.text, utterance.turn.timeMs, scene.conversation.timeZone, scene.dates),
    persons: personsIn(utterance.text, scene),
    contentWords: contentWords(utterance.text).length,
    scene,
  };
}

export function personsIn(text: string, scene: Scene): string[] {
  const found: string[] = [];
  for (const [word] of text.matchAll(/\p{L}[\p{L}'-]*/gu)) {
    const name = scene.people.nameOf(word);
    if (name !== undefined && !found.includes(name)) found.push(name);
  }
  for (const [phrase] of text.matchAll(RELATIVE)) found.push(phrase);
  return found;
}
