import { findMatches, type TextRange } from './matches.ts';
import { chooseWindow } from './window.ts';

interface HighlightQuery {
  /** As the index writes them: `Understanding.terms`, and `expansions` if they should show too. */
  readonly terms: readonly { readonly term: string; readonly weight: number }[];
  readonly phrases: readonly string[];
}

interface HighlightOptions {
  /** Characters (UTF-16 units) of the snippet, marks of omission included. */
  readonly maxChars: number;
}

export interface Highlight {
  readonly snippet: string;
  /** The matches, as places in the snippet: sorted, not overlapping, the end exclusive. */
  readonly ranges: readonly TextRange[];
}

/** More than this of one text is not looked at: whoever has so much in a single passage is not reading it anyway. */
const MAX_SEARCHED_LENGTH = 100_000;
const ELLIPSIS = '…';

/** The part of a text that says most about a question, and what in it matches. */
export function highlight(
  text: string,
  query: HighlightQuery,
  options: HighlightOptions = { maxChars: 700 },
): Highlight {
  const matches = findMatches(text.slice(0, MAX_SEARCHED_LENGTH), query.terms, query.phrases);
  const { start, end } = chooseWindow(text, matches, Math.max(1, options.maxChars));
  const lead = start > 0 ? ELLIPSIS : '';
  const tail = end < text.length ? ELLIPSIS : '';
  const ranges = joinRanges(matches)
    .filter(([from, to]) => from >= start && to <= end)
    .map(([from, to]): TextRange => [from - start + lead.length, to - start + lead.length]);
  return { snippet: lead + text.slice(start, end) + tail, ranges };
}

/** A phrase and the words in it are one mark. */
function joinRanges(matches: readonly { readonly start: number; readonly end: number }[]): TextRange[] {
  const joined: [number, number][] = [];
  for (const { start, end } of matches) {
    const last = joined.at(-1);
    if (last !== undefined && start < last[1]) last[1] = Math.max(last[1], end);
    else joined.push([start, end]);
  }
  return joined;
}
