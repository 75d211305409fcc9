import { cutText, showChance } from '../model/text.ts';
import type { ReceiptItem } from './piece.ts';
import type { DayOf } from './quote.ts';
import type { StoredBriefing } from './receipt.ts';

/** Why no memory was added to a prompt, in words for a person. */
export interface Silence {
  readonly summary: string;
  /** The memories that came nearest, the nearest first; each line quotes one and says why it stayed out. */
  readonly closest: readonly { readonly id: string; readonly line: string }[];
}

type Told = Pick<StoredBriefing, 'prompt' | 'receipt'>;

const MAX_CLOSEST = 3;
const MAX_CHARACTERS = 160;

/** Null when a memory was added, and when there was no message to add one to. `texts` has what items say, by their ids. */
export function explainSilence(told: Told, texts: Readonly<Record<string, string>>, dayOf: DayOf): Silence | null {
  const { prompt, receipt } = told;
  const { decision, items } = receipt;
  if (decision === null || items.some((item) => isMemory(item) && item.included)) return null;
  const subject = prompt === '' ? 'Nothing was added' : 'No memory was added';
  const reason = decision.isRelevant ? `${decision.reason}, but all of it was left out` : decision.reason;
  const closest = closestItems(told).map((item) => ({
    id: item.id,
    line: `${quoted(texts[item.id])} (${dayOfItem(item, dayOf)}${whyNot(item, decision.isRelevant)})`,
  }));
  return { summary: `${subject}: ${reason}.`, closest };
}

/** The memories that came nearest to being added. */
export function closestItems({ receipt: { items } }: Told): ReceiptItem[] {
  return items
    .filter((item) => isMemory(item) && !item.included)
    .sort((left, right) => (right.chance ?? 0) - (left.chance ?? 0))
    .slice(0, MAX_CLOSEST);
}

function isMemory({ tag }: ReceiptItem): boolean {
  return tag === 'memory';
}

/** Receipts keep no texts: what was forgotten since is gone here, too. */
function quoted(text: string | undefined): string {
  return text === undefined
    ? 'A memory that is gone'
    : `"${cutText(text.replaceAll(/\s+/gu, ' ').trim(), MAX_CHARACTERS)}"`;
}

function dayOfItem({ time }: ReceiptItem, dayOf: DayOf): string {
  return time === null ? '' : `${dayOf(Date.parse(time))}, `;
}

/** The summary says already that nothing was needed. */
function whyNot({ chance, reason }: ReceiptItem, isRelevant: boolean): string {
  return isRelevant || chance === undefined ? reason : `helps with a chance of ${showChance(chance)}`;
}
