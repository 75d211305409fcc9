import type { Trigger } from '../../capture/triggers/types.ts';
import { errorMessage, isMnemeError } from '../../model/errors.ts';
import { turnText, type Turn } from '../../workspace/formats/transcript.ts';
import type { OperationContext } from '../context.ts';
import type { ForgetPlan } from '../forget.ts';
import { runOperation } from '../operation.ts';
import type { Remembered } from '../remember.ts';
import type { RecallResult } from '../search/recall.ts';
import { sessionsOf } from './open-sessions.ts';

/** What a wish in a message led to. */
export interface TriggerOutcome {
  readonly kind: Trigger['kind'];
  /** The words that were taken for a wish. */
  readonly phrase: string;
  /** What it is about; null where that could not be made out. */
  readonly content: string | null;
  /** For `remember`: where it is kept. */
  readonly remembered?: Remembered | undefined;
  /** For `forget`: what would go, to be confirmed in a second step. */
  readonly forget?: ForgetPlan | undefined;
  /** For `recall`: what is known. */
  readonly hits?: RecallResult['hits'] | undefined;
  /** For `reflect`: the reflection that now waits for a decision. */
  readonly reflection?: { readonly number: number; readonly proposal: string | null } | undefined;
  /** Why nothing was done. */
  readonly note?: string | undefined;
}

/** More hits than this belong into an answer to a question, not beside a message. */
const RECALLED = 5;

/** Fulfils what a user asks of the memory in passing. The message itself is kept whatever becomes of it. */
export async function actOnTriggers(
  context: OperationContext,
  session: string,
  turn: string,
  triggers: readonly Trigger[],
  said?: readonly Turn[],
): Promise<readonly TriggerOutcome[]> {
  const outcomes: TriggerOutcome[] = [];
  for (const trigger of triggers) {
    const content = trigger.refersBack
      ? saidBefore(said ?? sessionsOf(context).peek(session).turns, turn)
      : trigger.content;
    const about = { kind: trigger.kind, phrase: trigger.phrase, content: content ?? null };
    try {
      outcomes.push({ ...about, ...(await fulfil(context, { session, turn }, trigger, content)) });
    } catch (error) {
      if (!isMnemeError(error)) throw error;
      outcomes.push({ ...about, note: errorMessage(error) });
    }
  }
  return outcomes;
}

type Fulfilled = Pick<TriggerOutcome, 'remembered' | 'forget' | 'hits' | 'reflection' | 'note'>;

async function fulfil(
  context: OperationContext,
  { session, turn }: { readonly session: string; readonly turn: string },
  { kind, phrase, permanently }: Trigger,
  content: string | undefined,
): Promise<Fulfilled> {
  if (kind === 'reflect') {
    const { reflect } = await import('../reflect/reflect.ts');
    const { outcome, number, proposal } = await runOperation(reflect, context, {});
    return outcome === 'nothing-new'
      ? { note: 'Nothing is new since the last reflection.' }
      : { reflection: { number, proposal } };
  }
  if (content === undefined) return { note: 'It does not say what is meant.' };
  // Loaded only now: most messages ask for nothing.
  if (kind === 'remember') {
    const { rememberForUser } = await import('../remember.ts');
    return { remembered: await rememberForUser(context, { text: content, session, turn, trigger: phrase }) };
  }
  if (kind === 'forget') {
    const { forget } = await import('../forget.ts');
    return { forget: await runOperation(forget, context, { text: content, permanently }) };
  }
  const { recall } = await import('../search/recall.ts');
  const { hits } = await runOperation(recall, context, { query: content, limit: RECALLED + 1 });
  // The best match of a question is the question.
  const isAsked = ({ provenance }: (typeof hits)[number]): boolean =>
    provenance.session === session && provenance.turn === turn;
  return { hits: hits.filter((hit) => !isAsked(hit)).slice(0, RECALLED) };
}

/** The last thing anybody said before a turn: what "remember that" means. */
function saidBefore(turns: readonly Turn[], turn: string): string | undefined {
  const index = turns.findIndex(({ id }) => id === turn);
  return turns
    .slice(0, Math.max(0, index))
    .filter(({ role, tag }) => (role === 'user' || role === 'agent') && tag !== 'memory')
    .map(turnText)
    .findLast((text) => text.trim() !== '');
}
