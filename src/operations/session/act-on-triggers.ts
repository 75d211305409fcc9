import type { Trigger } from '../../capture/triggers/judge-request.ts';
import { handedOverTexts } from '../../judge/handed-over/split.ts';
import { errorMessage, isMnemeError } from '../../model/errors.ts';
import type { Trust } from '../../model/provenance.ts';
import { turnText, type Turn } from '../../workspace/formats/transcript.ts';
import type { OperationContext } from '../context.ts';
import type { ChangedIgnoreRules } from '../control/ignore.ts';
import type { ForgetPlan } from '../forget.ts';
import { runOperation } from '../operation.ts';
import type { Remembered } from '../remember.ts';
import type { RecallResult } from '../search/recall.ts';
import { scopeOfSession } from './session-scope.ts';
import { refusalOf, strangerIn, type Speakers } from './speaker.ts';

/** The outcome of a request in a message. */
export interface TriggerOutcome {
  readonly kind: Trigger['kind'];
  /** The words that were taken for a wish. */
  readonly phrase: string;
  /** The subject; null where it could not be determined. */
  readonly content: string | null;
  /** For `remember`: where it is kept. */
  readonly remembered?: Remembered | undefined;
  /** For `forget`: what would go, to be confirmed in a second step. */
  readonly forget?: ForgetPlan | undefined;
  /** For `ignore`: the rules as they are now. */
  readonly ignored?: ChangedIgnoreRules | undefined;
  /** For `recall`: what is known. */
  readonly hits?: RecallResult['hits'] | undefined;
  /** For `reflect`: the reflection that now waits for a decision. */
  readonly reflection?: { readonly number: number; readonly proposal: string | null } | undefined;
  /** Why nothing was done. */
  readonly note?: string | undefined;
  /** It failed for a reason that may pass, such as a file that a person has to mend: worth another try. */
  readonly mayPass?: boolean | undefined;
}

/** A turn with wishes, and the conversation it stands in. */
export interface SaidHere {
  readonly session: string;
  readonly turn: Pick<Turn, 'id' | 'role' | 'name'>;
  readonly speakers: Speakers;
  readonly said: readonly Turn[];
}

/** More hits than this belong into an answer to a question, not beside a message. */
const RECALLED = 5;

/** Fulfils what a user asks of the memory in passing. The message itself is kept whatever becomes of it. */
export async function actOnTriggers(
  context: OperationContext,
  { session, turn, speakers, said }: SaidHere,
  triggers: readonly Trigger[],
): Promise<readonly TriggerOutcome[]> {
  const outcomes: TriggerOutcome[] = [];
  for (const trigger of triggers) {
    const before = trigger.refersBack ? saidBefore(said, turn.id) : undefined;
    const content = trigger.refersBack ? before?.text : trigger.content;
    const about = { kind: trigger.kind, phrase: trigger.phrase, content: content ?? null };
    const stranger = strangerIn(speakers, turn);
    if (stranger !== undefined) {
      outcomes.push({ ...about, note: refusalOf(speakers, stranger) });
      continue;
    }
    try {
      outcomes.push({ ...about, ...(await fulfil(context, { session, turn: turn.id, before }, trigger, content)) });
    } catch (error) {
      if (!isMnemeError(error)) throw error;
      // An invalid request stays invalid.
      outcomes.push({ ...about, note: errorMessage(error), mayPass: error.code !== 'usage' });
    }
  }
  return outcomes;
}

type Fulfilled = Pick<TriggerOutcome, 'remembered' | 'forget' | 'ignored' | 'hits' | 'reflection' | 'note'>;

async function fulfil(
  context: OperationContext,
  { session, turn, before }: { readonly session: string; readonly turn: string; readonly before: Before | undefined },
  { kind, phrase, permanently, isHandedOver }: Trigger,
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
  if (kind === 'ignore') {
    const { addIgnoreRule } = await import('../control/ignore.ts');
    return { ignored: await addIgnoreRule(context, content, { session, trigger: phrase }) };
  }
  // Requests in a private scope are kept, forgotten and searched there.
  const scope = scopeOfSession(context, session);
  // Loaded only now: most messages ask for nothing.
  if (kind === 'remember') {
    const { rememberForUser, rememberSaid } = await import('../remember.ts');
    if (before !== undefined && before.trust !== 'user') {
      // The user asked for it, and somebody else said it: whose words they are decides how far they are believed.
      const given = {
        text: before.text,
        session,
        turn: before.turn,
        scope,
        trigger: `${phrase} (asked by the user in ${turn})`,
      };
      return { remembered: await rememberSaid(context, given, before.trust) };
    }
    if (isHandedOver) {
      return {
        remembered: await rememberSaid(context, { text: content, session, turn, scope, trigger: phrase }, 'external'),
      };
    }
    return { remembered: await rememberForUser(context, { text: content, session, turn, scope, trigger: phrase }) };
  }
  if (kind === 'forget') {
    const { forget } = await import('../forget.ts');
    return { forget: await runOperation(forget, context, { text: content, permanently, scope }) };
  }
  const { recall } = await import('../search/recall.ts');
  const { hits } = await runOperation(recall, context, { query: content, limit: RECALLED + 1, scope });
  // The best match of a question is the question.
  const isAsked = ({ provenance }: (typeof hits)[number]): boolean =>
    provenance.session === session && provenance.turn === turn;
  return { hits: hits.filter((hit) => !isAsked(hit)).slice(0, RECALLED) };
}

interface Before {
  readonly text: string;
  readonly turn: string;
  readonly trust: Trust;
}

/** The last thing anybody said before a turn: what "remember that" means, and whose words they are. */
function saidBefore(turns: readonly Turn[], turn: string): Before | undefined {
  const index = turns.findIndex(({ id }) => id === turn);
  const last = turns.slice(0, Math.max(0, index)).findLast((said) => {
    return (said.role === 'user' || said.role === 'agent') && said.tag !== 'memory' && turnText(said).trim() !== '';
  });
  if (last === undefined) return undefined;
  // An agent's words after a tool result may be the tool's.
  const answer = turns.slice(
    turns.findLastIndex(({ role }, at) => role === 'user' && at < turns.indexOf(last)) + 1,
    index,
  );
  const hasTool = answer.some(({ role, parts }) => role === 'tool' || parts.some(({ kind }) => kind === 'tool'));
  const text = turnText(last);
  // "Remember that" below a pasted mail means the mail, whoever pasted it.
  const users = handedOverTexts(text).length === 0 ? 'user' : 'external';
  const trust = last.role === 'user' ? users : hasTool ? 'tool' : 'agent';
  return { text, turn: last.id, trust };
}
