import type { FoundLogs } from '../../../exchange/import/survey.ts';
import type { Status } from '../../../operations/status.ts';
import { localTime } from '../../../model/time.ts';
import { countOf, showBytes } from '../amounts.ts';
import type { Cli } from '../cli.ts';
import { plural, table, type Style } from '../style.ts';
import { readVersion } from '../version.ts';
import { shortPath } from './first-run-home.ts';
import { programName } from './import-work.ts';

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
  const what = found.length === 0 ? 'Make it' : 'Make it and import them (nothing leaves this machine)';
  return [
    `There is no memory home in ${shortPath(cli, home)} yet.\n`,
    renderFound(cli, found),
    `${what}: ${cli.style.cyan(command)}\n`,
  ].join('');
}

/** What makes a memory useful: an agent that has it. The list names those that are here. */
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

/** What `mneme` alone says of a home: how much there is, what waits, what to do. */
export function renderAtAGlance(cli: Cli, status: Status, pending: readonly FoundLogs[]): string {
  const { style } = cli;
  const { alerts, externalEdits, proposals, index } = status;
  const waiting = [
    ...(alerts.length === 0 ? [] : [plural(alerts.length, 'alert')]),
    ...(externalEdits.length === 0 ? [] : [plural(externalEdits.length, 'edit made outside', 'edits made outside')]),
    ...(proposals.length === 0 ? [] : [plural(proposals.length, 'proposal')]),
  ];
  const searchable = index.problem === null ? `, ${countOf(index.passages, 'passage')} to search` : '';
  const lines = [
    `${style.bold(`Mneme ${readVersion()}`)} · ${shortPath(cli, status.home)}: ${plural(status.workspace.files, 'file')}${searchable}`,
    ...(waiting.length === 0 ? [] : [`${style.yellow('waiting')}  ${waiting.join(', ')}: mneme status`]),
    ...(index.problem === null ? [] : [`${style.yellow('index')}  ${index.problem}`]),
    ...pending.map(
      ({ from, sessions }) =>
        `${style.yellow('new')}  ${countOf(sessions, 'session')} of ${programName(from)}: mneme import ${from}`,
    ),
  ];
  return `${lines.join('\n')}\n\n${renderNext(style)}`;
}
