import type { FoundLogs } from '../../../exchange/import/survey.ts';
import type { KnownThing } from '../../../operations/briefing/list-known.ts';
import type { Status } from '../../../operations/status.ts';
import { localTime } from '../../../model/time.ts';
import { countOf, showBytes } from '../../../operations/command-line/plain.ts';
import type { Cli } from '../cli.ts';
import { table, type Style } from '../../../operations/command-line/style.ts';
import { readVersion } from '../version.ts';
import { shortPath } from './make-home.ts';
import { renderLearned, type LearnedNow } from './learn-now.ts';
import type { TakenIn } from './take-in.ts';
import { takenLine } from '../../../operations/render-import.ts';
import { programName } from '../../../operations/import-source.ts';
import type { ConnectedClient } from './connect-client.ts';
import { counted, cutText } from '../../../model/text.ts';

export function renderWelcome(cli: Cli): string {
  return `${cli.style.bold(`Mneme ${readVersion()}`)}: long-term memory for AI agents, in plain Markdown files on this machine.\n\n`;
}

/** `Claude Code  214 sessions  2026-01-03 … 2026-11-14  96 MB`, a line for each program. */
export function renderFound(cli: Cli, found: readonly FoundLogs[]): string {
  if (found.length === 0) return 'No logs of Claude Code, Codex or OpenClaw are on this disk.\n';
  const day = (timeMs: number): string => localTime(timeMs, cli.environment.timeZone).date;
  const rows = found.map(({ from, sessions, oldestMs, newestMs, bytes }) => [
    cli.style.bold(programName(from)),
    countOf(sessions, 'session'),
    `${day(oldestMs)} … ${day(newestMs)}`,
    showBytes(bytes),
  ]);
  return `Found on this disk:\n${table(rows, '  ')}`;
}

export function renderInvitation(cli: Cli, home: string, found: readonly FoundLogs[], command: string): string {
  const what =
    found.length === 0
      ? 'Make it'
      : 'Make it, import them, learn from them and connect your agents (nothing leaves this machine)';
  return [
    `There is no memory home in ${shortPath(cli, home)} yet.\n`,
    renderFound(cli, found),
    `${what}: ${cli.style.cyan(command)}\n`,
  ].join('');
}

/** A memory needs an agent that uses it. The list names the agents found here. */
const CONNECT = ['mneme install', 'connect Claude Code, Codex, Cursor and others to it'] as const;

export function renderBegin(style: Style): string {
  return commandTable(style, [
    CONNECT,
    ['mneme remember "We deploy on Tuesdays"', 'keep something'],
    ['mneme import transcript FILE', 'take over a conversation'],
    ['mneme recall "when do we deploy?"', 'find it again'],
  ]);
}

export function renderNext(style: Style): string {
  return commandTable(style, [
    CONNECT,
    ['mneme recall "…"', 'find what is remembered'],
    ['mneme remember "…"', 'keep something'],
    ['mneme import SOURCE', 'take over what is new: claude-code, codex, openclaw, markdown, transcript'],
    ['mneme status', 'what there is, what waits for you'],
    ['mneme help', 'everything else'],
  ]);
}

function commandTable(style: Style, rows: readonly (readonly [string, string])[]): string {
  return table(
    rows.map(([command, meaning]) => [style.cyan(command), style.dim(meaning)]),
    '  ',
  );
}

/** Shows the imported data, the statements learned from it, and the present knowledge. */
export function renderTaken(
  cli: Cli,
  { imported, learned, knows }: Pick<TakenIn, 'imported' | 'learned' | 'knows'>,
): string {
  const taken = imported.map((result) => `${takenLine(cli.style, result)}\n`);
  return [
    ...taken,
    renderLearned(cli.style, learned),
    '\n',
    renderKnown(cli, knows) || renderNothingKnown(learned),
  ].join('');
}

/** A line each: the day, the statement, and where it was said. Empty when nothing is known. */
function renderKnown(cli: Cli, knows: readonly KnownThing[]): string {
  const { style, io } = cli;
  if (knows.length === 0) return '';
  const lines = knows.map(({ text, day, ...origin }) => {
    const head = `  ${day ?? '          '}  `;
    const tail = `  ${sourceOf(origin)}`;
    const room = io.isTerminal ? Math.max(LEAST_TEXT, io.columns - head.length - tail.length) : Infinity;
    return `${style.dim(head)}${cutText(text, room)}${style.dim(tail)}\n`;
  });
  return `${style.bold('What is known now, the most useful first')}\n${lines.join('')}`;
}

const LEAST_TEXT = 40;

function sourceOf({ project, from, session, path }: Omit<KnownThing, 'text' | 'day'>): string {
  const said = [project, from === null ? session : programName(from)].filter((part) => part !== null);
  return `(${said.length === 0 ? path : said.join(', ')})`;
}

function renderNothingKnown({ left }: LearnedNow): string {
  const why =
    left > 0
      ? 'Nothing is known yet: conversations are still to be learned from.'
      : 'Nothing is known yet: no conversation states a fact, a decision or a preference that would help later.';
  return `${why}\nSearch what was said with \`mneme recall "…"\`; tell Mneme something with \`mneme remember "…"\`.\n`;
}

export function renderConnected(style: Style, connected: readonly ConnectedClient[]): string {
  const lines = connected
    .filter((one) => one.connected)
    .map(
      ({ client, title, next }) =>
        `${style.green(`Connected ${title}.`)} ${next} ${style.dim(`undo: mneme uninstall ${client}`)}\n`,
    );
  return lines.length === 0 ? '' : `\n${lines.join('')}`;
}

interface AtAGlance {
  readonly status: Status;
  readonly notImported: readonly FoundLogs[];
  readonly knows: readonly KnownThing[];
}

/** Renders the output of `mneme` alone: the amount of data, pending work, knowledge, next steps. */
export function renderAtAGlance(cli: Cli, { status, notImported: pending, knows }: AtAGlance): string {
  const { style } = cli;
  const { alerts, externalEdits, proposals, index } = status;
  const waiting = [
    ...(alerts.length === 0 ? [] : [counted(alerts.length, 'alert')]),
    ...(externalEdits.length === 0 ? [] : [counted(externalEdits.length, 'edit made outside', 'edits made outside')]),
    ...(proposals.length === 0 ? [] : [counted(proposals.length, 'proposal')]),
  ];
  const searchable = index.problem === null ? `, ${countOf(index.passages, 'passage')} to search` : '';
  const lines = [
    `${style.bold(`Mneme ${readVersion()}`)} · ${shortPath(cli, status.home)}: ${counted(status.workspace.files, 'file')}${searchable}`,
    ...(waiting.length === 0 ? [] : [`${style.yellow('waiting')}  ${waiting.join(', ')}: mneme status`]),
    ...(index.problem === null ? [] : [`${style.yellow('index')}  ${index.problem}`]),
    ...pending.map(
      ({ from, sessions }) =>
        `${style.yellow('new')}  ${countOf(sessions, 'session')} of ${programName(from)}: mneme import ${from}`,
    ),
  ];
  const known = renderKnown(cli, knows);
  return `${lines.join('\n')}\n\n${known === '' ? '' : `${known}\n`}${renderNext(style)}`;
}
