import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { addGraphAnswerCommands } from './graph-answers.ts';
import { addGraphReviewCommands } from './graph-review.ts';
import { addGraphWriteCommands } from './graph-write.ts';

export function addGraphCommands(program: Command, cli: Cli): void {
  const graph = program
    .command('graph')
    .summary('People, projects, things: what is known of them and how they are connected.')
    .description(
      'Entities with aliases, facts with their times, and relations in the words of memory/graph/relations.md.',
    );
  addGraphWriteCommands(graph, cli);
  addGraphAnswerCommands(graph, cli);
  addGraphReviewCommands(graph, cli);
}
