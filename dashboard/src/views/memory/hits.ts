import type { Output } from '../../api/call.ts';

export type Hit = Output<'recall'>['hits'][number];

/** A heading that names the day or the file, above the words that were found. */
const HEADING = /^(?:\d{1,2} [A-Z][a-z]+ \d{4}|[^\n]{1,80} › [^\n]{1,80})\n/u;

export function wordsOfHit({ text }: Pick<Hit, 'text'>): string {
  return text.replace(HEADING, '').trim();
}

/** The subject of a fact: "Prefers Tuesdays" alone would not name it. */
export function subjectOfHit({ text, store }: Pick<Hit, 'text' | 'store'>): string {
  return store === 'semantic' ? (/^([^\n›]{1,80}) › /u.exec(text)?.[1] ?? '') : '';
}

function bare(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** The same memory comes as an entry, as its day, as its week and as the turn: the best of them is shown. */
export function onePerMemory(hits: readonly Hit[]): readonly Hit[] {
  const shown: { readonly hit: Hit; readonly words: string }[] = [];
  for (const hit of hits) {
    const words = bare(wordsOfHit(hit));
    if (words === '') continue;
    if (shown.some((other) => other.words.includes(words) || words.includes(other.words))) continue;
    shown.push({ hit, words });
  }
  return shown.map(({ hit }) => hit);
}
