import type { Json } from '../../../memory/procedures/expression/json.ts';
import type { Answer, Question } from '../../../memory/procedures/workflow/events.ts';
import type { RunControls } from '../../../operations/procedures/drive.ts';
import type { RunResult } from '../../../operations/procedures/run-result.ts';
import type { Cli } from '../cli.ts';
import { plainLine } from '../../../operations/command-line/plain.ts';
import type { ProgressLine } from '../progress.ts';
import { findVerdict, valueOf } from './procedure-values.ts';

const CHOICES: Readonly<Record<Question['kind'], string>> = {
  condition: '[y]es, [n]o',
  yes: '[y]es, [n]o, [s]kip',
  'by-hand': 'do it; then [y]es: done, [n]o: failed, [s]kip',
  text: 'type it',
  unknown: '[y]es, [n]o: do it again, [s]kip',
};

/** Asks whoever sits at the terminal; an empty line leaves the question open, and the run waits. */
export function answerAt(cli: Cli, line: ProgressLine): NonNullable<RunControls['answer']> {
  return async (question) => {
    line.clear();
    for (;;) {
      const typed = await cli.io.ask(`${plainLine(question.text)} (${CHOICES[question.kind]}) `);
      if (typed === undefined || typed.trim() === '') return undefined;
      const answer = understand(question, typed);
      if (answer !== undefined) return answer;
      cli.io.err(`${CHOICES[question.kind]}; an empty line leaves it open\n`);
    }
  };
}

function understand({ kind }: Question, typed: string): Answer | undefined {
  if (kind === 'text') return { verdict: 'yes', text: typed.trim() };
  const verdict = findVerdict(typed);
  return verdict === undefined ? undefined : { verdict };
}

/** Asks the open questions of a decision tree one by one. */
export async function askTree(
  cli: Cli,
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
    const typed = await cli.io.ask(`${hint}${plainLine(open.question)} (${answers}) `);
    if (typed === undefined || typed.trim() === '') return result;
    facts[open.question] = valueOf(typed.trim());
    result = await again(facts);
  }
}
