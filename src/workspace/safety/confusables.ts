/**
 * Characters that people read as the ASCII letter or sign on the left. Chosen by eye from the scripts whose letters
 * share shapes with Latin; width, font and ligature variants are absent because NFKC already folds those.
 */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  a: 'аɑαᴀΑᎪꓮ',
  b: 'вьʙΒᏴꓐ',
  c: 'сϲᴄꓚᏟ',
  d: 'ԁᴅꓓᎠ',
  e: 'еҽᴇ℮ΕꓰᎬ',
  f: 'ϝꓝ',
  g: 'ɡցԍɢꓖᏀ',
  h: 'нһհʜΗꓧᎻ',
  j: 'јϳꓙᎫ',
  k: 'кκᴋΚꓗᏦ',
  // One group: in many typefaces nobody can tell these apart.
  l: 'i1|іӏɩιıǀʟΙꓲꓡᏞ',
  m: 'мᴍΜꓟᎷ',
  n: 'ոηɴΝꓠ',
  o: '0оοօσᴏΟꓳ',
  p: 'рρᴘΡꓑᏢ',
  q: 'ԛզգ',
  r: 'гᴦʀꓣᏒ',
  s: 'ѕꜱꓢᏚՏ',
  t: 'тτᴛΤꓔᎢ',
  u: 'υսᴜꓴՍ',
  v: 'νѵᴠꓦᏙ',
  w: 'ԝѡωᴡꓪᎳ',
  x: 'хχΧꓫ',
  y: 'уүγყʏΥꓬᎽ',
  z: 'ᴢΖꓜᏃ',
  '.': '۔‧·•ꓸ。',
  '-': '‐‑‒–—―−ـ',
};

const ASCII_FOR = new Map(
  Object.entries(LOOK_ALIKES).flatMap(([ascii, twins]) => [...twins].map((twin) => [twin, ascii] as const)),
);

/** Names with a meaning to Mneme, git or an agent: nothing may merely look like one of them. */
const WELL_KNOWN_NAMES = `
  MEMORY.md SOUL.md IDENTITY.md USER.md AGENTS.md TOOLS.md CLAUDE.md README.md
  mneme.yaml .git .gitignore .gitattributes .gitmodules
  memory topics episodes journal graph entities relations.md procedures reference vault archive scopes meta proposals
`
  .trim()
  .split(/\s+/);

const WELL_KNOWN_BY_SKELETON = new Map(WELL_KNOWN_NAMES.map((name) => [skeleton(name), name]));

const NON_ASCII = /[^\p{ASCII}]/u;

/** Reduces a name to its appearance: two names with one skeleton are hard to tell apart on screen. */
function skeleton(name: string): string {
  let text = '';
  for (const char of name.normalize('NFKC')) {
    const lower = char.toLowerCase();
    // The capital first: Ν reads as N, while its small form ν reads as v.
    text += ASCII_FOR.get(char) ?? ASCII_FOR.get(lower) ?? lower;
  }
  return text.replace(/\p{Default_Ignorable_Code_Point}/gu, '');
}

/** The form under which case-insensitive and normalising file systems file a name. */
function foldName(name: string): string {
  return name.normalize('NFC').toUpperCase().toLowerCase();
}

/** The well-known name that `name` imitates; the well-known name itself, in any case, is not an imitation. */
export function findImitatedName(name: string): string | undefined {
  const original = WELL_KNOWN_BY_SKELETON.get(skeleton(name));
  return original === undefined || foldName(original) === foldName(name) ? undefined : original;
}

/**
 * Compares a new name with existing ones. ASCII names that merely resemble each other (`l1` and `ll`) are left alone:
 * people number their notes; only another script makes a twin that nobody notices.
 */
export function createTwinTest(name: string): (existing: string) => boolean {
  const isPlain = !NON_ASCII.test(name);
  const lower = name.toLowerCase();
  const folded = foldName(name);
  const look = skeleton(name);
  return (existing) => {
    if (isPlain && !NON_ASCII.test(existing))
      return existing.length === name.length && existing.toLowerCase() === lower;
    return foldName(existing) === folded || skeleton(existing) === look;
  };
}
