import { foldName } from '../../stores/registry/names.ts';
import type { Json } from '../expression/json.ts';
import { jsonText } from '../expression/json.ts';

const OTHERWISE = new Set(['else', 'otherwise', 'default', 'anything else', 'any other', 'other', '*', 'sonst']);
const YES = new Set(['yes', 'true', 'y', 'ja', 'sí', 'si', 'oui']);
const NO = new Set(['no', 'false', 'n', 'nein', 'non']);

/** Whether a branch is for everything that no other branch is for. */
export function isOtherwise(answer: string): boolean {
  return OTHERWISE.has(answer.trim().toLowerCase());
}

const COMPARISON =
  /^(<=|>=|≤|≥|<|>|=|under|below|over|above|at least|at most|more than|less than)\s*(-?\d+(?:\.\d+)?)\s*%?$/iu;
const RANGE = /^(-?\d+(?:\.\d+)?)\s*(?:\.\.|–|-|to)\s*(-?\d+(?:\.\d+)?)$/iu;

/** `yes`, `morning`, `red or blue`, `> 5`, `6–9`: whether a value is what the branch says. */
export function answerFits(answer: string, value: Json): boolean {
  const text = answer.trim();
  if (typeof value === 'boolean') return (value ? YES : NO).has(text.toLowerCase());
  if (typeof value === 'number' && numberFits(text, value)) return true;
  const folded = foldName(jsonText(value));
  return alternatives(text).some((word) => sameWord(foldName(word), folded));
}

function sameWord(word: string, said: string): boolean {
  return word === said || (YES.has(word) && YES.has(said)) || (NO.has(word) && NO.has(said));
}

/** The whole text first: `rock or pop` may be one answer. */
function alternatives(text: string): string[] {
  return [text, ...text.split(/\s*(?:,|\/|\||\bor\b|\boder\b)\s*/iu)].filter((part) => part !== '');
}

function numberFits(text: string, value: number): boolean {
  const range = RANGE.exec(text);
  if (range !== null) return value >= Number(range[1]) && value <= Number(range[2]);
  const [, sign = '', bound] = COMPARISON.exec(text) ?? [];
  if (bound === undefined) return false;
  const limit = Number(bound);
  switch (sign.toLowerCase()) {
    case '<':
    case 'under':
    case 'below':
    case 'less than':
      return value < limit;
    case '<=':
    case '≤':
    case 'at most':
      return value <= limit;
    case '>':
    case 'over':
    case 'above':
    case 'more than':
      return value > limit;
    case '>=':
    case '≥':
    case 'at least':
      return value >= limit;
    default:
      return value === limit;
  }
}
