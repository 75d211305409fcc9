import { REFLECTION_KIND } from '../../maintain/reflect/log.ts';
import { errorMessage, isMnemeError } from '../../model/errors.ts';
import type { Proposal } from '../../proposals/proposal.ts';
import type { OperationContext } from '../context.ts';

const ACTOR = 'reflection:deferred';

export interface TakenUp {
  /** Deferred proposals that a person is asked about again, a line each. */
  readonly deferred: readonly string[];
  readonly notes: readonly string[];
}

/** What was left for the next reflection is asked again; what no longer fits is made anew, or goes. */
export async function takeUpOthers(context: OperationContext, isDryRun: boolean): Promise<TakenUp> {
  const { proposals } = context.proposals.list({ state: ['deferred', 'stale'] });
  const others = proposals.filter(({ kind }) => kind !== REFLECTION_KIND);
  const deferred: string[] = [];
  const notes: string[] = [];
  for (const proposal of others) {
    const problem = isDryRun ? undefined : await renew(context, proposal);
    if (problem === undefined)
      deferred.push(`${proposal.title} — from ${proposal.actor} (mneme approve ${proposal.id})`);
    else notes.push(problem);
  }
  return { deferred, notes };
}

/** Undefined when it waits again. */
async function renew({ proposals }: OperationContext, { id, title, actor }: Proposal): Promise<string | undefined> {
  try {
    await proposals.rebase(id, { actor: ACTOR, why: 'taken up by a reflection' });
    return undefined;
  } catch (error) {
    if (!isMnemeError(error)) throw error;
    const reason = errorMessage(error);
    try {
      await proposals.withdraw(id, { actor: ACTOR, why: `no longer fits: ${reason}` });
      return `“${title}” was withdrawn, because it no longer fits: ${reason}`;
    } catch (refusal) {
      if (!isMnemeError(refusal)) throw refusal;
      return `“${title}” of ${actor} no longer fits (${reason}); reject it with \`mneme reject ${id}\`.`;
    }
  }
}
