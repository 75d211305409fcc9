import type { Chain } from '../../chain/chain.ts';
import type { ContentType } from '../../chain/entry.ts';
import type { NotedItem } from '../../chain/record/queue.ts';
import { errorMessage } from '../../model/errors.ts';
import { isItemId, isMutationId } from '../../model/ids.ts';
import type { OperationContext } from '../context.ts';
import type { Remembered } from '../remember.ts';

interface AskedFor {
  readonly text: string;
  readonly store?: string | undefined;
  readonly block: string;
  readonly type: string;
  readonly scope: string;
}

/** Enters what a person or agent asked to be remembered, whatever it is worth. */
export async function noteRemembered(
  { chain, workspace }: OperationContext,
  { text, store, block, type, scope }: AskedFor,
  { id, mutation, redacted, block: filedIn }: Pick<Remembered, 'id' | 'mutation' | 'redacted' | 'block'>,
): Promise<void> {
  // A secret goes into no file, this one included.
  const kept = redacted.length === 0 ? text : (await workspace.redactor.redact(text)).text;
  const isIdentity = (store === 'core' ? block : filedIn) === 'Identity';
  chain.note([
    { type: isIdentity ? 'identity' : kindOf(type, kept), text: kept, scope, ref: referenceOf(id, mutation) },
  ]);
}

interface LearnedItem {
  readonly kind: string;
  readonly statement: string;
  readonly action: string;
  readonly id: string | undefined;
  readonly mutation: string | undefined;
  readonly importance: number;
}

/** Of what was learned from a conversation, the decisions and commitments that weigh enough. */
export function noteLearned({ chain }: OperationContext, items: readonly LearnedItem[], scope: string): void {
  const kept = items.flatMap(({ kind, statement, action, id, mutation, importance }): NotedItem[] => {
    const isWritten = mutation !== undefined && action !== 'proposed' && action !== 'failed' && action !== 'skipped';
    const type = kindOf(kind, statement);
    if (!isWritten || type === 'remember' || importance < CHAIN_MIN_IMPORTANCE) return [];
    return [{ type, text: statement, scope, ref: referenceOf(id, mutation) }];
  });
  chain.note(kept);
}

/** Words by which somebody binds themselves. */
/** S4: less important decisions and commitments are not entered unless somebody asks. */
const CHAIN_MIN_IMPORTANCE = 0.8;
const COMMITTING = /\b(?:I|we)(?:['’]ll| will| shall)\b|\b(?:promised?|commit(?:s|ted)? to|pledged?|vow(?:ed)?)\b/iu;

function kindOf(type: string, text: string): ContentType {
  if (type === 'decision') return 'decision';
  return type === 'commitment' || (type === 'task' && COMMITTING.test(text)) ? 'commitment' : 'remember';
}

function referenceOf(id: string | undefined, mutation: string | undefined): NotedItem['ref'] {
  return {
    ...(id !== undefined && isItemId(id) ? { item: id } : {}),
    ...(mutation !== undefined && isMutationId(mutation) ? { mutation } : {}),
  };
}

interface OpenedChain {
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
