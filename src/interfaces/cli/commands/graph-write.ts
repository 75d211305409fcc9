import type { Command } from 'commander';
import { MnemeError } from '../../../model/errors.ts';
import { graphAdd } from '../../../operations/graph/add.ts';
import { graphAlias } from '../../../operations/graph/alias.ts';
import { graphFact, type FactResult } from '../../../operations/graph/fact.ts';
import { graphLink, graphUnlink } from '../../../operations/graph/link.ts';
import { graphRename, type RenameResult } from '../../../operations/graph/rename.ts';
import { graphSet } from '../../../operations/graph/set.ts';
import { graphDecision, graphTask } from '../../../operations/graph/tasks.ts';
import { countOf } from '../../../operations/command-line/amounts.ts';
import type { Cli } from '../cli.ts';
import type { Style } from '../../../operations/command-line/style.ts';
import { addScopeOption, showGraph, type ScopeOption } from './graph-options.ts';
import { named } from './graph-view.ts';
import type { View } from '../../../operations/command-line/view.ts';
import { decimalOf } from './show.ts';

/** Commands that change entities. */
export function addGraphWriteCommands(graph: Command, cli: Cli): void {
  addAdd(graph, cli);
  addSet(graph, cli);
  addFact(graph, cli);
  addTask(graph, cli);
  addDecision(graph, cli);
  addAlias(graph, cli);
  addLink(graph, cli);
  addUnlink(graph, cli);
  addRename(graph, cli);
}

function collect(value: string, known: readonly string[] = []): string[] {
  return [...known, value];
}

/** `role=engineer`; null where nothing stands behind the sign. */
function propertiesOf(pairs: readonly string[]): Record<string, string | null> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1)
        throw new MnemeError('usage', `"${pair}" is no property.`, {
          hint: 'Write NAME=VALUE, such as role=engineer.',
        });
      const value = pair.slice(at + 1).trim();
      return [pair.slice(0, at).trim(), value === '' ? null : value];
    }),
  );
}

function undo(style: Style, mutation: string | null): string {
  return mutation === null ? '' : style.dim(`undo: mneme rollback ${mutation}\n`);
}

function waiting(style: Style, proposal: string): string {
  return `It overrules what the user said and waits for them: ${style.bold(proposal)}\n${style.dim(`decide: mneme approve ${proposal}`)}\n`;
}

function addAdd(graph: Command, cli: Cli): void {
  addScopeOption(graph.command('add <name>').description(graphAdd.summary))
    .requiredOption('--type <type>', 'person, project, organization, place, tool, concept …')
    .option('--alias <name>', 'another name; may be given several times', collect)
    .option('--property <name=value>', 'a property; may be given several times', collect)
    .option('--status <status>', 'active, inactive, planned, completed or archived')
    .option('--summary <text>', 'a sentence or two about it')
    .option('--tag <tag>', 'may be given several times', collect)
    .option('--distinct', 'somebody else than whoever has this name already')
    .action(async (name: string, _options, command: Command) => {
      const {
        type,
        alias,
        property = [],
        status,
        summary,
        tag,
        distinct,
        scope,
      } = command.opts<
        ScopeOption & {
          type: string;
          alias?: string[];
          property?: string[];
          status?: 'active';
          summary?: string;
          tag?: string[];
          distinct?: boolean;
        }
      >();
      const properties = propertiesOf(property);
      const input = { name, type, aliases: alias, properties, status, summary, tags: tag, distinct, scope };
      await showGraph(cli, command, graphAdd, input, ({ style }, { entity, outcome, mutation }) => {
        const verb = { added: style.green('Added'), merged: style.green('Completed'), present: 'Known already:' }[
          outcome
        ];
        return `${verb} ${named(style, entity)}\n${undo(style, mutation)}`;
      });
    });
}

function addSet(graph: Command, cli: Cli): void {
  addScopeOption(graph.command('set <name> [properties...]').description(graphSet.summary))
    .option('--status <status>', 'active, inactive, planned, completed or archived')
    .option('--pin', 'it never fades')
    .option('--unpin', 'it fades like everything')
    .addHelpText('after', '\nA property is NAME=VALUE; NAME= removes it.')
    .action(async (entity: string, pairs: readonly string[], _options, command: Command) => {
      const { status, pin, unpin, scope } = command.opts<
        ScopeOption & { status?: 'active'; pin?: boolean; unpin?: boolean }
      >();
      const pinned = pin === true ? true : unpin === true ? false : undefined;
      const input = { entity, properties: propertiesOf(pairs), status, pinned, scope };
      await showGraph(cli, command, graphSet, input, ({ style }, { entity: set, mutation, proposal }) => {
        if (proposal !== undefined) return waiting(style, proposal);
        return mutation === null
          ? `${named(style, set)} was that way already.\n`
          : `${style.green('Set')} ${named(style, set)}\n${undo(style, mutation)}`;
      });
    });
}

