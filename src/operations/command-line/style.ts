import { localTime } from '../../model/time.ts';
import type { LogPlaces } from '../../platform/environment.ts';

/** Describes the place where an answer is shown. */
export interface View {
  readonly style: Style;
  readonly timeZone: string;
  /** Lines are cut here; undefined leaves them whole, as for a pipe. */
  readonly columns: number | undefined;
}

/** The parts of a command line that a verb may use while it is called there. */
export interface Terminal {
  readonly style: Style;
  /** Whether a person sits there who can be asked. */
  readonly isTerminal: boolean;
  /** Where programs of this user keep their logs and settings; undefined where that is not known. */
  readonly logPlaces: LogPlaces | undefined;
  /** Everything on standard input. */
  readInput(): Promise<string>;
  /** A line typed by the user; undefined when they end the input instead. */
  ask(question: string): Promise<string | undefined>;
  /** The same for a passphrase: it is not shown while it is typed. */
  askSecret(question: string): Promise<string | undefined>;
  /** Opens a text in the user's editor; `otherWay` is the hint where there is no terminal to open it in. */
  edit(name: string, text: string, otherWay: string): Promise<string>;
  /** Prints a note on standard error. */
  warn(message: string): void;
}

/** Passed to long work: it reports how far it has come, and stops at its next safe place. */
export interface Progress {
  readonly signal: AbortSignal;
  /** Shows one line on standard error that replaces itself; silent in a pipe. */
  readonly report: (text: string) => void;
  /** Prints text before the answer; undefined where only the answer is wanted, as with `--json`. */
  readonly say: ((text: string) => void) | undefined;
  /** Asks for a line; undefined where nobody sits there, or only the answer is wanted. */
  readonly ask: ((question: string) => Promise<string | undefined>) | undefined;
}

/** Colours and shapes of what the CLI prints; without colours the text alone must say everything. */
export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
}

export function createStyle(wantsColor: boolean): Style {
  const wrap =
    (open: number, close: number) =>
    (text: string): string =>
      wantsColor && text !== '' ? `\u001B[${open}m${text}\u001B[${close}m` : text;
  return {
    bold: wrap(1, 22),
    dim: wrap(2, 22),
    red: wrap(31, 39),
    green: wrap(32, 39),
    yellow: wrap(33, 39),
    cyan: wrap(36, 39),
  };
}

/** Colours the lines of a unified diff. */
export function paintDiff(style: Style, diff: string): string {
  return diff
    .split('\n')
    .map((line) => {
      if (line.startsWith('+++') || line.startsWith('---') || line.startsWith('diff ')) return style.bold(line);
      if (line.startsWith('@@')) return style.cyan(line);
      if (line.startsWith('+')) return style.green(line);
      return line.startsWith('-') ? style.red(line) : line;
    })
    .join('\n');
}

/** `2026-02-16 14:30` in the home's zone. */
export function showTime(timeMs: number, timeZone: string): string {
  const { date, time } = localTime(timeMs, timeZone);
  return `${date} ${time}`;
}

export function indented(text: string): string {
  return text.replaceAll(/^/gmu, '  ');
}

/** Rows as aligned columns; the last column is left as long as it is. */
export function table(given: readonly (readonly string[])[], indent = ''): string {
  const rows = given.map((row) => row.map((cell) => cell.replaceAll(/\r?\n/gu, '␊')));
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, visibleLength(cell));
  }
  return rows
    .map((row) => {
      const cells = row.map((cell, index) =>
        index === row.length - 1 ? cell : cell + ' '.repeat((widths[index] ?? 0) - visibleLength(cell)),
      );
      return `${indent}${cells.join('  ')}`.trimEnd() + '\n';
    })
    .join('');
}

function visibleLength(text: string): number {
  // oxlint-disable-next-line no-control-regex -- the escape character is what colours start with
  return text.replaceAll(/\u001B\[\d+m/g, '').length;
}
