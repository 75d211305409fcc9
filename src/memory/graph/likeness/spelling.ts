import { editDistance } from '../../../model/edit-distance.ts';
import { foldName } from '../../stores/registry/names.ts';

/** Names as they sound to somebody who writes them down: other alphabets in Latin letters, umlauts as they are typed. */

const CYRILLIC: Readonly<Record<string, string>> = {
  а: 'a',
  б: 'b',
  в: 'v',
  г: 'g',
  д: 'd',
  е: 'e',
  ё: 'e',
  ж: 'zh',
  з: 'z',
  и: 'i',
  й: 'i',
  к: 'k',
  л: 'l',
  м: 'm',
  н: 'n',
  о: 'o',
  п: 'p',
  р: 'r',
  с: 's',
  т: 't',
  у: 'u',
  ф: 'f',
  х: 'kh',
  ц: 'ts',
  ч: 'ch',
  ш: 'sh',
  щ: 'shch',
  ъ: '',
  ы: 'y',
  ь: '',
  э: 'e',
  ю: 'yu',
  я: 'ya',
  і: 'i',
  ї: 'yi',
  є: 'ye',
  ґ: 'g',
};

const GREEK: Readonly<Record<string, string>> = {
  α: 'a',
  β: 'v',
  γ: 'g',
  δ: 'd',
  ε: 'e',
  ζ: 'z',
  η: 'i',
  θ: 'th',
  ι: 'i',
  κ: 'k',
  λ: 'l',
  μ: 'm',
  ν: 'n',
  ξ: 'x',
  ο: 'o',
  π: 'p',
  ρ: 'r',
  σ: 's',
  ς: 's',
  τ: 't',
  υ: 'y',
  φ: 'f',
  χ: 'ch',
  ψ: 'ps',
  ω: 'o',
};

/** Pairs of Greek letters that are one sound. */
const GREEK_PAIRS: readonly (readonly [RegExp, string])[] = [
  [/ου/gu, 'u'],
  [/[αε]υ/gu, 'av'],
  [/γγ/gu, 'ng'],
  [/μπ/gu, 'b'],
  [/ντ/gu, 'd'],
];

/** Umlauts and ring letters as people without those keys type them. */
function typedOut(name: string): string {
  return name
    .normalize('NFC')
    .replaceAll(/[äæ]/giu, 'ae')
    .replaceAll(/[öø]/giu, 'oe')
    .replaceAll(/ü/giu, 'ue')
    .replaceAll(/å/giu, 'aa')
    .replaceAll(/ı/gu, 'i')
    .replaceAll(/ß/gu, 'ss');
}

function latin(name: string): string {
  let text = name
    .normalize('NFD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase();
  for (const [pair, sound] of GREEK_PAIRS) text = text.replaceAll(pair, sound);
  return text.replaceAll(
    /[\p{Script=Cyrillic}\p{Script=Greek}]/gu,
    (letter) => CYRILLIC[letter] ?? GREEK[letter] ?? letter,
  );
}

/** Every way a name may have been written down, without space, hyphen and case; the first is the plainest. */
export function spellings(name: string): readonly string[] {
  const plain = latin(name.replaceAll('ı', 'i'));
  const forms = [foldName(plain), foldName(latin(typedOut(name))), foldName(name)];
  return [...new Set(forms.map((form) => form.replaceAll(/[^\p{L}\p{N}+#]/gu, '')).filter((form) => form !== ''))];
}

export function isSameSpelling(left: string, right: string): boolean {
  const known = new Set(spellings(left));
  return spellings(right).some((form) => known.has(form));
}

/** The shortest word in which one slip is more likely than another word, and in which two are. */
const MIN_ONE_SLIP = 4;
const MIN_TWO_SLIPS = 8;

/** Letters that are heard alike, as one: `Graphana` is `Grafana` to whoever only heard it. */
function heard(word: string): string {
  return word
    .replaceAll('ph', 'f')
    .replaceAll(/c(?=[kaou])|ck/gu, 'k')
    .replaceAll(/[yj](?=$|[^aeiou])/gu, 'i')
    .replaceAll('igh', 'i')
    .replaceAll(/(.)\1/gu, '$1');
}

/** How many slips of the hand lie between two words; undefined when there are more than a word of that length has. */
export function slipsBetween(left: string, right: string): number | undefined {
  const [a, b] = [spellings(left)[0] ?? '', spellings(right)[0] ?? ''];
  const length = Math.min(a.length, b.length);
  const limit = length >= MIN_TWO_SLIPS ? 2 : length >= MIN_ONE_SLIP ? 1 : 0;
  const distance = Math.min(
    editDistance(a, b, limit),
    length >= MIN_ONE_SLIP ? 1 + editDistance(heard(a), heard(b), limit) : limit + 1,
  );
  return distance <= limit ? distance : undefined;
}
