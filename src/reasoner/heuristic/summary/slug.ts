import { contentWords } from '../text/words.ts';

const MAX_WORDS = 5;
const MAX_LENGTH = 48;

/** A short name for a file or a session: lower case, ASCII, no more than five words. */
export function slugOf(text: string): string {
  const content = contentWords(text.replaceAll(/`/gu, ''));
  const words = (content.length > 0 ? content : text.toLowerCase().split(/\s+/u))
    .map(toAscii)
    .filter((word) => word !== '');
  let slug = '';
  for (const word of words.slice(0, MAX_WORDS)) {
    const longer = slug === '' ? word : `${slug}-${word}`;
    if (longer.length > MAX_LENGTH) break;
    slug = longer;
  }
  return slug === '' ? (words[0]?.slice(0, MAX_LENGTH).replace(/-+$/u, '') ?? 'untitled') : slug;
}

function toAscii(word: string): string {
  return word
    .replaceAll('ß', 'ss')
    .replaceAll('ø', 'o')
    .replaceAll('ł', 'l')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/gu, '-')
    .replaceAll(/^-+|-+$/gu, '');
}
