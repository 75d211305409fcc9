import type { Command } from 'commander';
import { reflect, type Reflected } from '../../../operations/reflect/reflect.ts';
import { runOperation } from '../../../operations/operation.ts';
import type { Cli, GlobalOptions } from '../cli.ts';
import { paintDiff, type Style } from '../../../operations/command-line/style.ts';

export function addReflectCommand(program: Command, cli: Cli): void {
  program
    .command('reflect')
    .summary('Look back, and propose what core memory should say.')
    .description(
      'Look back on what was learned since the last time: what contradicts itself, what core memory should say, how the understanding grew. All of it waits as one proposal, with a diff for each change; nothing is ever applied by silence.',
    )
    .option('--dry-run', 'show what would be proposed and file nothing')
    .action(async (_options, command: Command) => {
      const { dryRun, ...options } = command.optsWithGlobals<GlobalOptions & { dryRun?: boolean }>();
      const result = await cli.withMneme(
        options,
        ({ internals }) => runOperation(reflect, internals, { dryRun }),
        reflect,
      );
      cli.print(options, result, (shown) => renderReflected(cli.style, shown));
      for (const note of result.notes) cli.warn(note);
    });
}

const HEADS: Readonly<Record<Reflected['outcome'], string>> = {
  proposed: 'waits for your decision',
  'already-waiting': 'waits already',
  'nothing-new': 'is not needed',
  'dry-run': 'would say',
};

function renderReflected(style: Style, result: Reflected): string {
  const { outcome, number, text, changes, proposal } = result;
  if (outcome === 'nothing-new') return `${text}\n`;
  const words = text.replaceAll(/^\*\*([^*\n]+)\*\*(?=$|:)/gmu, (_, title: string) => style.bold(title));
  const diffs = changes.flatMap(({ path, diff }, index) => [
    '',
    style.bold(`${index + 1}. ${path}`),
    paintDiff(style, diff.trimEnd()),
  ]);
  const next =
    proposal === null
      ? []
      : [
          '',
          `mneme approve reflection   ${style.dim('all of it; --only 1,3 a part, --without "words" all but these, --edit your version')}`,
          `mneme reject reflection --why "…"`,
        ];
  return `${[style.bold(`Reflection #${number} ${HEADS[outcome]}`), '', words, ...diffs, ...next].join('\n')}\n`;
}
