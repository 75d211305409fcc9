const MAX_CHARS = 80;

/** A text on one line, short enough for a line of the history or a title. */
export function shorten(text: string): string {
  const line = text.replaceAll(/\s+/gu, ' ');
  return line.length > MAX_CHARS ? `${line.slice(0, MAX_CHARS - 1)}…` : line;
}
