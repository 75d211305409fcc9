import { z } from 'zod';
import { ReceiptStore } from '../../compile/receipt-store.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import { defineVerb } from '../verb.ts';
import { seesPrompt } from '../visible-to.ts';

const input = z.strictObject({
  limit: z.number().int().min(1).max(200).default(20).describe('Most receipts.'),
  before: z.string().max(64).optional().describe('Only receipts from before this one.'),
  session: z.string().max(200).optional().describe('Only receipts of this conversation.'),
});

export type ListReceiptsInput = z.input<typeof input>;

export interface ListedReceipt {
  readonly id: string;
  readonly clock: string;
  readonly message: string;
  readonly event: string | null;
  readonly session: string | null;
  readonly tokens: number;
  readonly budget: number;
  readonly included: number;
  readonly leftOut: number;
}

export interface ReceiptList {
  /** The latest first. */
  readonly receipts: readonly ListedReceipt[];
  /** Give it as `before` for those that came earlier; null at the end. */
  readonly next: string | null;
}

export const listReceipts = defineVerb({
  name: 'context list',
  summary: 'List the prompts that agents were given lately, the latest first.',
  input,
  effect: 'read',
  reach: 'filtered',
  async run(context, { limit, before, session }): Promise<ReceiptList> {
    const receipts: ListedReceipt[] = [];
    let next: string | null = null;
    for (const { receipt, tokens, budget } of new ReceiptStore(
      nodeFileSystem,
      context.workspace.paths.journal,
    ).list()) {
      const { id, clock, message, event, session: own, items, asked } = receipt;
      if (before !== undefined && id >= before) continue;
      if (session !== undefined && own !== session) continue;
      if (!seesPrompt(context, asked?.scope)) continue;
      if (receipts.length === limit) {
        next = receipts.at(-1)?.id ?? null;
        break;
      }
      const included = items.filter((item) => item.included).length;
      const leftOut = items.length - included;
      receipts.push({ id, clock, message, event, session: own, tokens, budget, included, leftOut });
    }
    return { receipts, next };
  },
  library: { name: 'receipts.list' },
  cli: { options: { before: { value: 'receipt' }, session: { value: 'id' } } },
  render: async (view, list) => (await import('./render.ts')).renderReceipts(view, list),
});
