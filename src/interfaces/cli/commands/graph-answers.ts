import fs from 'node:fs';
import type { Command } from 'commander';
import { graphExport, type GraphExport } from '../../../operations/graph/export.ts';
import { graphList } from '../../../operations/graph/list.ts';
import { graphQuery } from '../../../operations/graph/query.ts';
import { graphShow } from '../../../operations/graph/show.ts';
import { graphTimeline } from '../../../operations/graph/timeline.ts';
import { graphNeighbours, graphPath } from '../../../operations/graph/walk.ts';
import { MnemeError, errorMessage } from '../../../model/errors.ts';
import type { Cli } from '../cli.ts';
import { countOf } from '../../../operations/command-line/amounts.ts';
import { addMomentOptions, addScopeOption, showGraph, type MomentOptions, type ScopeOption } from './graph-options.ts';
import { renderEntity, renderList, renderNeighbours, renderPath, renderQuery, renderTimeline } from './graph-view.ts';
import { numberOf } from './show.ts';

/** Questions to the graph. */
export function addGraphAnswerCommands(graph: Command, cli: Cli): void {
  addShow(graph, cli);
  addList(graph, cli);
  addNeighbours(graph, cli);
  addPath(graph, cli);
  addTimeline(graph, cli);
  addQuery(graph, cli);
  addExport(graph, cli);
}

function addShow(graph: Command, cli: Cli): void {
  addMomentOptions(graph.command('show <name>').description(graphShow.summary))
    .option('--all', 'also what no longer holds')
    .action(async (entity: string, _options, command: Command) => {
      const { at, knownAt, scope, all } = command.opts<MomentOptions & { all?: boolean }>();
      await showGraph(cli, command, graphShow, { entity, at, knownAt, scope, all }, renderEntity);
    });
}

function addList(graph: Command, cli: Cli): void {
  addScopeOption(graph.command('list').description(graphList.summary))
    .option('--type <type>', 'only persons, projects, tools …')
    .option('--status <status>', 'only active, inactive, planned, completed, archived or merged')
    .option('--limit <number>', 'how many (default 200)')
    .action(async (_options, command: Command) => {
      const options = command.opts<ScopeOption & { type?: string; status?: 'active'; limit?: string }>();
      const { type, status, scope } = options;
      const limit = numberOf('--limit', options.limit);
      await showGraph(cli, command, graphList, { type, status, limit, scope }, renderList);
    });
}

function addNeighbours(graph: Command, cli: Cli): void {
  addMomentOptions(graph.command('neighbours <name>').alias('neighbors').description(graphNeighbours.summary))
    .option('--depth <number>', 'how many steps (default: 2)')
    .option('--relation <relation>', 'only along this relation')
    .option('--limit <number>', 'most edges from one entity (default: 50)')
    .action(async (entity: string, _options, command: Command) => {
      const options = command.opts<MomentOptions & { depth?: string; relation?: string; limit?: string }>();
      const { at, knownAt, scope, relation } = options;
      const [depth, limit] = [numberOf('--depth', options.depth), numberOf('--limit', options.limit)];
      await showGraph(
        cli,
        command,
        graphNeighbours,
        { entity, depth, relation, limit, at, knownAt, scope },
        renderNeighbours,
      );
    });
}

function addPath(graph: Command, cli: Cli): void {
  addMomentOptions(graph.command('path <from> <to>').description(graphPath.summary))
    .option('--max <number>', 'most steps (default 12)')
    .action(async (from: string, to: string, _options, command: Command) => {
      const { at, knownAt, scope, max } = command.opts<MomentOptions & { max?: string }>();
      const maxSteps = numberOf('--max', max);
      await showGraph(cli, command, graphPath, { from, to, maxSteps, at, knownAt, scope }, renderPath);
    });
}

function addTimeline(graph: Command, cli: Cli): void {
  addScopeOption(graph.command('timeline <name>').description(graphTimeline.summary))
    .option('--since <date>', 'from this day, month or year on')
    .option('--until <date>', 'up to and with this day, month or year')
    .action(async (entity: string, _options, command: Command) => {
      const { since, until, scope } = command.opts<ScopeOption & { since?: string; until?: string }>();
      await showGraph(cli, command, graphTimeline, { entity, since, until, scope }, renderTimeline);
    });
}

function addQuery(graph: Command, cli: Cli): void {
  addMomentOptions(graph.command('query [text...]').description(graphQuery.summary))
    .option('--by <what>', 'name, meaning or both (default)')
    .option('--type <type>', 'only persons, projects, tools …')
    .option('--from <name>', 'relations that start from this entity')
    .option('--relation <relation>', 'relations of this kind')
    .option('--to <name>', 'relations that lead to this entity')
    .option('--limit <number>', 'how many (default 10)')
    .action(async (words: readonly string[], _options, command: Command) => {
      const options = command.opts<
        MomentOptions & { by?: 'name'; type?: string; from?: string; relation?: string; to?: string; limit?: string }
      >();
      const { limit, ...rest } = options;
      const text = words.length === 0 ? undefined : words.join(' ');
      await showGraph(cli, command, graphQuery, { text, ...rest, limit: numberOf('--limit', limit) }, renderQuery);
    });
}

function addExport(graph: Command, cli: Cli): void {
  addMomentOptions(graph.command('export').description(graphExport.summary))
    .option('--format <format>', 'mermaid (default), dot, graphml or json-ld')
    .option('--about <name>', 'only this entity and its neighbourhood')
    .option('--depth <number>', 'with --about: how many steps (default 2)')
    .option('--output <file>', 'write it to this file instead of standard output')
    .action(async (_options, command: Command) => {
      const options = command.opts<
        MomentOptions & { format?: 'mermaid'; about?: string; depth?: string; output?: string }
      >();
      const { at, knownAt, scope, format, about, output } = options;
      const input = { format, entity: about, depth: numberOf('--depth', options.depth), at, knownAt, scope };
      await showGraph(cli, command, graphExport, input, (_view, result) => {
        if (output === undefined) return result.text;
        write(output, result);
        return `Wrote ${countOf(result.entities, 'entity', 'entities')} and ${countOf(result.relations, 'relation')} to ${output}.\n`;
      });
    });
}

function write(file: string, { text }: GraphExport): void {
  try {
    fs.writeFileSync(file, text);
  } catch (error) {
    throw new MnemeError('failure', `${file} could not be written: ${errorMessage(error)}.`, { cause: error });
  }
}
