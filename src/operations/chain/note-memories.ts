import type { ContentType } from '../../chain/entry.ts';
import type { NotedItem } from '../../chain/record/queue.ts';
import { isItemId, isMutationId } from '../../model/ids.ts';
import type { OperationContext } from '../context.ts';

interface KeptMemory {
  readonly id: string;
  readonly mutation: string;
  readonly text: string;
  readonly type: string;
  readonly isIdentity: boolean;
  readonly scope: string;
}

/** Somebody asked for it to be remembered: that is entered whatever it is worth. */
export function noteRemembered(
  { chain }: OperationContext,
  { id, mutation, text, type, isIdentity, scope }: KeptMemory,
): void {
  const kind: ContentType = isIdentity ? 'identity' : kindOf(type, text);
  chain.note([{ type: kind, text, scope, ref: referenceOf(id, mutation) }]);
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
