import { plainLine } from '../command-line/plain.ts';
import { showTime, table } from '../command-line/style.ts';
import type { View } from '../command-line/view.ts';
import type { ReceiptList } from './receipts.ts';

/** Enough of a message to know which it was. */
const MAX_MESSAGE = 80;

export function renderReceipts({ style, timeZone }: View, { receipts, next }: ReceiptList): string {
  if (receipts.length === 0) return `${style.dim('Nobody has been told anything yet.')}\n`;
  const rows = receipts.map(({ id, clock, message, event, tokens, budget, included, leftOut }) => [
    style.dim(id),
    showTime(Date.parse(clock), timeZone),
    `${tokens}/${budget} tokens`,
    `${included} in, ${leftOut} out`,
    plainLine(message === '' ? (event ?? '') : message).slice(0, MAX_MESSAGE),
  ]);
  const more = next === null ? '' : style.dim(`Earlier: mneme context list --before ${next}\n`);
  return `${table(rows)}${style.dim('mneme context show ID shows one.')}\n${more}`;
}
