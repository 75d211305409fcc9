import { editDistance } from '../../../model/edit-distance.ts';
import { foldName } from '../../stores/registry/names.ts';
import { isWrittenWithoutVowels, toLatin } from './scripts.ts';

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

/** Every way a name may have been written down, without space, hyphen and case; the first is the plainest. */
export function spellings(name: string): readonly string[] {
  const plain = toLatin(name.replaceAll('ı', 'i'));
  const forms = [foldName(plain), foldName(toLatin(typedOut(name))), foldName(toLatin(name, true)), foldName(name)];
  return [...new Set(forms.map((form) => form.replaceAll(/[^\p{L}\p{N}+#]/gu, '')).filter((form) => form !== ''))];
}

export function isSameSpelling(left: string, right: string): boolean {
  const known = new Set(spellings(left));
  return spellings(right).some((form) => known.has(form));
}

/** The shortest word in which one slip is more likely than another word, and in which two are. */
const MIN_ONE_SLIP = 4;
const MIN_TWO_SLIPS = 8;

/** How many slips of the hand lie between two words; undefined when there are more than a word of that length has. */
export function slipsBetween(left: string, right: string): number | undefined {
  const [a, b] = [spellings(left)[0] ?? '', spellings(right)[0] ?? ''];
  const length = Math.min(a.length, b.length);
  const limit = length >= MIN_TWO_SLIPS ? 2 : length >= MIN_ONE_SLIP ? 1 : 0;
  const distance = Math.min(
    editDistance(a, b, limit),
    length >= MIN_ONE_SLIP ? 1 + editDistance(soundOf(a), soundOf(b), limit) : limit + 1,
  );
  return distance <= limit ? distance : undefined;
}

const SOUNDS: readonly (readonly [RegExp, string])[] = [
  [/ksh|x/gu, 'ks'],
  [/schtsch|shch|szcz/gu, '5'],
  [/tsch|tch|cz|tsh/gu, '4'],
  [/sch|sh|sz|sj|zh/gu, '3'],
  [/chr/gu, 'kr'],
  [/ch/gu, '4'],
  [/ph/gu, 'f'],
  [/igh/gu, 'i'],
  [/([tdgkb])h/gu, '$1'],
  [/ck|que?(?=$)|q|c(?=[aoukrlt]|$)/gu, 'k'],
  [/c/gu, 's'],
  [/tz|ts|z/gu, 's'],
  [/dj/gu, 'j'],
  [/w/gu, 'v'],
  [/oo|ou/gu, 'u'],
  [/ee|ie|[iyj]+/gu, 'i'],
  [/(.)\1+/gu, '$1'],
  [/(?<=.)h/gu, ''],
];

/** Letters that are heard alike, as one: `Graphana` is `Grafana` to whoever only heard it. */
function soundOf(word: string): string {
  let sound = word;
  for (const [letters, heard] of SOUNDS) sound = sound.replaceAll(letters, heard);
  return sound;
}

function consonantsOf(sound: string): string {
  return sound.charAt(0).replace(/[aeiou]/u, 'a') + sound.slice(1).replaceAll(/[aeiou]/gu, '');
}

const MIN_CONSONANTS = 3;
const MIN_HEARD_LENGTH = 5;

/**
 * Whether two words are one to the ear: written down by somebody who heard it, or carried over from another alphabet.
 * Vowels are what differs most between those.
 */
export function soundsLike(left: string, right: string): boolean {
  const [heardLeft, heardRight] = [spellings(left).map(soundOf), spellings(right).map(soundOf)];
  const isBare = isWrittenWithoutVowels(left) !== isWrittenWithoutVowels(right);
  return heardLeft.some((one) =>
    heardRight.some((other) => {
      if (one === other) return one.length >= MIN_ONE_SLIP;
      const [a, b] = [consonantsOf(one), consonantsOf(other)];
      if (isBare) return a.slice(1).length >= 1 && a.replaceAll(/[aiv]/gu, '') === b.replaceAll(/[aiv]/gu, '');
      const length = Math.min(one.length, other.length);
      const isLong = length >= MIN_HEARD_LENGTH && a.length >= MIN_CONSONANTS;
      return isLong && a === b && editDistance(one, other, 2) <= 2 && one.at(-1) === other.at(-1);
    }),
  );
}
