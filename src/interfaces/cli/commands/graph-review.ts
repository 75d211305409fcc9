import type { Command } from 'commander';
import { graphContradictions, type ContradictionReport } from '../../../operations/graph/contradictions.ts';
import { graphDuplicates, type DuplicateReport } from '../../../operations/graph/duplicates.ts';
import { graphIndex } from '../../../operations/graph/index-file.ts';
import { graphInfer, type Inferred } from '../../../operations/graph/infer.ts';
import { graphMerge, graphSplit } from '../../../operations/graph/merge.ts';
import { graphVerify, type Verification } from '../../../operations/graph/verify.ts';
import { countOf } from '../../../operations/command-line/amounts.ts';
import { EXIT_CODES, type Cli, type GlobalOptions } from '../cli.ts';
import { ProgressLine } from '../progress.ts';
import { addMomentOptions, addScopeOption, showGraph, type MomentOptions, type ScopeOption } from './graph-options.ts';
import { findingLine, named } from './graph-view.ts';
import type { View } from '../../../operations/command-line/view.ts';
import { numberOf } from './show.ts';

/** Commands that look the graph over: what follows, what cannot be, who is one and the same. */
export function addGraphReviewCommands(graph: Command, cli: Cli): void {
  addMerge(graph, cli);
  addSplit(graph, cli);
  addInfer(graph, cli);
  addVerify(graph, cli);
  addContradictions(graph, cli);
  addDuplicates(graph, cli);
  addIndex(graph, cli);
}

function addMerge(graph: Command, cli: Cli): void {
  addScopeOption(
    graph.command('merge <from> <into>').description(`${graphMerge.summary} Nothing changes before it is approved.`),
  )
    .option('--why <text>', 'the reason, for whoever decides')
    .action(async (from: string, into: string, _options, command: Command) => {
      const { why, scope } = command.opts<ScopeOption & { why?: string }>();
      await showGraph(cli, command, graphMerge, { from, into, why, scope }, ({ style }, result) =>
        [
          `${style.green('Proposed')} to merge ${named(style, result.from)} into ${named(style, result.into)}: ${countOf(result.moved, 'line')} would move.`,
          ...decide(result.proposal),
        ].join('\n'),
      );
    });
}

function decide(proposal: string): string[] {
  return [
    `  look: mneme proposals show ${proposal}`,
    `  decide: mneme approve ${proposal} · mneme reject ${proposal}`,
    '',
  ];
}

function addSplit(graph: Command, cli: Cli): void {
  addScopeOption(
    graph
      .command('split <name> <new-name>')
      .description(`${graphSplit.summary} Nothing changes before it is approved.`),
  )
    .requiredOption('--items <ids...>', 'ids of the facts, tasks, decisions and relations that are the other’s')
    .option('--type <type>', 'what the other is (default: the same)')
    .option('--alias <names...>', 'other names of the other')
    .option('--why <text>', 'the reason, for whoever decides')
    .action(async (entity: string, name: string, _options, command: Command) => {
      const { items, type, alias, why, scope } = command.opts<
        ScopeOption & { items: string[]; type?: string; alias?: string[]; why?: string }
      >();
      await showGraph(
        cli,
        command,
        graphSplit,
        { entity, name, items, type, aliases: alias, why, scope },
        ({ style }, result) =>
          [
            `${style.green('Proposed')} to split ${named(style, result.other)} from ${named(style, result.entity)}: ${countOf(result.moved, 'line')} would move.`,
            ...decide(result.proposal),
          ].join('\n'),
      );
    });
}

function addInfer(graph: Command, cli: Cli): void {
  addScopeOption(graph.command('infer [name]').description(graphInfer.summary))
    .option('--ask', 'also ask the language model what follows from the facts of NAME')
    .option('--keep', 'write it down, marked as inferred, with its premises')
    .option('--limit <number>', 'how many (default 100)')
    .action(async (entity: string | undefined, _options, command: Command) => {
      const { ask, keep, limit, scope } = command.opts<
        ScopeOption & { ask?: boolean; keep?: boolean; limit?: string }
      >();
      const input = { entity, ask, keep, limit: numberOf('--limit', limit), scope };
      await showGraph(cli, command, graphInfer, input, renderInferred);
    });
}

function renderInferred({ style }: View, { relations, facts, isCut, mutation, notes }: Inferred): string {
  const lines = [
    ...relations.flatMap(({ from, relation, to, premises, rule }) => [
      `${from.name} ${style.cyan(relation)} ${to.name}  ${style.dim(rule)}`,
      ...premises.map(({ text, id }) => `    ${style.dim(`because ${text} ^${id}`)}`),
    ]),
    ...facts.flatMap(({ text, confidence, premises }) => [
      `${text}  ${style.dim(confidence)}`,
      `    ${style.dim(`because of ${premises.map((id) => `^${id}`).join(', ')}`)}`,
    ]),
    ...(relations.length + facts.length === 0 ? ['Nothing follows that is not written down already.'] : []),
    ...(isCut ? [style.dim('There is more; --limit shows it.')] : []),
    ...(mutation === null
      ? []
      : [`${style.green('Kept')} as inferred; ${style.dim(`undo: mneme rollback ${mutation}`)}`]),
    ...notes.map((note) => `${style.yellow('note')} ${note}`),
  ];
  return `${lines.join('\n')}\n`;
}

