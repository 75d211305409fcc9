import type { Command } from 'commander';
import { patterns, type FoundPattern, type PatternsResult } from '../../../operations/patterns/patterns.ts';
import { runOperation } from '../../../operations/operation.ts';
import type { Cli, GlobalOptions } from '../cli.ts';
import type { Style } from '../../../operations/command-line/style.ts';
import { decimalOf } from './show.ts';

interface PatternsOptions extends GlobalOptions {
  readonly learn?: boolean;
  readonly minConfidence?: string;
}

export function addPatternsCommand(program: Command, cli: Cli): void {
  program
    .command('patterns')
    .summary(patterns.summary)
    .description(
      'Show what keeps happening in the episodes: habits of the week and the clock, what follows what, what is chosen. Only what chance does not explain is shown.',
    )
    .option('--learn', 'write each as a file under memory/procedures, and what is sure as a fact')
    .option('--min-confidence <share>', 'leave out what is less sure (0 to 1, default 0.3)')
    .action(async (_options, command: Command) => {
      const { learn, minConfidence, ...options } = command.optsWithGlobals<PatternsOptions>();
      const given = {
        learn,
        ...(minConfidence === undefined ? {} : { minConfidence: decimalOf('--min-confidence', minConfidence) }),
      };
      const result = await cli.withMneme(
        options,
        ({ internals }) => runOperation(patterns, internals, given),
        patterns,
      );
      cli.print(options, result, (shown) => renderPatterns(cli.style, shown));
    });
}

function renderPatterns(style: Style, { occurrences, patterns: found, retired }: PatternsResult): string {
  if (found.length === 0) {
    return `No pattern in ${occurrences} dated entries. A pattern needs at least five cases, and tags to tell things apart.\n`;
  }
  const lines = found.flatMap((pattern) => renderPattern(style, pattern));
  const ended = retired.map((file) => style.dim(`No longer holds: ${file}`));
  return `${[...lines, ...ended].join('\n')}\n`;
}

function renderPattern(style: Style, { description, counts, confidence, status, path, fact }: FoundPattern): string[] {
  const ended = status === 'retired' ? ' (no longer)' : '';
  const became = fact === null ? '' : ` · as a fact: ${fact.action}`;
  return [
    `${style.bold(`${Math.round(confidence * 100)} %`)}  ${description}${ended}`,
    style.dim(`      ${counts}${path === null ? '' : `  ${path}`}${became}`),
  ];
}
