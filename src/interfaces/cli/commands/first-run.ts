import type { Command } from 'commander';
import { findLogs, type FoundLogs } from '../../../exchange/import/survey.ts';
import type { ImportFrom, ImportResult } from '../../../exchange/import/request.ts';
import type { Mneme } from '../../../mneme.ts';
import { isMnemeError } from '../../../model/errors.ts';
import { importOperation } from '../../../operations/import.ts';
import { assertMayWrite, runOperation } from '../../../operations/operation.ts';
import { findPendingLogs } from '../../../operations/pending-logs.ts';
import type { IndexReport } from '../../../operations/search/index-operations.ts';
import { recall } from '../../../operations/search/recall.ts';
import { status } from '../../../operations/status.ts';
import { EXIT_CODES, type Cli, type GlobalOptions } from '../cli.ts';
import { plainValue } from '../plain.ts';
import { ProgressLine, untilInterrupted } from '../progress.ts';
import { hasHome, isConfirmed, makeHome, mayAsk, shortPath } from './first-run-home.ts';
import {
  renderAtAGlance,
  renderBegin,
  renderFound,
  renderInvitation,
  renderNext,
  renderWelcome,
} from './first-run-view.ts';
import { takenLine } from './import-view.ts';
import { importWithProgress, indexWithProgress, programName } from './import-work.ts';
import { isFinished } from './index-commands-progress.ts';
import { renderHits } from './recall-view.ts';

interface BeginOptions extends GlobalOptions {
  readonly yes?: boolean;
}

/** What `mneme` does when it is called without a command. */
export function addBeginCommand(program: Command, cli: Cli): void {
  program
    .command('begin')
    .summary('Make a home and import the logs on this disk; `mneme` alone does the same.')
    .description(
      'Without a home: look for logs of coding agents on this disk, offer to import them, and answer a question. With one: what there is, and the most useful commands.',
    )
    .option('-y, --yes', 'make the home and import what is found, without asking')
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<BeginOptions>();
      if (options.yes === true) await beginAtOnce(cli, options);
      else if (hasHome(cli, options)) await showAtAGlance(cli, options);
      else if (mayAsk(cli, options)) await beginByAsking(cli, options);
      else invite(cli, options);
    });
}

function survey(cli: Cli): FoundLogs[] {
  const { logPlaces } = cli.environment;
  return logPlaces === undefined ? [] : findLogs(logPlaces);
}

function invite(cli: Cli, options: BeginOptions): void {
  const home = cli.home(options);
  const command = options.home === undefined ? 'mneme --yes' : `mneme --home ${JSON.stringify(home)} --yes`;
  const result = { home, exists: false, found: survey(cli), command };
  cli.print(options, result, ({ found }) => renderInvitation(cli, home, found, command));
}

async function showAtAGlance(cli: Cli, options: BeginOptions): Promise<void> {
  const { logPlaces } = cli.environment;
  const result = await cli.withMneme(options, async ({ internals: context }) => ({
    home: context.home,
    exists: true,
    status: await runOperation(status, context, {}),
    notImported: logPlaces === undefined ? [] : findPendingLogs(context, logPlaces),
  }));
  cli.print(options, result, (shown) => renderAtAGlance(cli, shown.status, shown.notImported));
}

/** On a terminal: survey, one question, the import, and then a real question. */
async function beginByAsking(cli: Cli, options: BeginOptions): Promise<void> {
  const { io, style } = cli;
  const home = cli.home(options);
  const found = survey(cli);
  io.out(`${renderWelcome(cli)}${renderFound(cli, found)}\n`);
  const action = found.length === 0 ? '' : ' and import them';
  const question = `Make a memory home in ${shortPath(cli, home)}${action}? Nothing leaves this machine.`;
  if (!(await isConfirmed(cli, question))) {
    io.out(`Nothing was done. ${style.dim('`mneme` asks again; `mneme init` makes a home without importing.')}\n`);
    return;
  }
  await makeHome(cli, options);
  if (found.length === 0) {
    io.out(
      `\n${style.green('Made a memory home')} in ${style.bold(shortPath(cli, home))}. Begin with:\n${renderBegin(style)}`,
    );
    return;
  }
  await cli.withMneme(options, async (mneme) => {
    const { imported, index } = await importAll(cli, options, mneme, found);
    io.out(`\n${imported.map((result) => `${takenLine(style, plainValue(result))}\n`).join('')}`);
    if (!finish(cli, imported, index)) return;
    await answerQuestions(cli, mneme);
  });
  io.out(`\nNext:\n${renderNext(style)}`);
}

