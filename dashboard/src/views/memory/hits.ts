import type { Output } from '../../api/call.ts';
import { foldWords } from '../../../../src/model/text.ts';

export type Hit = Output<'recall'>['hits'][number];

/** The subject of a fact: "Prefers Tuesdays" alone would not name it. */
export function subjectOfHit({ text, store }: Pick<Hit, 'text' | 'store'>): string {
  return store === 'semantic' ? (/^([^\n›]{1,80}) › /u.exec(text)?.[1] ?? '') : '';
}

/** The same memory comes as an entry, as its day, as its week and as the turn: the best of them is shown. */
export function onePerMemory(hits: readonly Hit[]): readonly Hit[] {
  const shown: { readonly hit: Hit; readonly words: string }[] = [];
  for (const hit of hits) {
    const words = foldWords(hit.words);
    if (words === '') continue;
    if (shown.some((other) => other.words.includes(words) || words.includes(other.words))) continue;
    shown.push({ hit, words });
  }
  return shown.map(({ hit }) => hit);
}

/** A turn may be a page long: as much of it is shown as a reader takes in at a glance, around the first word that matches. */
const EXCERPT = 420;
const BEFORE_MATCH = 120;

export function excerptOf(words: string, asked: string): string {
  if (words.length <= EXCERPT) return words;
  const wanted = foldWords(asked)
    .split(' ')
    .filter(({ length }) => length > 2);
  const lower = words.toLowerCase();
  const found = wanted.map((word) => lower.indexOf(word)).filter((at) => at >= 0);
  const from = Math.max(0, Math.min(...found, words.length) - BEFORE_MATCH);
  const start = found.length === 0 || from === 0 ? 0 : words.indexOf(' ', from) + 1;
  const end = words.lastIndexOf(' ', start + EXCERPT);
  const isCut = start + EXCERPT < words.length && end > start;
  return `${start === 0 ? '' : '… '}${words.slice(start, isCut ? end : undefined)}${isCut ? ' …' : ''}`;
}
