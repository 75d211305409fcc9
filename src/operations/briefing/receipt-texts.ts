import type { ReceiptItem } from '../../compile/piece.ts';
import { createDays } from '../../compile/quote.ts';
import type { StoredBriefing } from '../../compile/receipt.ts';
import { closestItems, explainSilence, type Silence } from '../../compile/silence.ts';
import type { OperationContext } from '../context.ts';

/** Enough to know what it is about. */
const MAX_TEXT_LENGTH = 500;

/** From the index: a receipt names what it told, and must not become a second copy of it that nobody erases. */
export async function readTexts(
  context: OperationContext,
  items: readonly ReceiptItem[],
): Promise<Readonly<Record<string, string>>> {
  const { index } = await context.homeIndex.prepare();
  if (index === undefined) return {};
  const scopes = [...new Set(items.map(({ scope }) => scope))];
  const view = await index.view({ scopes, withArchived: true });
  const texts: [string, string][] = [];
  for (const id of new Set(items.map((item) => item.id))) {
    const [first] = await view.read((await view.findItem(id)).slice(0, 1));
    if (first !== undefined) texts.push([id, first.text.slice(0, MAX_TEXT_LENGTH).toWellFormed()]);
  }
  return Object.fromEntries(texts);
}

/** Why a prompt got no memory; null when it got one. */
export async function readSilence(context: OperationContext, stored: StoredBriefing): Promise<Silence | null> {
  const texts = await readTexts(context, closestItems(stored));
  return explainSilence(stored, texts, createDays(context.config.time_zone));
}
