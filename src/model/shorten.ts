/** A text on one line and at most so long; the default fits a title or a line of the history. */
export function shorten(text: string, maxCharacters = 80): string {
  const line = text.replaceAll(/\s+/gu, ' ').trim();
  return line.length > maxCharacters ? `${line.slice(0, maxCharacters - 1).toWellFormed()}…` : line;
}
