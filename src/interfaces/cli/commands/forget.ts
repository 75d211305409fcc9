import type { Command } from 'commander';
import { MnemeError } from '../../../model/errors.ts';
import type { Mneme } from '../../../mneme.ts';
import { forget, type ForgetInput } from '../../../operations/forget.ts';
import { confirmForget, type ConfirmForgetInput } from '../../../operations/forget/confirm.ts';
import type { Forgotten } from '../../../operations/forget/forgotten.ts';
import { STRATEGIES } from '../../../maintain/forgetting/strategies.ts';
import { STORES } from '../../../model/provenance.ts';
import { forgetByStrategy } from '../../../operations/decay/forget-by-strategy.ts';
import { runOperation } from '../../../operations/operation.ts';
import { EXIT_CODES, type Cli, type GlobalOptions } from '../cli.ts';
import { renderForgotten, renderPlan } from './forget-view.ts';
import { numberOf, show } from './show.ts';

interface ForgetOptions extends GlobalOptions {
  readonly id: readonly string[];
  readonly permanently?: boolean;
  readonly limit?: string;
  readonly scope?: string;
  readonly confirm?: string;
  readonly only?: string;
  readonly alsoInside?: boolean;
  readonly said?: string;
  readonly strategy?: string;
  readonly store: readonly string[];
  readonly dryRun?: boolean;
}

export function addForgetCommand(program: Command, cli: Cli): void {
  program
    .command('forget [what...]')
    .summary('Find what is remembered about something, show it, and archive or erase it in a second step.')
    .description(
      'Show what is remembered about something and print a code; nothing is changed yet. `--confirm CODE` archives what ' +
        'was shown (it can come back), or erases it for good if it was asked for with --permanently.',
    )
    .option('--id <id>', 'exactly this item, entity, turn or file; may be repeated', collect, [])
    .option('--permanently', 'erase the words everywhere, in conversations and histories too')
    .option('--limit <number>', 'most memories to show (default 20)')
    .option('--scope <scope>', 'besides what is shared, what belongs to this scope')
    .option('--strategy <name>', `instead of words, what goes first: ${STRATEGIES.join(', ')}`)
    .option('--store <store>', 'with --strategy: only from this store; may be repeated', collect, [])
    .option('--dry-run', 'with --strategy: only show it; no code is given')
    .option('--confirm <code>', 'do it')
    .option('--only <numbers>', 'with --confirm: only these numbers of the list, such as 1,3')
    .option('--also-inside', 'with --only: also take the words out of memories that were not chosen, for good')
    .option('--said <turn>', 'with --confirm, for agents: the turn in which the user gave the code back')
    .action(async (words: string[], _options, command: Command) => {
      const options = command.optsWithGlobals<ForgetOptions>();
      if (options.confirm !== undefined) await confirm(cli, words, options);
      else await (options.strategy === undefined ? ask(cli, words, options) : askByStrategy(cli, words, options));
    });
}

function collect(id: string, before: readonly string[]): readonly string[] {
  return [...before, id];
}

async function askByStrategy(cli: Cli, words: readonly string[], options: ForgetOptions): Promise<void> {
  if (words.length > 0 || options.id.length > 0 || options.permanently === true) {
    throw new MnemeError('usage', '--strategy finds by itself what to archive: no words, no --id, no --permanently.', {
      hint: `mneme forget --strategy ${options.strategy ?? 'age'} --dry-run`,
    });
  }
  const input = {
    strategy: chosen('--strategy', options.strategy ?? '', STRATEGIES),
    stores: options.store.map((store) => chosen('--store', store, STORES)),
    limit: numberOf('--limit', options.limit),
    dryRun: options.dryRun,
  };
  await show(cli, options, forgetByStrategy, input, renderPlan);
}

function chosen<Name extends string>(option: string, text: string, names: readonly Name[]): Name {
  const found = names.find((name) => name === text);
  if (found !== undefined) return found;
  throw new MnemeError('usage', `${option} takes one of ${names.join(', ')}, not "${text}".`);
}

async function ask(cli: Cli, words: readonly string[], options: ForgetOptions): Promise<void> {
  if (options.store.length > 0 || options.dryRun === true) {
    throw new MnemeError('usage', '--store and --dry-run go with --strategy; without it nothing is changed anyway.');
  }
  if (options.only !== undefined || options.said !== undefined || options.alsoInside === true) {
    throw new MnemeError('usage', '--only, --also-inside and --said go with --confirm CODE.');
  }
  const text = words.length === 1 && words[0] === '-' ? await cli.io.readInput() : words.join(' ');
  const { id: ids, permanently, scope } = options;
  const limit = numberOf('--limit', options.limit);
  const input: ForgetInput = { text, ids: [...ids], permanently, limit, ...(scope === undefined ? {} : { scope }) };
  await show(cli, options, forget, input, renderPlan);
}

async function confirm(cli: Cli, words: readonly string[], options: ForgetOptions): Promise<void> {
  const { confirm: code = '', said, alsoInside } = options;
  if (words.length > 0 || options.id.length > 0 || options.permanently === true) {
    throw new MnemeError('usage', 'A code confirms the list as it was shown; nothing can be added to it.', {
      hint: `mneme forget --confirm ${code} [--only 1,3]`,
    });
  }
  const input: ConfirmForgetInput = { code, only: numbersOf(options.only), alsoInside, said };
  const run = async (mneme: Mneme): Promise<Forgotten> => {
    const done = await runOperation(confirmForget, mneme.internals, input);
    const { commits } = await mneme.internals.workspace.drainIfDue();
    return { ...done, commit: commits.get(done.mutation ?? '') ?? null };
  };
  const done = await cli.withMneme(options, run);
  cli.print(options, done, (shown) => renderForgotten(cli.style, shown));
  if (done.outcome === 'erasing') cli.exitCode = EXIT_CODES.failure;
}

function numbersOf(list: string | undefined): number[] | undefined {
  if (list === undefined) return undefined;
  const parts = list.split(',').map((part) => part.trim());
  const wrong = parts.find((part) => !/^[1-9]\d{0,5}$/u.test(part));
  if (wrong === undefined) return parts.map(Number);
  throw new MnemeError('usage', `--only takes numbers of the list, such as 1,3; "${wrong}" is none.`);
}
