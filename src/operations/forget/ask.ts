import type { z } from 'zod';
import { MnemeError } from '../../model/errors.ts';
import type { ForgetPlan } from '../forget.ts';
import type { VerbCall } from '../verb.ts';
import { confirmForget } from './confirm.ts';
import { renderQuestion } from './render.ts';

/** Shows the list to a person who sits there and asks; anywhere else the code stays the answer. */
export async function askAndForget(
  plan: ForgetPlan,
  {
    context,
    progress,
    terminal,
    verb,
  }: Pick<VerbCall<z.ZodType, ForgetPlan>, 'context' | 'progress' | 'terminal' | 'verb'>,
): Promise<ForgetPlan> {
  const { say, ask } = progress ?? {};
  if (plan.code === null || say === undefined || ask === undefined) return plan;
  say(`${renderQuestion({ style: terminal.style, timeZone: context.config.time_zone, columns: undefined }, plan)}\n`);
  const some = plan.matches.length > 1 ? ', or numbers such as 1,3' : '';
  const answer = ((await ask(`[y/N${some}] `)) ?? '').trim().toLowerCase();
  const only = readNumbers(answer, plan.matches.length);
  if (only === undefined) return { ...plan, answered: null };
  const given: z.input<typeof confirmForget.input> = { code: plan.code, ...(only.length === 0 ? {} : { only }) };
  return { ...plan, answered: await verb(confirmForget, given) };
}

/** All when empty; undefined for a no. */
function readNumbers(answer: string, count: number): number[] | undefined {
  if (answer === 'y' || answer === 'yes') return [];
  if (answer === '' || answer === 'n' || answer === 'no') return undefined;
  const numbers = answer.split(/[\s,]+/u).map(Number);
  if (numbers.every((one) => Number.isInteger(one) && one >= 1 && one <= count)) return numbers;
  throw new MnemeError('usage', `"${answer}" is neither yes, no nor numbers of the list. Nothing was changed.`);
}
