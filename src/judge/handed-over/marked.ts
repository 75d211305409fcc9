import { isLogLine } from './marks.ts';

/**
 * Text in any speaker's turn that is marked as not said by them: code, logs, quotations, forwarded mails. Text a user
 * hands over is taken out before (`split.ts`); an agent's turn has only its marks. A short inline code span stays, since it
 * names things.
 */
const FENCE = /(?:^|\n)[^\S\n]*(?:```|~~~)[\s\S]*?(?:\n[^\S\n]*(?:```|~~~)[^\S\n]*(?=\n|$)|$)/gu;
const TAGGED_BLOCK = /<(\w[\w-]*)\b[^>\n]*>[\s\S]*?<\/\1>/gu;
const MAIL_HEADER = /^\s*(?:from|to|cc|subject|date|sent|von|an|betreff|gesendet)\s*:\s+\S/iu;
const MAIL_START =
  /^\s*(?:-{3,}.*(?:forwarded|original|weitergeleitet)|begin forwarded|on .{6,60} wrote:|am .{6,60} schrieb)/iu;
const SALUTATION = /^\s*(?:dear|hi|hello|hey|liebe[rs]?|sehr geehrte[rs]?|hallo)\s+[\p{L} .]{2,40},?\s*$/iu;
const CLOSING =
  /^\s*(?:(?:best|kind|warm|many)\s+(?:regards|wishes|thanks)|regards|best|cheers|sincerely|thanks|mit freundlichen|viele grüße|liebe grüße|lg|vg)\b[ ,!.]*$/iu;

/** Work on a text that follows: nothing from here on is said by whoever gives the order. */
const GIVEN_TO_WORK_ON =
  /(?<=^|[\n.!?] ?)(?:(?:please|can you|could you|pls|now|just) )*(?:translate|summari[sz]e|proofread|rewrite|rephrase|reword|shorten|polish|copy-?edit|correct|check the (?:grammar|spelling)|fix the (?:grammar|spelling)|improve|übersetze?|traduce|traduis)\b[^:\n]{0,60}:\s[\s\S]*$/iu;
/** "Here's what Tom wrote: …", "below is the ad:": what somebody wrote elsewhere, to the end of the line or quotation. */
const SHOWN =
  /(?:here(?:'s| is| are)|below(?: is| are)?|this is|i got this|she wrote|he wrote|they wrote|it says|the \p{L}+ says)\b[^:\n]{0,60}:(?:\s*\n[\s\S]*$|\s*["“][^"”]*["”]?|[^\n]*)/giu;

/** The text without what is marked as somebody else's; line breaks are kept. */
export function withoutMarked(text: string): string {
  const withoutBlocks = text
    .replaceAll(FENCE, '\n')
    .replaceAll(TAGGED_BLOCK, ' ')
    .replace(GIVEN_TO_WORK_ON, '')
    .replaceAll(SHOWN, '');
  const lines = withoutMails(withoutBlocks.split('\n'));
  return lines.filter((line) => !/^\s*>/u.test(line) && !isLogLine(line)).join('\n');
}

/** A pasted mail runs from its header or salutation to its closing and the name below, else to the end of the text. */
function withoutMails(lines: readonly string[]): string[] {
  const kept: string[] = [];
  let index = 0;
  while (index < lines.length) {
    const end = endOfMail(lines, index);
    if (end === undefined) {
      kept.push(lines[index] ?? '');
      index += 1;
    } else {
      index = end;
    }
  }
  return kept;
}

function endOfMail(lines: readonly string[], start: number): number | undefined {
  const line = lines[start] ?? '';
  const hasHeaders = MAIL_HEADER.test(line) && MAIL_HEADER.test(lines[start + 1] ?? '');
  const closing = lines.findIndex((each, index) => index > start && CLOSING.test(each));
  const hasSalutation = SALUTATION.test(line) && closing > start;
  if (!hasHeaders && !MAIL_START.test(line) && !hasSalutation) return undefined;
  if (closing === -1) return lines.length;
  const signature = lines[closing + 1] ?? '';
  return /^\s*[\p{L} .-]{2,40}$/u.test(signature) ? closing + 2 : closing + 1;
}
