import type { Command } from 'commander';
import { fadingNext } from '../../../operations/decay/fading.ts';
import { explainDecay } from '../../../operations/decay/explain.ts';
import { runDecay } from '../../../operations/decay/run.ts';
import { decayStatus } from '../../../operations/decay/status.ts';
import type { Cli, GlobalOptions } from '../cli.ts';
import { renderDecayRun, renderDecayStatus, renderExplained, renderFadingNext } from './decay-view.ts';
import { numberOf, show } from './show.ts';

export function addDecayCommands(program: Command, cli: Cli): void {
  const decay = program
    .command('decay')
    .summary('How memories fade, and what could be put away.')
    .description(
      'Unused memories fade. What has faded ranks lower and is proposed for the archive; until then it is found and injected like anything else.',
    );
  decay
    .command('status')
    .description(decayStatus.summary)
    .action(async (_options, command: Command) => {
      await show(cli, command.optsWithGlobals<GlobalOptions>(), decayStatus, {}, renderDecayStatus);
    });
  decay
    .command('next')
    .description(fadingNext.summary)
    .option('--limit <number>', 'most memories (default: 20)')
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { readonly limit?: string }>();
      await show(cli, options, fadingNext, { limit: numberOf('--limit', options.limit) }, renderFadingNext);
    });
  decay
    .command('run')
    .description(
      `${runDecay.summary} With proposals.auto_archive it is archived at once. A daemon does this every night.`,
    )
    .option('--dry-run', 'only show what would be proposed')
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { readonly dryRun?: boolean }>();
      await show(cli, options, runDecay, { dryRun: options.dryRun }, renderDecayRun);
    });
  decay
    .command('explain <id>')
    .description(explainDecay.summary)
    .option('--scope <scope>', 'besides what is shared, what belongs to this scope')
    .action(async (id: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { readonly scope?: string }>();
      const input = { id, ...(options.scope === undefined ? {} : { scope: options.scope }) };
      await show(cli, options, explainDecay, input, renderExplained);
    });
}
