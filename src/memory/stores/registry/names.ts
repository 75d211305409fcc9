/** Names as they are compared: what a person says for somebody is seldom spelled as it stands in the file. */

/** Latin letters that Unicode does not take apart. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
};

/** Case, accents, possessive, quotes and hyphens do not tell names apart; `C++`, `C#` and emoji do. */
export function foldName(name: string): string {
  // Most names are plain, and a memory of thousands folds them all.
  if (/^[A-Za-z0-9]+(?: [A-Za-z0-9]+)*$/u.test(name)) return withoutArticle(name.toLowerCase());
  const folded = name
    .toWellFormed()
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/(?<=[\p{Script=Latin}\p{Script=Greek}])\p{M}+/gu, '')
    .replaceAll(/[ßæœøđðłþ]/gu, (letter) => PLAIN_LETTERS[letter] ?? letter)
    .normalize('NFC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .trim()
    .replace(/(?:['’`´]s|(?<=s)['’`´])$/u, '')
    .replaceAll(/['’`´"“”„«»()[\],;:!?]/gu, '')
    .replaceAll(/\.(?=\s|$)/gu, '')
    .replaceAll(/[\s_‐‑–—-]+/gu, ' ')
    .trim();
  return folded === '' ? name.trim().toLowerCase() : withoutArticle(folded);
}

function withoutArticle(folded: string): string {
  return folded.startsWith('the ') ? folded.slice('the '.length) : folded;
}

const TITLE = /^(?:(?:mr|mrs|ms|miss|dr|prof|professor|sir|herr|frau|señora?|senora?|mme|madame|monsieur) )+(?=\S)/u;

/** `Dr. Weber` without the title; the same text when there is none. */
export function withoutTitle(folded: string): string {
  return folded.replace(TITLE, '');
}

const SUFFIX = / (?:jr|sr|junior|senior|ii|iii|iv)$/u;

/** Other names of a person with several names: the first, the last, and all that follows the first. */
export function partsOfName(folded: string): string[] {
  const words = withoutTitle(folded).replace(SUFFIX, '').split(' ');
  const [first, ...rest] = words;
  const last = rest.at(-1);
  if (first === undefined || last === undefined) return [];
  return [...new Set([first, last, rest.join(' ')])].filter((part) => part.length > 1);
}

/** Words that may tell one bearer of a name from another: folded, whole, without the smallest. */
export function tellingWords(text: string): Set<string> {
  const words = text.match(/[\p{L}\p{N}+#]+/gu) ?? [];
  return new Set(words.map(foldName).filter((word) => word.length > 2 && !COMMON_WORDS.has(word)));
}

/** Words common in any sentence about a person decide nothing. */
const COMMON_WORDS: ReadonlySet<string> = new Set(
  `the and for with from that this have has had was were are his her hers him she they them their our your you not but
  who what when where which will would can could should about into over under than then there here also just very
  works work working worked job lives live living lived likes like new old person people team role name does did done
  und der die das ein eine ist mit von für fur que con por para los las une des les avec pour`.split(/\s+/u),
);
