import { endsWithEol } from './lines.ts';
import { findMissingCloser, scanBlocks } from './scan.ts';
import type { MarkdownDocument } from './types.ts';

/** CommonMark itself recommends this between a list and indented text that is not part of it. */
const LIST_END = '<!-- -->';

/**
 * The text to put between two blocks' sources (given without their final line ends) so that they stay two blocks:
 * `gap` if that suffices, else a blank line, else a line that ends what `left` leaves open.
 */
export function separate(left: string, gap: string, right: string, eol: MarkdownDocument['eol']): string {
  const proposed = endsWithEol(gap) ? gap : gap + eol;
  if (staysApart(left, proposed, right)) return proposed;
  const blankLine = eol + eol;
  if (staysApart(left, blankLine, right)) return blankLine;
  const open = scanBlocks(left).at(-1);
  const closer = open === undefined ? undefined : findMissingCloser(open);
  return closer === undefined ? blankLine + LIST_END + blankLine : eol + closer + blankLine;
}

/** A block's end depends only on the text from its beginning, so scanning the two alone decides. */
function staysApart(left: string, gap: string, right: string): boolean {
  let offset = 0;
  for (const block of scanBlocks(left + gap + right)) {
    offset += block.raw.length;
    if (offset >= left.length + gap.length) break;
  }
  return offset === left.length + gap.length;
}
