import type { Command } from 'commander';
import { MnemeError } from '../../../model/errors.ts';
import { costs } from '../../../operations/reasoner/costs.ts';
import { reasonerStatus } from '../../../operations/reasoner/reasoner-status.ts';
import { reasonerTry } from '../../../operations/reasoner/reasoner-try.ts';
import { COST_KEYS, type CostKey } from '../../../reasoner/ledger/cost-report.ts';
import type { Cli, GlobalOptions } from '../cli.ts';
import { renderCosts, renderReasonerStatus, renderTrial } from './reasoner-view.ts';
import { show } from './show.ts';

interface CostOptions extends GlobalOptions {
  readonly since?: string;
  readonly by?: string;
  readonly forecast?: boolean;
}

export function addReasonerCommands(program: Command, cli: Cli): void {
  program
    .command('costs')
    .summary(costs.summary)
    .description(
      'What language models have cost, by the ledger of calls in journal/costs.jsonl and the local price table. Without a model nothing costs anything.',
    )
    .option('--since <when>', 'from this time on: 2026-02-16, yesterday, "3 days ago"')
    .option('--by <what>', 'rows by purpose, model or day', 'purpose')
    .option('--forecast', 'what a month will cost if it goes on like this')
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<CostOptions>();
      const { since, forecast = false } = options;
      await show(cli, options, costs, { since, by: keyNamed(options.by), forecast }, renderCosts);
    });
  const reasoner = program
    .command('reasoner')
    .summary('Who judges and summarises: the heuristic or a language model.')
    .description(
      'Judging what is worth keeping, filing and summarising is done by a local heuristic or a language model.',
    );
  reasoner
    .command('status')
    .description(reasonerStatus.summary)
    .action(async (_options, command: Command) => {
      await show(cli, command.optsWithGlobals<GlobalOptions>(), reasonerStatus, {}, renderReasonerStatus);
    });
  reasoner
    .command('try <text...>')
    .description(reasonerTry.summary)
    .action(async (words: readonly string[], _options, command: Command) => {
      await show(cli, command.optsWithGlobals<GlobalOptions>(), reasonerTry, { text: words.join(' ') }, renderTrial);
    });
}

function keyNamed(text: string | undefined): CostKey | undefined {
  const key = COST_KEYS.find((name) => name === text);
  if (text === undefined || key !== undefined) return key;
  throw new MnemeError('usage', `--by takes ${COST_KEYS.join(', ')}, not "${text}".`);
}
