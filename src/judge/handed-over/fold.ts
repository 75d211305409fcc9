const NOT_ASCII = /[^\u0020-\u007e]/;
/** Accents, and letters that nobody sees. */
const COMBINING = /[\p{M}\p{Cf}]/gu;
const APOSTROPHES = /['’ʼ`´]/g;

/** The form for comparing words: lower case, no accents, no apostrophes; people type "don’t", "dont" and "acuerdate". */
export function fold(word: string): string {
  const lower = word.toLowerCase().replace(APOSTROPHES, '');
  if (!NOT_ASCII.test(lower)) return lower;
  return lower
    .normalize('NFD')
    .replace(COMBINING, '')
    .replaceAll('ß', 'ss')
    .replaceAll('œ', 'oe')
    .replaceAll('æ', 'ae');
}

/** The ways a word of a table may be typed: "lösche" arrives as "lösche", "losche" and "loesche". */
export function foldings(word: string): readonly string[] {
  const plain = fold(word);
  const spelledOut = fold(word.replaceAll('ä', 'ae').replaceAll('ö', 'oe').replaceAll('ü', 'ue'));
  return plain === spelledOut ? [plain] : [plain, spelledOut];
}

export function wordSet(words: string): ReadonlySet<string> {
  return new Set(
    words
      .split(/\s+/)
      .filter((word) => word !== '')
      .flatMap(foldings),
  );
}
