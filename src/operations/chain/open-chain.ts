import { errorMessage } from '../../model/errors.ts';
import type { Chain } from '../../chain/chain.ts';
import type { OperationContext } from '../context.ts';

export interface OpenedChain {
  readonly chain: Chain;
  /** Entries, repairs and failures, in words. */
  readonly notes: readonly string[];
}

/** The chain with everything in it that happened before the question. What cannot be entered now is told, not hidden. */
export async function openChain(context: OperationContext): Promise<OpenedChain> {
  const chain = await context.chain.open();
  try {
    const { problems } = await context.chain.drain();
    return { chain, notes: problems };
  } catch (error) {
    const waiting = context.chain.queue.names().length;
    return { chain, notes: [`${waiting} notes wait to be entered: ${errorMessage(error)}`] };
  }
}
