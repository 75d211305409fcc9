import type { Json } from '../../memory/procedures/expression/evaluate.ts';
import type { Answer, Question } from '../../memory/procedures/workflow/state.ts';
import { DID_NOT_STOP } from '../../memory/procedures/workflow/perform.ts';
import { plain, plainLine } from '../command-line/plain.ts';
import type { Progress } from '../command-line/style.ts';
import type { OperationContext } from '../context.ts';
import type { RunControls } from './drive.ts';
import type { RunResult } from './run-result.ts';
import { findVerdict, valueOf } from './typed-values.ts';

type Ask = NonNullable<Progress['ask']>;

/** Shows how far a run has come, what it says and, where somebody sits at the terminal, what it asks. */
export function controlsAtTerminal({ signal, report, say, ask }: Progress): RunControls {
  return {
    signal,
    onProgress: ({ step, what }) => report(`step ${step}: ${plain(what)}`),
    onSaid: say === undefined ? undefined : (text) => say(`${plain(text)}\n`),
    answer: ask === undefined ? undefined : (question) => askUntilUnderstood(ask, question),
  };
}

/** Registers the actions of the file named by whoever typed the command. */
export async function registerTyped(context: OperationContext, { actions }: Readonly<Record<string, unknown>>) {
  if (typeof actions === 'string') await (await import('./load-actions.ts')).loadActions(context, actions);
}

/** An action that did not heed its signal would keep the process alive. */
export function hasUnstoppedStep({ steps }: RunResult): boolean {
  return steps.some(({ error }) => error?.endsWith(DID_NOT_STOP) === true);
}

const CHOICES: Readonly<Record<Question['kind'], string>> = {
  condition: '[y]es, [n]o',
  yes: '[y]es, [n]o, [s]kip',
  'by-hand': 'do it; then [y]es: done, [n]o: failed, [s]kip',
  text: 'type it',
  unknown: '[y]es, [n]o: do it again, [s]kip',
};

/** An empty line leaves the question open, and the run waits. */
async function askUntilUnderstood(ask: Ask, question: Question): Promise<Answer | undefined> {
  const choices = CHOICES[question.kind];
  const asked = `${plainLine(question.text)} (${choices}) `;
  let typed = await ask(asked);
  while (typed !== undefined && typed.trim() !== '') {
    const answer = understand(question, typed);
    if (answer !== undefined) return answer;
    typed = await ask(`${choices}; an empty line leaves it open\n${asked}`);
  }
  return undefined;
}

function understand({ kind }: Question, typed: string): Answer | undefined {
  if (kind === 'text') return { verdict: 'yes', text: typed.trim() };
  const verdict = findVerdict(typed);
  return verdict === undefined ? undefined : { verdict };
}

/** Asks the open questions of a decision tree one by one. */
export async function askTree(
  ask: Ask,
  first: RunResult,
  given: Readonly<Record<string, Json>>,
  again: (facts: Record<string, Json>) => Promise<RunResult>,
): Promise<RunResult> {
  const facts: Record<string, Json> = { ...given };
  let result = first;
  for (;;) {
    const open = result.decision?.open;
    if (open === undefined || open === null) return result;
    const hint = open.problem === null ? '' : `${plainLine(open.problem)}. `;
    const answers = open.answers.map(plainLine).join(', ');
    const typed = await ask(`${hint}${plainLine(open.question)} (${answers}) `);
    if (typed === undefined || typed.trim() === '') return result;
    facts[open.question] = valueOf(typed.trim());
    result = await again(facts);
  }
}
