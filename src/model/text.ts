/** The text with its first letter in upper case. */
export function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The text with every run of white space as one blank. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim();
}

/** Orders texts by their code units, which is the same on every machine. */
export function compareTexts(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The last folder of a path with either kind of slash. */
export function projectName(folder: string): string {
  return folder.split(/[\\/]/u).findLast((segment) => segment !== '') ?? folder;
}

/** A text on one line and at most so long; the default fits a title or a line of the history. */
export function shorten(text: string, maxCharacters = 80): string {
  const line = text.replaceAll(/\s+/gu, ' ').trim();
  return line.length > maxCharacters ? `${line.slice(0, maxCharacters - 1).toWellFormed()}…` : line;
}

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

export function roundTo(value: number, decimals: number): number {
  const factor = 10 ** decimals;
  return Math.round(value * factor) / factor;
}

/** A text of at most so many characters, cut at a word where one ends near. */
export function cutText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  if (maxChars <= 1) return '';
  const cut = text.slice(0, maxChars - 1).toWellFormed();
  const blank = cut.lastIndexOf(' ');
  return `${(blank > maxChars * 0.6 ? cut.slice(0, blank) : cut).trimEnd()}…`;
}

/** Keeps 0.29 × 100 from falling below 29. */
const ROUNDING_ERROR = 1e-9;

/** Rounds down: a chance below a threshold must not read as equal to it. */
export function showChance(chance: number): string {
  const percent = Math.floor(chance * 100 + ROUNDING_ERROR);
  return percent < 1 ? 'under 1 %' : `${percent} %`;
}

/** An error's text without the key that was sent. */
export function withoutKey(text: string, key: string | undefined): string {
  return key === undefined || key === '' ? text : text.replaceAll(key, '[key]');
}

/** Undoes percent encoding; a text that holds a `%` which begins no escape, or a cut one, is returned as it is. */
export function decodePercents(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}

/** Letters and digits alone, in one case: the same words are the same text. */
export function foldWords(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