/** `mneme --yes`: the same without questions, for scripts and for the impatient. */
async function beginAtOnce(cli: Cli, options: BeginOptions): Promise<void> {
  assertMayWrite(cli.actor(options), importOperation.name);
  const found = survey(cli);
  const made = !hasHome(cli, options);
  if (made) await makeHome(cli, options);
  const { imported, index } = await cli.withMneme(options, (mneme) => importAll(cli, options, mneme, found));
  const result = { home: cli.home(options), made, found, imported, index };
  cli.print(options, result, (shown) => {
    const where = shortPath(cli, shown.home);
    return [
      made
        ? `${cli.style.green('Made a memory home')} in ${cli.style.bold(where)}.\n`
        : `The memory home is ${where}.\n`,
      shown.found.length === 0 ? renderFound(cli, shown.found) : '',
      ...shown.imported.map((one) => `${takenLine(cli.style, one)}\n`),
      `\nNext:\n${shown.found.length === 0 ? renderBegin(cli.style) : renderNext(cli.style)}`,
    ].join('');
  });
  finish(cli, imported, index);
}

interface ImportedAll {
  readonly imported: readonly ImportResult[];
  readonly index: IndexReport;
}

async function importAll(
  cli: Cli,
  options: BeginOptions,
  { internals: context }: Mneme,
  found: readonly FoundLogs[],
): Promise<ImportedAll> {
  const line = new ProgressLine(cli, options);
  const work = async (signal: AbortSignal): Promise<ImportedAll> => {
    const imported: ImportResult[] = [];
    for (const { from } of found) {
      if (signal.aborted) break;
      try {
        imported.push(await importWithProgress(cli, context, { from: from as ImportFrom }, { line, signal }));
      } catch (error) {
        if (!isMnemeError(error)) throw error;
        // Trouble with one program's logs must not keep the others out.
        line.clear();
        cli.warn(`${programName(from)} was not imported: ${error.message}`);
        cli.exitCode = EXIT_CODES.failure;
      }
    }
    return { imported, index: await indexWithProgress(context, { line, signal }) };
  };
  try {
    return await untilInterrupted(cli, work);
  } finally {
    line.clear();
  }
}

/** False, and said so, when it was stopped before its end. */
function finish(cli: Cli, imported: readonly ImportResult[], index: IndexReport): boolean {
  const isDone = imported.every(({ interrupted }) => !interrupted) && isFinished(index);
  if (!isDone) {
    cli.warn('Not everything was taken over. What was imported stays; `mneme --yes` goes on from there.');
    cli.exitCode = EXIT_CODES.failure;
  }
  return isDone;
}

const MAX_ANSWERS = 3;

async function answerQuestions(cli: Cli, { internals: context }: Mneme): Promise<void> {
  const { io, style } = cli;
  let prompt = `\n${style.bold('Ask something about your past sessions:')} `;
  for (;;) {
    const question = (await io.ask(prompt))?.trim();
    if (question === undefined) io.out('\n');
    if (question === undefined || question === '') return;
    const { hits } = await runOperation(recall, context, { query: question, limit: MAX_ANSWERS });
    const view = { style, timeZone: context.config.time_zone, columns: io.columns };
    io.out(`\n${hits.length === 0 ? 'Nothing was said about that.\n' : renderHits(view, plainValue(hits))}`);
    prompt = `\n${style.bold('Ask another, or press Enter to end:')} `;
  }
}
