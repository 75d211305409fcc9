import { areTwoNames, isShortForm } from './given-names.ts';
import type { NameRelation } from './name-relation.ts';
import { isSameSpelling, slipsBetween, soundsLike, spellings } from './spelling.ts';

const TITLES =
  /^(?:(?:mr|mrs|ms|miss|mx|dr|prof|professor|sir|dame|lady|lord|sister|brother|father|mother|captain|capt|coach|chef|uncle|aunt|auntie|tante|onkel|oma|opa|grandma|grandpa|granny|herr|frau|señor|señora|senor|senora|sr|sra|don|doña|dom|dona|seu|mme|mlle|madame|monsieur|dottore|dott|signora|signor|pastor|rev|reverend|nurse|officer|sergeant|sgt|rabbi|imam|sheikh|judge|justice|principal|maestro|maestra|sensei|pan|pani|pfarrer|pater|padre|abbé|bischof|dekan|doktor|ing|mag|grandad|granddad|nana|nonna|nonno|abuela|abuelo|hon|president|major|colonel|lieutenant|inspector|detective|deacon|vicar|bishop|dean|tutor|teacher|cousin|tío|tía|tio|tia|zia|zio)\.?\s+)+/iu;

export const GENERATION =
  /(?:^|[\s,])(?:jr|sr|junior|senior|ii|iii|iv|the (?:younger|elder)|père|fils|d\. ?[jä])\.?$/iu;

/** Words that friends put before a name to tell two people apart. */
const EPITHET =
  /^(?:big|little|small|old|young|tall|long|short|fat|red|black|blonde?|ginger|mad|crazy|wee|baby|new)\s+(?=\p{L})/iu;

/** Small words that belong to the family name behind them. */
const PARTICLES: ReadonlySet<string> = new Set(
  'van von vom zu zum zur der den de del della dei di da do dos das du le la los las al el ul bin ibn ben bint mac mc o ni nic ui ter ten te af av san santa st abu'.split(
    ' ',
  ),
);
/** Beginnings of given names that are written apart or not. */
const OPENINGS: ReadonlySet<string> = new Set(['abdul', 'abd', 'abu', 'nur', 'abdel']);

type Likeness = 'equal' | 'sound' | 'slip' | 'short' | 'initial' | 'ending' | 'none';

/** One word of a name, with and without the particle before it. */
interface Word {
  readonly whole: string;
  readonly core: string;
  /** First letters, the particle's among them. */
  readonly letters: string;
}

function wordOf(text: string): Word {
  return { whole: text, core: text, letters: (spellings(text)[0] ?? '').charAt(0) };
}

const ROLE_ALONE =
  /^(?:(?:mum|mom|mama|dad|papa|grandma|grandpa|granny|oma|opa|nana|nonna|nonno|abuela|abuelo|coach|boss|chef|professor|prof|doctor|doc|teacher|captain|skipper|landlord|landlady|neighbou?r|the boss|frau professor|herr professor|frau doktor|herr doktor|my wife|my husband|cleaner|postman|dentist|tutor|pastor|principal|headmaster|headmistress)\s*)+$/iu;

/** `Coach`, `Mum`: what somebody is to whoever speaks, for a name. */
export function isRoleAlone(name: string): boolean {
  return ROLE_ALONE.test(name.trim());
}

function withoutTitles(name: string): string {
  return name.replace(TITLES, '').replace(GENERATION, '').trim();
}