const FACT_VERBS: Readonly<Record<FactResult['outcome'], string>> = {
  added: 'Stated',
  reinforced: 'Known already, and confirmed once more',
  present: 'Known already',
  superseded: 'Stated, in place of what held before',
  proposed: 'It contradicts what the user said and waits for them',
};

function addFact(graph: Command, cli: Cli): void {
  addScopeOption(graph.command('fact <name> <text...>').description(graphFact.summary))
    .option('--attribute <name>', 'the property it states, where that has one value at a time')
    .option('--value <value>', 'the value of that property')
    .option('--category <word>', 'such as work, home, health')
    .option('--from <date>', 'true since this day, month or year')
    .option('--until <date>', 'true until this day, month or year')
    .option('--confidence <level>', 'high, medium or low')
    .option('--importance <number>', '0 to 1')
    .option('--replaces <id>', 'the fact that it takes the place of')
    .action(async (entity: string, words: readonly string[], _options, command: Command) => {
      const { importance, ...options } = command.opts<
        ScopeOption & {
          attribute?: string;
          value?: string;
          category?: string;
          from?: string;
          until?: string;
          confidence?: 'high';
          importance?: string;
          replaces?: string;
        }
      >();
      const weight = importance === undefined ? undefined : decimalOf('--importance', importance);
      const input = { entity, text: words.join(' '), ...options, importance: weight };
      await showGraph(cli, command, graphFact, input, renderFact);
    });
}

function renderFact({ style }: View, { entity, id, outcome, superseded, mutation }: FactResult): string {
  const ended = superseded.length === 0 ? '' : `  no longer holds: ${superseded.map((old) => `^${old}`).join(', ')}\n`;
  if (outcome === 'proposed')
    return `${FACT_VERBS.proposed}: ${style.bold(id)}\n${style.dim(`decide: mneme approve ${id}`)}\n`;
  return `${style.green(FACT_VERBS[outcome])} ${named(style, entity)} ${style.dim(`^${id}`)}\n${ended}${undo(style, mutation)}`;
}

function addTask(graph: Command, cli: Cli): void {
  addScopeOption(graph.command('task <name> [text...]').description(graphTask.summary))
    .option('--due <date>', 'until when')
    .option('--owner <name>', 'whose it is, where that is not the user')
    .option('--status <state>', 'open, active, blocked, done or dropped')
    .option('--id <id>', 'the task whose state changes')
    .option('--why <text>', 'how it ended, or why it was dropped')
    .action(async (entity: string, words: readonly string[], _options, command: Command) => {
      const options = command.opts<
        ScopeOption & { due?: string; owner?: string; status?: 'open'; id?: string; why?: string }
      >();
      const text = words.length === 0 ? undefined : words.join(' ');
      await showGraph(cli, command, graphTask, { entity, text, ...options }, renderItem);
    });
}

function addDecision(graph: Command, cli: Cli): void {
  addScopeOption(graph.command('decision <name> [text...]').description(graphDecision.summary))
    .option('--why <text>', 'the reason')
    .option('--impact <text>', 'what follows from it')
    .option('--date <date>', 'when (default: today)')
    .option('--id <id>', 'the decision that no longer holds')
    .option('--status <state>', 'with --id: reversed (default) or superseded')
    .action(async (entity: string, words: readonly string[], _options, command: Command) => {
      const { why, ...options } = command.opts<
        ScopeOption & { why?: string; impact?: string; date?: string; id?: string; status?: 'reversed' }
      >();
      const text = words.length === 0 ? undefined : words.join(' ');
      await showGraph(cli, command, graphDecision, { entity, text, rationale: why, ...options }, renderItem);
    });
}

function renderItem(
  { style }: View,
  {
    entity,
    id,
    outcome,
    mutation,
    proposal,
  }: {
    readonly proposal?: string | undefined;
    readonly entity: { readonly name: string; readonly id: string; readonly type: string; readonly path: string };
    readonly id: string;
    readonly outcome: 'added' | 'present' | 'changed' | 'proposed';
    readonly mutation: string | null;
  },
): string {
  if (outcome === 'proposed') return waiting(style, proposal ?? '');
  const verb = { added: style.green('Added to'), changed: style.green('Changed at'), present: 'Known already at' }[
    outcome
  ];
  return `${verb} ${named(style, entity)} ${style.dim(`^${id}`)}\n${undo(style, mutation)}`;
}

