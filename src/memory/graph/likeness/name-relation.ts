import { areTwoNames, isShortForm } from './given-names.ts';
import { areOtherNames } from './other-names.ts';
import { isSameSpelling, slipsBetween, spellings } from './spelling.ts';

/** How two names stand to one another, before anybody looks at what is known of their bearers; the nearest first. */
export const NAME_RELATIONS = [
  'identical',
  'single-identical',
  'equal',
  'part',
  'short-form',
  'initial',
  'slip',
  'single-slip',
  'part-slip',
  'handle',
  'letters',
  'other-name',
  'legal-form',
  'description',
  'longer',
  'sibling',
  'other-number',
  'other-ending',
  'other-given',
  'other-family',
  'generation',
  'unlike',
] as const;
export type NameRelation = (typeof NAME_RELATIONS)[number];

const TITLES =
  /^(?:(?:mr|mrs|ms|miss|mx|dr|prof|professor|sir|dame|lady|lord|sister|brother|father|mother|captain|capt|coach|chef|uncle|aunt|auntie|tante|onkel|oma|opa|grandma|grandpa|granny|herr|frau|señor|señora|senor|senora|don|doña|mme|madame|monsieur|dottore|signora|signor|pastor|rev|reverend|nurse|officer|sergeant|sgt|rabbi|imam|judge|principal|maestro|maestra|sensei|pfarrer|pater|padre|abbé|bischof|dekan|doktor|ing|mag|grandad|granddad|nana|nonna|nonno|abuela|abuelo|hon|president|major|colonel|lieutenant|inspector|detective|deacon|vicar|bishop|dean|tutor|teacher)\.?\s+)+/iu;

const GENERATION = /(?:^|[\s,])(?:jr|sr|junior|senior|ii|iii|iv|the (?:younger|elder)|père|fils|d\. ?[jä])\.?$/iu;

const DESCRIPTION =
  /^(?:the|my|our|his|her|their|that|this|der|die|das|mein|meine|unser|unsere|mi|el|la|mon|ma|le)\s+\S/iu;

/** Words that say what sort of thing or firm it is, not which. */
const LEGAL_FORM =
  /(?:[\s,]+(?:inc|incorporated|llc|ltd|limited|plc|corp|corporation|company|co|gmbh|ag|kg|ug|ohg|gbr|e\.?v|se|sa|s\.?a\.?s|s\.?l|s\.?r\.?l|s\.?p\.?a|bv|b\.v|nv|ab|as|a\/s|aps|oy|oyj|sarl|s\.?à\.?r\.?l|eg|e\.?g|eirl|lda|ltda|pty|pte|bhd|kgaa|mbh|stiftung|verein|games|foods|k\.?k|kft|sp\.? z ?o\.? ?o|group|holding|holdings|technologies|technology|und sohn|& co)\.?)+$/iu;

const GENERIC =
  /^(?:project|projekt|the|app|team|platform|library|lib|framework|tool|club|café|cafe|restaurant|studio|farm|hof|school|schule)\s+|\s+(?:project|projekt|app|team|platform|library|framework|cli|tool|lang|language)$/giu;

export function relateNames(left: string, right: string, isPerson: boolean): NameRelation {
  if (left.trim() === right.trim()) return isPerson && wordsOf(left).length < 2 ? 'single-identical' : 'identical';
  if (
    (GENERATION.exec(left)?.[0] ?? '').trim().toLowerCase() !== (GENERATION.exec(right)?.[0] ?? '').trim().toLowerCase()
  ) {
    return isSameSpelling(left.replace(GENERATION, ''), right.replace(GENERATION, '')) ? 'generation' : 'unlike';
  }
  const isDescription = [left, right].some(
    (name) => DESCRIPTION.test(name) && name === name.replace(/(?<=\s)\p{Lu}/gu, ''),
  );
  if (isPerson) {
    const relation = relatePeople(left, right);
    return relation === 'unlike' && isDescription ? 'description' : relation;
  }
  const relation = relateThings(left, right);
  return ['unlike', 'longer', 'sibling'].includes(relation) && isDescription ? 'description' : relation;
}

