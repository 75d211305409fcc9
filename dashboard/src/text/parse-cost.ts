/** Longer texts are shown as they are: parsing them would hold up the page. */
const MAX_PARSED_CHARS = 200_000;
/** The parser looks for the end of each opened comment or instruction as far as the paragraph goes. */
const MAX_UNCLOSED = 50;
/** Each level of a quotation or list costs as much as the whole line again. */
const MAX_NESTING = 40;

const NESTED = new RegExp(
  String.raw`^(?:[ \t]{0,3}(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t]))[ \t]*){${MAX_NESTING}}`,
  'mu',
);

/** Whether a text can be parsed while a person waits; texts made to be slow are shown without formatting. */
export function isCheapToParse(text: string): boolean {
  if (text.length > MAX_PARSED_CHARS || NESTED.test(text)) return false;
  return text.split(/\n[ \t]*\r?\n/u).every((block) => countUnclosed(block) <= MAX_UNCLOSED);
}

/** Openings of comments, instructions and declarations that do not end within the block. */
function countUnclosed(block: string): number {
  let count = 0;
  for (let at = block.indexOf('<'); at !== -1; at = block.indexOf('<', at + 1)) {
    if (block.startsWith('<!--', at)) {
      const end = count === 0 ? block.indexOf('-->', at + 4) : -1;
      if (end === -1) count += 1;
      else at = end;
    } else if (block[at + 1] === '!' || block[at + 1] === '?') count += 1;
  }
  return count;
}
