import type { FoundName } from '../names.ts';
import { maskQuoted } from '../phrases.ts';

/** Things that a date parser takes for times: versions, addresses, habits, and short weekdays that are other words. */
const MISLEADING: readonly RegExp[] = [
  /(?:https?:\/\/|\bwww\.)\S+/giu,
  /\b(?:v|version\s+|release\s+)\d+(?:\.\d+)+\S*/giu,
  /\b\d+(?:\.\d+){3,}\b/gu,
  /\b\d+\.\d+\.(?!(?:19|20)\d\d\b)\d+\S*/gu,
  /\b\d{3,}\.\d+\.\d+\b/gu,
  /\b(?:every|each|jede[nrsm]?|cada|chaque|tous les|todos los)\s+(?:\w+\s+)?\p{L}+/giu,
  /\b(?:in|on)?\s*the (?:morning|afternoon|evening|night) of\b/giu,
  /\b(?<!(?:on|last|next|this|since|until|till|before|after|from|past|previous)\s)(?:mon|tues?|wed|thurs?|thur|fri|sat|sun)\b(?!\.?,?\s+\d)/giu,
  /(?<![\p{L}\p{N}])(?:mo|di|mi|do|fr|sa|so|lun|mar|mer|mie|jeu|jue|ven|vie|sam|dim|dom)(?![\p{L}\p{N}]|\.?,?\s+\d)/giu,
];

/** A person called April or June is a month only in "in April", "last June", "April 2023". */
const MONTH_BEFORE_NAME = /\b(?:in|during|since|last|early|mid|late|im|seit|en|depuis)[\s-]+$/iu;

/** The question with everything blotted out that only looks like a time; places stay the same. */
export function maskMisleading(text: string, people: readonly FoundName[]): string {
  let masked = maskQuoted(text);
  for (const { start, end } of people) {
    const isMonth = MONTH_BEFORE_NAME.test(masked.slice(0, start)) || /^,?\s+\d/u.test(masked.slice(end));
    if (!isMonth) masked = masked.slice(0, start) + 'x'.repeat(end - start) + masked.slice(end);
  }
  for (const pattern of MISLEADING) masked = masked.replaceAll(pattern, (found) => 'x'.repeat(found.length));
  return masked;
}