function wordsOf(name: string): string[] {
  return name
    .replace(TITLES, '')
    .replace(GENERATION, '')
    .replaceAll(/["“”„(][^"“”„()]*["“”„)]/gu, ' ')
    .split(/[\s,]+|(?<=\p{L}\.)(?=\p{L})|(?<=\p{L}{2,})-(?=\p{Lu})/u)
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
}

function isInitial(word: string): boolean {
  return /^\p{L}\.?(?:-\p{L}\.?)?$/u.test(word);
}

function relatePeople(left: string, right: string): NameRelation {
  const [a, b] = [wordsOf(left), wordsOf(right)];
  if (a.length === 0 || b.length === 0) return 'unlike';
  if (isSameSpelling(a.join(''), b.join(''))) return 'equal';
  const handle = relateHandles(left, right, a, b);
  if (handle !== undefined) return handle;
  if (a.length === 1 && b.length === 1) return relateWords(a[0] ?? '', b[0] ?? '', 'single');
  if (a.length === 1 || b.length === 1) {
    const [[only = ''], many] = a.length === 1 ? [a, b] : [b, a];
    return relatePart(only, many);
  }
  return relateFull(a, b);
}

function relatePart(only: string, many: readonly string[]): NameRelation {
  if (many.some((word) => isSameSpelling(word, only))) return 'part';
  const [given = '', ...rest] = many;
  if (isShortForm(only, given) || isCutShort(only, given)) return 'short-form';
  const family = rest.at(-1) ?? '';
  if (slipsBetween(only, given) !== undefined && !areTwoNames(only, given)) return 'part-slip';
  return slipsBetween(only, family) === undefined ? 'unlike' : 'part-slip';
}

function relateFull(a: readonly string[], b: readonly string[]): NameRelation {
  const [givenA = '', givenB = ''] = [a[0], b[0]];
  const [familyA = '', familyB = ''] = [a.at(-1), b.at(-1)];
  // `Weber, Johanna`.
  if (isSameSpelling([...a].sort().join(''), [...b].sort().join(''))) return 'equal';
  const slips = isSameSpelling(familyA, familyB) ? 0 : slipsBetween(familyA, familyB);
  const given = relateWords(givenA, givenB, 'given');
  // `Carla Mendes` and `Carla Vogt`, or a second family name that was left out.
  if (slips === undefined) {
    const isContained = [a, b].some((words, at) =>
      words.slice(1).some((word) => isSameSpelling(word, (at === 0 ? b : a).at(-1) ?? '')),
    );
    if (isContained && (given === 'equal' || given === 'short-form' || given === 'initial')) return 'slip';
    return given === 'equal' || given === 'short-form' ? 'other-family' : 'unlike';
  }
  if (
    given === 'other-given' &&
    a.some(
      (word, at) => at < a.length - 1 && b.some((other, where) => where < b.length - 1 && isSameSpelling(word, other)),
    )
  ) {
    return slips === 0 ? 'equal' : 'slip';
  }
  if (given === 'equal') return slips === 0 ? 'equal' : 'slip';
  if (given === 'slip' && slips > 0) return 'other-given';
  return given;
}

function relateWords(left: string, right: string, place: 'single' | 'given'): NameRelation {
  if (isSameSpelling(left, right)) return 'equal';
  if (isInitial(left) || isInitial(right)) {
    const [a, b] = [spellings(left)[0] ?? '', spellings(right)[0] ?? ''];
    return a.charAt(0) === b.charAt(0) ? 'initial' : 'other-given';
  }
  if (areTwoNames(left, right)) return 'other-ending';
  if (isShortForm(left, right) || isCutShort(left, right)) return 'short-form';
  if (slipsBetween(left, right) !== undefined) return place === 'given' ? 'slip' : 'single-slip';
  return place === 'given' ? 'other-given' : 'unlike';
}

/** `Zsuzsi` for Zsuzsanna, `Steph` for Stephanie: the beginning of the longer, with an ending people give to pet names. */
function isCutShort(left: string, right: string): boolean {
  const [short = '', long = ''] = [spellings(left)[0] ?? '', spellings(right)[0] ?? ''].sort(
    (a, b) => a.length - b.length,
  );
  const stem = short.replace(/(?:ie|ey|i|y|a|o|us|ka|ko|chen|li|ito|ita)$/u, '');
  return stem.length >= 3 && long.length >= stem.length + 3 && long.startsWith(stem);
}

/** `rvk`, `hkessler@loomly.example`, `@mossy_byte`: what stands for a name in a program. */
function relateHandles(
  left: string,
  right: string,
  a: readonly string[],
  b: readonly string[],
): NameRelation | undefined {
  for (const [handle, words] of [
    [left, b],
    [right, a],
  ] as const) {
    const bare = handle.replace(/^@/u, '').replace(/@.*$/u, '');
    const isHandle = handle.includes('@') || /^[a-z][a-z0-9._-]*$/u.test(handle) || /^\p{Lu}{2,4}$/u.test(handle);
    if (!isHandle || words.length < 2 || /\s/u.test(handle)) continue;
    const letters = spellings(bare.replaceAll(/[._-]/gu, ''))[0] ?? '';
    const parts = words.flatMap((word) => word.split('-')).map((word) => spellings(word)[0] ?? '');
    const initials = parts.map((word) => word.charAt(0)).join('');
    const family = parts.at(-1) ?? '';
    if (letters === initials) return 'letters';
    const made = [
      `${parts[0]?.charAt(0)}${family}`,
      `${parts[0]}${family}`,
      `${parts[0]}${family.charAt(0)}`,
      `${family}${parts[0]?.charAt(0)}`,
    ];
    if (made.includes(letters.replace(/\d+$/u, ''))) return 'handle';
  }
  return undefined;
}

function relateThings(left: string, right: string): NameRelation {
  if (isSameSpelling(left, right)) return 'equal';
  if (areOtherNames(left, right)) return 'other-name';
  const [a, b] = [left.replace(LEGAL_FORM, ''), right.replace(LEGAL_FORM, '')];
  if (isSameSpelling(a, b)) return 'legal-form';
  if (isSameSpelling(a.replaceAll(GENERIC, ''), b.replaceAll(GENERIC, ''))) return 'legal-form';
  if (isSameSpelling(inOrder(a), inOrder(b))) return 'equal';
  if (isLettersOf(a, b) || isLettersOf(b, a)) return 'letters';
  if (differOnlyInNumbers(left, right)) return 'other-number';
  const [tokensA, tokensB] = [tokensOf(a), tokensOf(b)];
  const slips = slipsBetween(a, b);
  if (slips !== undefined && tokensA.length === tokensB.length && !isWordSwap(tokensA, tokensB)) return 'slip';
  const [fewer, more] = tokensA.length <= tokensB.length ? [tokensA, tokensB] : [tokensB, tokensA];
  const shared = fewer.filter((token) => more.includes(token)).length;
  if (shared === fewer.length) return 'longer';
  if (shared > 0) return 'sibling';
  const [short, long] = [tokensA.join(''), tokensB.join('')].sort((x, y) => x.length - y.length);
  return short !== undefined && short.length >= 2 && long?.startsWith(short) === true ? 'longer' : 'unlike';
}

/** Words in whatever order, and `and` in any language. */
function inOrder(name: string): string {
  const words = name
    .replaceAll(/\s(?:&|and|und|e|y|et|en|og|och|i)\s/giu, ' ')
    .split(/[\s._/-]+|(?<=\p{Ll})(?=\p{Lu})/u);
  return words
    .map((word) => spellings(word)[0] ?? '')
    .sort()
    .join('');
}

function tokensOf(name: string): string[] {
  return name
    .split(/[\s._/-]+|(?<=\p{Ll})(?=\p{Lu})/u)
    .map((word) => spellings(word)[0] ?? '')
    .filter((word) => word !== '');
}

/** A whole short word exchanged (tile-server, tide-server) is another thing, not a slip. */
function isWordSwap(a: readonly string[], b: readonly string[]): boolean {
  const differing = a.flatMap((word, at) => (word === b[at] ? [] : [[word, b[at] ?? ''] as const]));
  return a.length > 1 && differing.some(([one, other]) => Math.min(one.length, other.length) <= 4);
}

const SMALL_WORDS: ReadonlySet<string> = new Set(
  'of the and for de der die das und la le du des von van & a an in to'.split(' '),
);

/** `HPI` for Hasso Plattner Institute, `k8s` for Kubernetes. */
function isLettersOf(short: string, long: string): boolean {
  const bare = short.trim().replace(/^the\s+/iu, '');
  const letters = (spellings(bare)[0] ?? '').replaceAll(/[^\p{L}\p{N}]/gu, '');
  if (letters.length < 2 || /[\s-]/u.test(bare)) return false;
  const numeronym = /^(\p{L})(\d{1,2})(\p{L})$/u.exec(letters);
  const whole = spellings(long)[0] ?? '';
  if (numeronym !== null) {
    return (
      whole.startsWith(numeronym[1] ?? '') &&
      whole.endsWith(numeronym[3] ?? '') &&
      whole.length === Number(numeronym[2]) + 2
    );
  }
  if (letters.length > 6) return false;
  const words = long
    .split(/[\s/-]+|(?<=\p{Ll})(?=\p{Lu})/u)
    .map((word) => spellings(word)[0] ?? '')
    .filter((word) => word !== '');
  if (words.length < 2 && !isCompound(letters, words[0] ?? '')) return false;
  const initials = words.map((word) => word.charAt(0)).join('');
  const spaced = long
    .split(/\s+/u)
    .map((word) => (spellings(word)[0] ?? '').charAt(0))
    .join('');
  const telling = words
    .filter((word) => !SMALL_WORDS.has(word))
    .map((word) => word.charAt(0))
    .join('');
  return (
    letters === initials ||
    letters === spaced ||
    letters === telling ||
    (words.length === 1 && isCompound(letters, words[0] ?? '')) ||
    (words.length > 1 && isScattered(letters, words))
  );
}

/** `WG` for Wohngemeinschaft: the first letter, and the others in order, in a long word. */
function isCompound(letters: string, word: string): boolean {
  return (
    letters.length >= 2 &&
    letters.length <= 3 &&
    word.length >= 10 &&
    isSubsequence(letters, word) &&
    letters.charAt(0) === word.charAt(0)
  );
}

/** `BVG` for Berliner Verkehrsbetriebe: every word begins a stretch of the letters. */
function isScattered(letters: string, words: readonly string[]): boolean {
  let at = 0;
  for (const word of words) {
    if (letters.charAt(at) !== word.charAt(0)) return false;
    at += 1;
    let where = 1;
    const next = words[words.indexOf(word) + 1]?.charAt(0);
    while (at < letters.length && letters.charAt(at) !== next) {
      where = word.indexOf(letters.charAt(at), where);
      if (where === -1) return false;
      where += 1;
      at += 1;
    }
  }
  return at === letters.length;
}

function isSubsequence(letters: string, word: string): boolean {
  let at = 0;
  for (const letter of word) if (letter === letters.charAt(at)) at += 1;
  return at === letters.length;
}

function differOnlyInNumbers(left: string, right: string): boolean {
  const bare = (name: string): string =>
    spellings(name.replaceAll(/v?\d+(?:[.,]\d+)*[a-z]?(?![\p{L}])/giu, ' '))[0] ?? '';
  const numbers = (name: string): string => (name.match(/\d+(?:[.,]\d+)*/gu) ?? []).join(' ');
  return bare(left) !== '' && bare(left) === bare(right) && numbers(left) !== numbers(right);
}
