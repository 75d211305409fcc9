import type { Command } from 'commander';
import { recall, type RecallInput } from '../../../operations/search/recall.ts';
import type { Cli } from '../cli.ts';
import { addFilterOptions, filterInput, isFiltered, listOf, type FilterOptions } from './recall-filters.ts';
import { renderRecall } from './recall-view.ts';
import { numberOf, show } from './show.ts';
import { addSimilarCommand } from './similar.ts';

interface RecallOptions extends FilterOptions {
  readonly limit?: string;
  readonly tokens?: string;
  readonly at?: string;
  readonly explain?: boolean;
  readonly user?: string;
  readonly task?: string;
  readonly topics?: string;
  readonly timeOfDay?: string;
}

export function addSearchCommands(program: Command, cli: Cli): void {
  const command = program
    .command('recall [query...]')
    .summary(recall.summary)
    .description(
      'Find what is remembered, by words, by meaning and by time. Ask in plain words; `-` reads the question from standard input.',
    )
    .option('--limit <number>', 'most hits (default: search.default_results)')
    .option('--tokens <number>', 'as much as fits into so many tokens instead')
    .option('--at <when>', 'as it was: a date, a tag, a mutation id, `yesterday`, `3 days ago`')
    .option('--explain', 'how the question was understood, the parts of every score, and what was left out')
    .option('--user <name>', 'who is asking or being talked to')
    .option('--task <words>', 'what is being worked on')
    .option('--topics <list>', 'what was talked about lately')
    .option('--time-of-day <part>', 'morning, afternoon, evening or night');
  addFilterOptions(command).action(async (words: string[], _options, called: Command) => {
    const options = called.optsWithGlobals<RecallOptions>();
    const query = words.length === 1 && words[0] === '-' ? await cli.io.readInput() : words.join(' ');
    await show(cli, options, recall, inputOf(query, options), (view, result) =>
      renderRecall(view, query, result, isFiltered(options)),
    );
  });
  addSimilarCommand(program, cli);
}

function inputOf(query: string, options: RecallOptions): RecallInput {
  const { at, explain, user, task, timeOfDay } = options;
  return {
    query,
    limit: numberOf('--limit', options.limit),
    tokens: numberOf('--tokens', options.tokens),
    at,
    explain,
    user,
    task,
    topics: listOf(options.topics),
    timeOfDay: timeOfDay as RecallInput['timeOfDay'],
    ...filterInput(options),
  };
}