function addAlias(graph: Command, cli: Cli): void {
  addScopeOption(graph.command('alias <name> <alias>').description(graphAlias.summary))
    .option('--remove', 'it is not called so')
    .action(async (entity: string, alias: string, _options, command: Command) => {
      const { remove, scope } = command.opts<ScopeOption & { remove?: boolean }>();
      await showGraph(cli, command, graphAlias, { entity, alias, remove, scope }, ({ style }, result) => {
        const names =
          result.aliases.length === 0 ? 'has no other names' : `is also called ${result.aliases.join(', ')}`;
        return `${named(style, result.entity)} ${names}.\n${undo(style, result.mutation)}`;
      });
    });
}

function addLink(graph: Command, cli: Cli): void {
  addScopeOption(graph.command('link <from> <relation> <to>').description(graphLink.summary))
    .option('--since <date>', 'true since this day, month or year')
    .option('--until <date>', 'true until this day, month or year')
    .option('--confidence <level>', 'high, medium or low')
    .option('--loose', 'keep what relations.md has no word for as relates-to')
    .action(async (from: string, relation: string, to: string, _options, command: Command) => {
      const options = command.opts<
        ScopeOption & { since?: string; until?: string; confidence?: 'high'; loose?: boolean }
      >();
      await showGraph(cli, command, graphLink, { from, relation, to, ...options }, ({ style }, result) => {
        const verb = result.outcome === 'added' ? style.green('Linked') : 'Known already:';
        const edge = `${result.from.name} ${style.cyan(result.relation)} ${result.to.name}`;
        return `${verb} ${edge} ${style.dim(`^${result.id}`)}\n${undo(style, result.mutation)}`;
      });
    });
}

function addUnlink(graph: Command, cli: Cli): void {
  addScopeOption(
    graph
      .command('unlink <from> <relation> <to>')
      .description(`${graphUnlink.summary} "any" stands for every relation between the two.`),
  )
    .option('--until <date>', 'since when it no longer holds (default: today)')
    .option('--mistake', 'it never held: take the line out instead of striking it through')
    .action(async (from: string, relation: string, to: string, _options, command: Command) => {
      const { until, mistake, scope } = command.opts<ScopeOption & { until?: string; mistake?: boolean }>();
      const input = { from, relation: relation === 'any' ? undefined : relation, to, until, mistake, scope };
      await showGraph(cli, command, graphUnlink, input, ({ style }, result) => {
        if (result.proposal !== undefined) return waiting(style, result.proposal);
        const edges = result.ended
          .map(({ relation: word, path }) => `  ${style.cyan(word)} ${style.dim(path)}\n`)
          .join('');
        return `${style.green('Ended')} between ${result.from.name} and ${result.to.name}:\n${edges}${undo(style, result.mutation)}`;
      });
    });
}

function addRename(graph: Command, cli: Cli): void {
  addScopeOption(graph.command('rename <name> <new-name>').description(graphRename.summary))
    .option('--name-only', 'leave its id and file as they are')
    .option('--drop-old-name', 'do not keep the old name as an alias')
    .action(async (entity: string, name: string, _options, command: Command) => {
      const { nameOnly, dropOldName, scope } = command.opts<
        ScopeOption & { nameOnly?: boolean; dropOldName?: boolean }
      >();
      await showGraph(cli, command, graphRename, { entity, name, nameOnly, dropOldName, scope }, renderRenamed);
    });
}

function renderRenamed({ style }: View, renamed: RenameResult): string {
  const { before, entity, linksIn, mutation, proposal, proposalsFollowed = [] } = renamed;
  if (proposal !== undefined) return waiting(style, proposal);
  if (mutation === null) return `${named(style, entity)} is called so already.\n`;
  const links =
    linksIn.length === 0
      ? ''
      : `  links followed in ${countOf(linksIn.length, 'file')}: ${linksIn.slice(0, 5).join(', ')}${linksIn.length > 5 ? ' …' : ''}\n`;
  const proposals =
    proposalsFollowed.length === 0 ? '' : `  ${countOf(proposalsFollowed.length, 'proposal')} followed\n`;
  return `${style.green('Renamed')} ${before.name} to ${named(style, entity)}\n${links}${proposals}${undo(style, mutation)}`;
}