export function relatePeople(left: string, right: string): NameRelation {
  const [epithetLeft, epithetRight] = [epithetOf(left), epithetOf(right)];
  if (epithetLeft !== '' && epithetRight !== '' && epithetLeft !== epithetRight) return 'other-given';
  const [a, b] = [wordsOf(left), wordsOf(right)];
  if (a.length === 0 || b.length === 0) return 'unlike';
  if (isSameSpelling(joined(a), joined(b))) return 'equal';
  const handle = relateHandles(left, right, a, b);
  if (handle !== undefined) return handle;
  const [first, second] = [expandInitials(a, b), expandInitials(b, a)];
  if (first.length === 1 && second.length === 1) return relateSingle(first, second);
  if (first.length === 1 || second.length === 1) {
    return first.length === 1 ? relatePart(left, first, second) : relatePart(right, second, first);
  }
  const direct = relateFull(first, second);
  if (NEAR.has(direct)) return direct;
  // `Kim Ji-hoon`, `Weber, Johanna`: the family name may come first.
  const turned = [relateFull(turn(first), second), relateFull(first, turn(second))].find((each) => NEAR.has(each));
  return turned ?? direct;
}

const NEAR: ReadonlySet<NameRelation> = new Set(['equal', 'sound', 'slip', 'short-form', 'initial']);

/** Counts the words of a name besides titles: a single one is borne by many. */
export function countWords(name: string): number {
  return wordsOf(name).length;
}

function epithetOf(name: string): string {
  return (EPITHET.exec(withoutTitles(name))?.[0] ?? '').trim().toLowerCase();
}

function turn(words: readonly Word[]): Word[] {
  const [first, ...rest] = words;
  return first === undefined ? [] : [...rest, first];
}

function joined(words: readonly Word[]): string {
  return words.map(({ whole }) => whole).join('');
}

