import { z } from 'zod';
import { type FoundLogs, findLogs, findPendingLogs } from '../../../exchange/import/survey.ts';
import type { Mneme } from '../../../mneme.ts';
import { listKnown } from '../../../operations/briefing/list-known.ts';
import { importOperation } from '../../../operations/import.ts';
import { assertMayWrite, runOperation } from '../../../operations/operation.ts';
import { recall } from '../../../operations/search/recall.ts';
import { status } from '../../../operations/status.ts';
import type { Cli, GlobalOptions } from '../cli.ts';
import { defineProgram } from '../derive/program.ts';
import { plainValue } from '../../../operations/command-line/plain.ts';
import { hasHome, isConfirmed, makeHome, mayAsk, shortPath } from './make-home.ts';
import {
  renderAtAGlance,
  renderBegin,
  renderConnected,
  renderFound,
  renderInvitation,
  renderNext,
  renderTaken,
  renderWelcome,
} from './render-begin.ts';
import { finish, MAX_KNOWN, takeIn } from './take-in.ts';
import { connectFound } from './connect-client.ts';
import { renderHits } from '../../../operations/search/render-recall.ts';

interface BeginOptions extends GlobalOptions {
  readonly yes: boolean;
  /** False with `--no-connect`. */
  readonly connect: boolean;
}

/** Runs when `mneme` is called without a command. */
export const begin = defineProgram({
  name: 'begin',
  summary: 'Make a home, import the logs on this disk and learn from them; `mneme` alone does the same.',
  description:
    'Without a home: look for logs of coding agents on this disk, offer to import them, learn from them for about a minute (the rest follows in the background), show the ten most useful things that are known now, and offer to connect the agents. With one: what there is, what is known, and the most useful commands.',
  input: z.object({
    yes: z.boolean().default(false).describe('Do all of it without asking.'),
    connect: z.boolean().default(true).describe('Connect no agent.'),
  }),
  cli: { section: 'setup', options: { yes: { short: 'y' } } },
  async start(call) {
    const { cli } = call;
    const options = { ...call.options, ...call.input };
    if (options.yes) await beginAtOnce(cli, options);
    else if (hasHome(cli, options)) await showAtAGlance(cli, options);
    else if (mayAsk(cli, options)) await beginByAsking(cli, options);
    else invite(cli, options);
  },
});

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

/** Shows the home's state. On a terminal it offers to import new logs, which also continues an interrupted first run. */
async function showAtAGlance(cli: Cli, options: BeginOptions): Promise<void> {
  const { logPlaces } = cli.environment;
  const result = await cli.withMneme(options, async ({ internals: context }) => ({
    home: context.home,
    exists: true,
    status: await runOperation(status, context, {}),
    notImported: logPlaces === undefined ? [] : findPendingLogs(context.workspace.paths, logPlaces),
    knows: await runOperation(listKnown, context, { limit: MAX_KNOWN }),
  }));
  cli.print(options, result, (shown) => renderAtAGlance(cli, shown));
  const { state, left } = result.status.background;
  const isLeft = result.notImported.length > 0 || (state === 'stopped' && left.conversations > 0);
  if (!isLeft || !mayAsk(cli, options)) return;
  if (!(await isConfirmed(cli, '\nTake in what is new, and learn from it?'))) return;
  assertMayWrite(cli.actor(options), importOperation.name);
  await cli.withMneme(options, async ({ internals: context }) => {
    const taken = await takeIn(cli, options, context, result.notImported);
    cli.io.out(`\n${renderTaken(cli, plainValue(taken))}`);
    finish(cli, taken);
  });
}

/** On a terminal: survey, one question, import, learning, what is known now, connecting, and then a real question. */
async function beginByAsking(cli: Cli, options: BeginOptions): Promise<void> {
  const { io, style } = cli;
  const home = cli.home(options);
  const found = survey(cli);
  io.out(`${renderWelcome(cli)}${renderFound(cli, found)}\n`);
  const action = found.length === 0 ? '' : ', import them and learn from them';
  const question = `Make a memory home in ${shortPath(cli, home)}${action}? Nothing leaves this machine.`;
  if (!(await isConfirmed(cli, question))) {
    io.out(`Nothing was done. ${style.dim('`mneme` asks again; `mneme init` makes a home without importing.')}\n`);
    return;
  }
  await makeHome(cli, options);
  if (found.length === 0) {
    io.out(`\n${style.green('Made a memory home')} in ${style.bold(shortPath(cli, home))}.\n`);
    await offerToConnect(cli, options);
    io.out(`Begin with:\n${renderBegin(style)}`);
    return;
  }
  const isDone = await cli.withMneme(options, async ({ internals: context }) => {
    const taken = await takeIn(cli, options, context, found);
    io.out(`\n${renderTaken(cli, plainValue(taken))}`);
    return finish(cli, taken);
  });
  if (!isDone) return;
  await offerToConnect(cli, options);
  await cli.withMneme(options, (mneme) => answerQuestions(cli, mneme));
  io.out(`\nNext:\n${renderNext(style)}`);
}

async function offerToConnect(cli: Cli, options: BeginOptions): Promise<void> {
  if (!options.connect) return;
  cli.io.out('\n');
  await connectFound(cli, options);
}

/** `mneme --yes`: the same without questions, for scripts and for the impatient. */
async function beginAtOnce(cli: Cli, options: BeginOptions): Promise<void> {
  assertMayWrite(cli.actor(options), importOperation.name);
  const found = survey(cli);
  const made = !hasHome(cli, options);
  if (made) await makeHome(cli, options);
  const taken = await cli.withMneme(options, ({ internals: context }) => takeIn(cli, options, context, found));
  const { imported, index, learned, knows, isInterrupted } = taken;
  const connected = isInterrupted || !options.connect ? [] : await connectFound(cli, options);
  const result = { home: cli.home(options), made, found, imported, index, learned, knows, connected };
  cli.print(options, result, (shown) => {
    const where = shortPath(cli, shown.home);
    return [
      made
        ? `${cli.style.green('Made a memory home')} in ${cli.style.bold(where)}.\n`
        : `The memory home is ${where}.\n`,
      shown.found.length === 0 ? renderFound(cli, shown.found) : '',
      renderTaken(cli, shown),
      renderConnected(cli.style, shown.connected),
      `\nNext:\n${shown.found.length === 0 ? renderBegin(cli.style) : renderNext(cli.style)}`,
    ].join('');
  });
  finish(cli, taken);
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
