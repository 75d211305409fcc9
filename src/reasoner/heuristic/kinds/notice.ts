import type { Utterance } from '../clauses/utterance.ts';
import { findNamedDates } from '../dates/dates.ts';
import { RELATION_NOUN } from '../entities/people.ts';
import { judgeModality } from '../modality/modality.ts';
import { contentWords } from '../text/words.ts';
import type { Heard, Scene, Specifics } from './finding.ts';

const RELATIVE = new RegExp(
  `\\b(?:my|our|her|his|their) (?:new |old |little |big |older |younger )?${RELATION_NOUN}\\b`,
  'giu',
);

export function notice(utterance: Utterance, scene: Scene): Heard {
  return {
    utterance,
    modality: judgeModality(utterance),
    dates: findNamedDates(utterance.text, utterance.turn.timeMs, scene.conversation.timeZone, scene.dates),
    persons: personsIn(utterance.text, scene),
    specifics: specificsOf(utterance.text),
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

function specificsOf(text: string): Specifics {
  const numbers = text.match(/(?<![\p{L}])\d[\d.,:]*/gu)?.length ?? 0;
  const inner = text.replace(/^\S+\s*/u, '');
  const capitals = inner.match(/(?<![\p{L}'])\p{Lu}[\p{L}\d]+/gu)?.length ?? 0;
  const codes = text.match(/`[^`]+`|\b[\w-]+(?:[_./][\w-]+)+\b|\b\p{L}+\d+\b/gu)?.length ?? 0;
  return { numbers, names: capitals + codes, contentWords: contentWords(text).length };
}
