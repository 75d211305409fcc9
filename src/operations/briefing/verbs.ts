import type { OperationContext } from '../context.ts';
import { runOperation } from '../operation.ts';
import type { ListReceiptsInput, ReceiptList } from '../browse/receipts.ts';
import type { DiffedReceipts, DiffReceiptsInput, ShownReceipt, ShowReceiptInput } from './receipts.ts';

/** `m.receipts`: what was told, and why two prompts differ. */
export class ReceiptVerbs {
  readonly #context: OperationContext;
  readonly #assertOpen: () => Promise<never> | undefined;

  constructor(context: OperationContext, assertOpen: () => Promise<never> | undefined) {
    this.#context = context;
    this.#assertOpen = assertOpen;
  }

  /** What agents were told lately, the latest first. */
  async list(options: ListReceiptsInput = {}): Promise<ReceiptList> {
    await this.#assertOpen();
    const { listReceipts } = await import('../browse/receipts.ts');
    return runOperation(listReceipts, this.#context, options);
  }

  /** A prompt that was told, with its receipt; made again with `recompile`, to see why it was so. */
  async show(receipt: string, options: Omit<ShowReceiptInput, 'receipt'> = {}): Promise<ShownReceipt> {
    await this.#assertOpen();
    const { showReceipt } = await import('./receipts.ts');
    return runOperation(showReceipt, this.#context, { ...options, receipt });
  }

  /** Why two prompts differ: receipts, messages, or with `message` two times. */
  async diff(
    before: string,
    after: string,
    options: Omit<DiffReceiptsInput, 'before' | 'after'> = {},
  ): Promise<DiffedReceipts> {
    await this.#assertOpen();
    const { diffBriefings } = await import('./receipts.ts');
    return runOperation(diffBriefings, this.#context, { ...options, before, after });
  }
}
