import type { Command } from 'commander';
import { similar } from '../../../operations/search/similar.ts';
import type { SimilarResult } from '../../../retrieve/search.ts';
import type { Cli } from '../cli.ts';
import { plainLine } from '../../../operations/command-line/plain.ts';
import { addFilterOptions, filterInput, type FilterOptions } from './recall-filters.ts';
import type { View } from '../../../operations/command-line/view.ts';
import { renderHits } from './recall-view.ts';
import { numberOf, show } from './show.ts';

export function addSimilarCommand(program: Command, cli: Cli): void {
  const command = program
    .command('similar <id>')
    .summary(similar.summary)
    .description('What is like an item, a turn (SESSION#t12) or a file, by words and by meaning.')
    .option('--limit <number>', 'most hits (default: 10)');
  addFilterOptions(command).action(async (id: string, _options, called: Command) => {
    const options = called.optsWithGlobals<FilterOptions & { readonly limit?: string }>();
    const input = { id, limit: numberOf('--limit', options.limit), ...filterInput(options) };
    await show(cli, options, similar, input, renderSimilar);
  });
}

/** Enough to see that it is the right one. */
const MAX_SOURCE_CHARS = 160;

function renderSimilar(view: View, { to, hits, notes }: SimilarResult): string {
  const { style } = view;
  const line = plainLine(to.text.replaceAll(/\s+/gu, ' '));
  const text = line.length > MAX_SOURCE_CHARS ? `${line.slice(0, MAX_SOURCE_CHARS - 1)}…` : line;
  const parts = [
    `${style.dim('like')} ${style.bold(plainLine(to.id))} ${text}\n`,
    hits.length === 0 ? 'Nothing else is like it.\n' : renderHits(view, hits),
    notes.map((note) => `${style.yellow('note')}  ${note}\n`).join(''),
  ];
  return parts.filter((part) => part !== '').join('\n');
}