function wordsOf(name: string): Word[] {
  const bare = withoutTitles(name)
    .replace(EPITHET, '')
    .replaceAll(/["“”„(][^"“”„()]*["“”„)]/gu, ' ')
    .replaceAll(/\bM[ªa]\.?(?=\s)/gu, 'Maria')
    .replaceAll(/\bMo?h(?:amme)?d\.?(?=\s)/gu, 'Mohammed');
  // `Frau Lindqvist-Meyer`: nobody's first and last name.
  const isFamilyOnly = bare !== name && TITLES.test(name) && !/\s/u.test(bare.trim());
  const pieces = bare
    .split(isFamilyOnly ? /[\s,]+/u : /[\s,]+|(?<=\p{L}\.)-?(?=\p{L})|(?<=\p{L}{2,})-(?=\p{Lu})/u)
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
  const words: Word[] = [];
  let [before, letters] = ['', ''];
  for (const [at, piece] of pieces.entries()) {
    const folded = spellings(piece)[0] ?? '';
    const isParticle = at > 0 ? PARTICLES.has(folded) : OPENINGS.has(folded);
    if (isParticle && at < pieces.length - 1) {
      before += folded;
      letters += folded.charAt(0);
      continue;
    }
    const core = piece.replace(/^(?:al|el|ul|o['’])-?(?=\p{L}{3})/iu, (opening) =>
      /[-'’]/u.test(opening) ? '' : opening,
    );
    const isOpening = at === 1 && OPENINGS.has(before);
    words.push({
      whole: `${before}${piece}`,
      core: isOpening ? `${before}${piece}` : core,
      letters: letters + folded.charAt(0),
    });
    [before, letters] = ['', ''];
  }
  return words;
}

/** `HP Vogel`: two capitals where the other has two first names. */
function expandInitials(words: readonly Word[], others: readonly Word[]): readonly Word[] {
  const [first, ...rest] = words;
  if (first === undefined || others.length < 3 || !/^\p{Lu}{2}$/u.test(first.whole)) return words;
  return [...Array.from(first.whole, wordOf), ...rest];
}

function isInitial(word: string): boolean {
  return /^\p{L}\.?$/u.test(word);
}

function compareWords(left: Word, right: Word): Likeness {
  const forms = (word: Word): string[] => [...new Set([word.whole, word.core])];
  const pairs = forms(left).flatMap((a) => forms(right).map((b) => [a, b] as const));
  if (pairs.some(([a, b]) => isSameSpelling(a, b))) return 'equal';
  if (isInitial(left.whole) || isInitial(right.whole)) {
    const [a, b] = [spellings(left.core)[0] ?? '', spellings(right.core)[0] ?? ''];
    return a.charAt(0) === b.charAt(0) ? 'initial' : 'none';
  }
  const [a, b] = [left.core, right.core];
  if (areTwoNames(a, b)) return 'ending';
  if (isShortForm(a, b) || isCutShort(a, b)) return 'short';
  if (pairs.some(([one, other]) => soundsLike(one, other))) return 'sound';
  return slipsBetween(a, b) === undefined ? 'none' : 'slip';
}

/** Endings of family names differ without meaning anything, other than those of first names: `Nowak`, `Nowaka`. */
function compareFamilies(left: Word, right: Word): Likeness {
  const likeness = compareWords(left, right);
  if (likeness !== 'ending' && likeness !== 'short') return likeness;
  if (soundsLike(left.core, right.core)) return 'sound';
  return slipsBetween(left.core, right.core) === undefined ? 'none' : 'slip';
}

const SINGLE: Readonly<Record<Likeness, NameRelation>> = {
  equal: 'equal',
  sound: 'single-slip',
  slip: 'single-slip',
  short: 'short-form',
  initial: 'initial',
  ending: 'other-ending',
  none: 'unlike',
};

function relateSingle([left]: readonly Word[], [right]: readonly Word[]): NameRelation {
  if (left === undefined || right === undefined) return 'unlike';
  // Half of a double name is no pet name.
  const isDouble = left.whole.includes('-') !== right.whole.includes('-');
  const likeness = compareWords(left, right);
  return isDouble && likeness === 'short' ? 'part' : SINGLE[likeness];
}

function relatePart(name: string, [only]: readonly Word[], many: readonly Word[]): NameRelation {
  if (only === undefined) return 'unlike';
  const pieces = only.whole.split('-').map(wordOf);
  if (many.some((word) => [only, ...pieces].some((piece) => compareWords(piece, word) === 'equal'))) return 'part';
  const family = many.at(-1);
  if (isInitial(only.whole)) {
    const meant = TITLES.test(name) ? family : many[0];
    return meant !== undefined && compareWords(only, meant) === 'initial' ? 'part-slip' : 'unlike';
  }
  const given = new Set(many.slice(0, -1).map((word) => compareWords(only, word)));
  if (given.has('short')) return 'short-form';
  if (given.has('sound') || given.has('slip')) return 'part-slip';
  if (family === undefined) return 'unlike';
  const likeness = compareWords(only, family);
  if (likeness === 'short') return 'short-form';
  return likeness === 'sound' || likeness === 'slip' ? 'part-slip' : 'unlike';
}

const BY_GIVEN: Readonly<Record<Likeness, NameRelation>> = {
  equal: 'equal',
  sound: 'sound',
  slip: 'slip',
  short: 'short-form',
  initial: 'initial',
  ending: 'other-ending',
  none: 'other-given',
};

function relateFull(a: readonly Word[], b: readonly Word[]): NameRelation {
  const [givenA, givenB, familyA, familyB] = [a[0], b[0], a.at(-1), b.at(-1)];
  if (givenA === undefined || givenB === undefined || familyA === undefined || familyB === undefined) return 'unlike';
  const given = compareWords(givenA, givenB);
  const family = compareFamilies(familyA, familyB);
  if (family === 'none') {
    if (given !== 'none' && given !== 'ending' && isContained(a, b))
      return given === 'equal' ? 'equal' : BY_GIVEN[given];
    return given === 'equal' || given === 'short' ? 'other-family' : 'unlike';
  }
  if (given === 'none') {
    // As many names in another order are another's: `José María` is not `María José`.
    if (a.length === b.length || !sharesGiven(a, b)) return 'other-given';
    return family === 'equal' ? 'equal' : 'slip';
  }
  if (middlesDiffer(a, b)) return 'other-given';
  if (family === 'initial') return given === 'slip' || given === 'ending' ? 'other-given' : 'initial';
  if (family === 'slip') {
    if (given === 'equal' || given === 'sound' || given === 'short') return 'slip';
    return given === 'initial' ? 'part-slip' : 'other-given';
  }
  return family === 'sound' && given === 'equal' ? 'sound' : BY_GIVEN[given];
}

/** Every word of the one with fewer is a word of the other: a second family name, or first name, was left out. */
function isContained(a: readonly Word[], b: readonly Word[]): boolean {
  const [fewer, more] = a.length <= b.length ? [a, b] : [b, a];
  const isSame = (word: Word, other: Word): boolean =>
    ['equal', 'sound', 'short', 'initial'].includes(compareWords(word, other));
  const isWhole = (word: Word, other: Word): boolean => ['equal', 'sound'].includes(compareWords(word, other));
  return (
    more.length > fewer.length &&
    fewer.every((word) => more.some((other) => isSame(word, other))) &&
    fewer.slice(1).some((word) => more.slice(1).some((other) => isWhole(word, other)))
  );
}

/** `Maria Lourdes Teixeira`, who goes by Lourdes Teixeira. */
function sharesGiven(a: readonly Word[], b: readonly Word[]): boolean {
  return a
    .slice(0, -1)
    .some((word) => b.slice(0, -1).some((other) => ['equal', 'short', 'sound'].includes(compareWords(word, other))));
}

/** `William J. Bell` is not `William K. Bell`. */
function middlesDiffer(a: readonly Word[], b: readonly Word[]): boolean {
  const [left, right] = [a.slice(1, -1), b.slice(1, -1)];
  const [one, other] = [left[0], right[0]];
  if (one === undefined || other === undefined || left.length !== 1 || right.length !== 1) return false;
  return compareWords(one, other) === 'none';
}

/** Endings people give to pet names. */
const PET_ENDING =
  /(?:ie|ey|i|y|a|o|us|ka|ko|ek|ik|uś|us|chen|li|le|ito|ita|inho|inha|zinho|chka|enka|usha|sha|ya|oula|akis)$/u;

/**
 * `Zsuzsi` for Zsuzsanna, `Steph` for Stephanie: the beginning of the longer, with an ending people give to pet names; or
 * its end, as in Lupe for Guadalupe.
 */
function isCutShort(left: string, right: string): boolean {
  const [short = '', long = ''] = [spellings(left)[0] ?? '', spellings(right)[0] ?? ''].sort(
    (a, b) => a.length - b.length,
  );
  const stem = short.replace(PET_ENDING, '');
  if (stem.length >= 3 && long.length >= stem.length + 3 && long.startsWith(stem)) return true;
  return short.length >= 4 && long.length >= short.length + 3 && long.endsWith(short);
}

/** `rvk`, `hkessler@loomly.example`, `@mossy_byte`: what stands for a name in a program. */
function relateHandles(left: string, right: string, a: readonly Word[], b: readonly Word[]): NameRelation | undefined {
  for (const [handle, words] of [
    [left, b],
    [right, a],
  ] as const) {
    const bare = handle.replace(/^@/u, '').replace(/@.*$/u, '');
    const isHandle = handle.includes('@') || /^[a-z][a-z0-9._-]*$/u.test(handle) || /^\p{Lu}{2,4}$/u.test(handle);
    if (!isHandle || words.length < 2 || /\s/u.test(handle)) continue;
    const letters = spellings(bare.replaceAll(/[._-]/gu, ''))[0] ?? '';
    const parts = words.flatMap(({ whole }) => whole.split('-')).map((word) => spellings(word)[0] ?? '');
    const initials = words.map((word) => word.letters).join('');
    const family = parts.at(-1) ?? '';
    if (letters === initials) return 'letters';
    const made = [
      `${parts[0]?.charAt(0)}${family}`,
      `${parts[0]}${family}`,
      `${parts[0]}${family.charAt(0)}`,
      `${family}${parts[0]?.charAt(0)}`,
      `${family}${parts[0]}`,
    ];
    if (made.includes(letters.replace(/\d+$/u, ''))) return 'handle';
  }
  return undefined;
}
