/** Each line becomes a few elements; a page has room for some three thousand. */
const MAX_LINES = 300;

export interface TextPart {
  /** The number of its first line in the whole text, counted from 1. */
  readonly first: number;
  readonly text: string;
}

/** A long text in parts of some hundred lines; headings begin a part where one is near. */
export function splitParts(text: string): readonly TextPart[] {
  const lines = text.split('\n');
  const parts: TextPart[] = [];
  for (let at = 0; at < lines.length;) {
    const end = at + MAX_LINES >= lines.length ? lines.length : endOf(lines, at);
    parts.push({ first: at + 1, text: lines.slice(at, end).join('\n') });
    at = end;
  }
  return parts;
}

/** Before a heading, or else behind an empty line, in the last third of the part. */
function endOf(lines: readonly string[], from: number): number {
  const last = from + MAX_LINES;
  const earliest = from + (MAX_LINES * 2) / 3;
  for (const isEnd of [/^#{1,6} /u, /^\s*$/u]) {
    for (let at = last; at > earliest; at -= 1) if (isEnd.test(lines[at] ?? '')) return at;
  }
  return last;
}
