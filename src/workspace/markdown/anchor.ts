import { withoutFinalEol } from './lines.ts';

/**
 * Block anchors, ` ^7k2m9x0q4t1za` at the end of a block's last line. Any `^block-id` Obsidian would accept counts, so
 * that the anchors people made themselves are respected as ids.
 */

const ID_AND_TRAILING_SPACE = /^([A-Za-z0-9-]+)[ \t]*$/;

interface AnchorPosition {
  readonly id: string;
  /** Offsets in the source; the one white-space character before the caret belongs to the anchor. */
  readonly start: number;
  readonly end: number;
  readonly lineStart: number;
}

function locateAnchor(raw: string): AnchorPosition | undefined {
  // Most blocks carry no caret at all: asking for it first keeps the pattern off the scanner's hot path.
  const caret = raw.lastIndexOf('^');
  if (caret === -1) return undefined;
  const content = withoutFinalEol(raw);
  const lineStart = content.lastIndexOf('\n') + 1;
  if (caret < lineStart) return undefined;
  const atLineStart = caret === lineStart;
  if (!atLineStart && raw[caret - 1] !== ' ' && raw[caret - 1] !== '\t') return undefined;
  const id = ID_AND_TRAILING_SPACE.exec(content.slice(caret + 1))?.[1];
  if (id === undefined) return undefined;
  return { id, start: atLineStart ? caret : caret - 1, end: caret + 1 + id.length, lineStart };
}

/** The anchor at the end of a paragraph's or item's source. */
export function findAnchor(raw: string): string | undefined {
  return locateAnchor(raw)?.id;
}

/** The source without its anchor; an anchor that has a line to itself takes that line with it. */
export function cutAnchor(raw: string): string {
  const anchor = locateAnchor(raw);
  if (anchor === undefined) return raw;
  const ownsLine = anchor.lineStart > 0 && raw.slice(anchor.lineStart, anchor.start).trim() === '';
  if (!ownsLine) return raw.slice(0, anchor.start) + raw.slice(anchor.end);
  return withoutFinalEol(raw.slice(0, anchor.lineStart)) + raw.slice(withoutFinalEol(raw).length);
}
