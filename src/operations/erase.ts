import { z } from 'zod';
import { MnemeError } from '../model/errors.ts';
import { roleOf } from '../model/mutation.ts';
import { assertErasable, type EraseResult } from '../workspace/erase/erase.ts';
import { runErasure } from './forget/finish.ts';
import { PendingPlans } from './forget/plans.ts';
import { defineVerb } from './verb.ts';

export const erase = defineVerb({
  name: 'erase',
  summary: 'Remove texts from everything in the home, permanently.',
  input: z.object({ texts: z.array(z.string().min(1)).min(1).describe('Texts to remove.') }),
  args: ['texts...'],
  effect: 'write',
  async run(context, { texts }): Promise<EraseResult> {
    if (roleOf(context.actor) !== 'human') {
      throw new MnemeError('refused', 'Only a person erases permanently.', {
        hint: 'An agent can archive or propose to delete; both can be undone.',
      });
    }
    assertErasable(texts);
    const plans = new PendingPlans(context);
    const run = async (): Promise<EraseResult> => {
      const plan = { ...plans.create([], true), texts };
      return (await runErasure(context, plans, plan, [])).erased;
    };
    return plans.exclusively(run);
  },
  http: { needs: 'own', isLong: true },
  // A person is shown first what goes: `mneme forget --permanently`.
  cli: false,
});