function addVerify(graph: Command, cli: Cli): void {
  graph
    .command('verify <id>')
    .description(graphVerify.summary)
    .option('--method <method>', 'user, cross-reference, temporal or consistency (default)')
    .option('--answer <answer>', 'with --method user: yes or no, at once')
    .action(async (id: string, _options, command: Command) => {
      const options = command.opts<{ method?: 'user'; answer?: 'yes' }>();
      await showGraph(cli, command, graphVerify, { id, ...options }, renderVerification);
    });
}

function renderVerification({ style }: View, result: Verification): string {
  const { verified, confidence, text, method, reasons, against, support, question } = result;
  const verdict =
    verified === null ? style.yellow('Asked') : verified ? style.green('Verified') : style.red('Not verified');
  const lines = [
    `${verdict} ${text}  ${style.dim(`${method}${confidence === null ? '' : `, confidence ${confidence.toFixed(2)}`}`)}`,
    ...reasons.map((reason) => `  ${reason}`),
    ...support.map((item) => `  ${style.green('for')} ${item.text} ${style.dim(item.path)}`),
    ...against.map((item) => `  ${style.red('against')} ${item.text} ${style.dim(`${item.path} ^${item.id}`)}`),
    ...(question === null ? [] : [style.dim(`  yes: mneme approve ${question} · no: mneme reject ${question}`)]),
  ];
  return `${lines.join('\n')}\n`;
}

function addContradictions(graph: Command, cli: Cli): void {
  addMomentOptions(
    graph
      .command('contradictions [name]')
      .description(`${graphContradictions.summary} Exit code 7 when there is something.`),
  ).action(async (entity: string | undefined, _options, command: Command) => {
    const { at, knownAt, scope } = command.opts<MomentOptions>();
    const report = await showGraph(
      cli,
      command,
      graphContradictions,
      { entity, at, knownAt, scope },
      renderContradictions,
    );
    if (report.contradictions.length > 0) cli.exitCode = EXIT_CODES.integrity;
  });
}

function renderContradictions({ style }: View, { contradictions, entities }: ContradictionReport): string {
  if (contradictions.length === 0)
    return `${style.green('Nothing contradicts')} anything in ${countOf(entities, 'entity', 'entities')}.\n`;
  return `${contradictions.map((finding) => findingLine(style, finding)).join('\n')}\n${countOf(contradictions.length, 'finding')}\n`;
}

function addDuplicates(graph: Command, cli: Cli): void {
  addScopeOption(graph.command('duplicates').description(graphDuplicates.summary))
    .option('--type <type>', 'only persons, projects, tools …')
    .option('--propose', 'file a merge proposal for each that is sure or uncertain')
    .option('--limit <number>', 'how many (default 50)')
    .action(async (_options, command: Command) => {
      const { type, propose, limit, scope } = command.opts<
        ScopeOption & { type?: string; propose?: boolean; limit?: string }
      >();
      const line = new ProgressLine(cli, command.optsWithGlobals<GlobalOptions>());
      const onProgress = (done: number, total: number): void => line.show(`comparing ${done} of ${total}`);
      const input = { type, propose, limit: numberOf('--limit', limit), scope, onProgress };
      await showGraph(cli, command, graphDuplicates, input, (view, report) => {
        line.clear();
        return renderDuplicates(view, report);
      });
    });
}

function renderDuplicates({ style }: View, { pairs, compared, isCut }: DuplicateReport): string {
  if (pairs.length === 0) return `Nobody is there twice among ${countOf(compared, 'likely pair')}.\n`;
  const lines = pairs.map(({ a, b, score, verdict, reasons, proposal }) => {
    const filed = proposal === null ? '' : `\n    ${style.dim(`proposal ${proposal}`)}`;
    const word = verdict === 'same' ? style.green('the same') : style.yellow('perhaps the same');
    return `${score.toFixed(2)} ${word}: ${named(style, a)} and ${named(style, b)}\n    ${style.dim(reasons.join('; '))}${filed}`;
  });
  const cut = isCut ? style.dim('There are more; --limit shows them.\n') : '';
  return `${lines.join('\n')}\n${cut}${style.dim('merge: mneme graph merge A B, or --propose')}\n`;
}

function addIndex(graph: Command, cli: Cli): void {
  addScopeOption(graph.command('index').description(graphIndex.summary))
    .option('--check', 'only say whether it is up to date')
    .action(async (_options, command: Command) => {
      const { check, scope } = command.opts<ScopeOption & { check?: boolean }>();
      await showGraph(
        cli,
        command,
        graphIndex,
        { check, scope },
        ({ style }, { path, entities, edges, isCurrent, mutation }) => {
          const size = `${countOf(entities, 'entity', 'entities')}, ${countOf(edges, 'edge')}`;
          if (mutation !== null) return `${style.green('Wrote')} ${path}: ${size}.\n`;
          return isCurrent
            ? `${path} is up to date: ${size}.\n`
            : `${path} is out of date; \`mneme graph index\` writes it anew.\n`;
        },
      );
    });
}
