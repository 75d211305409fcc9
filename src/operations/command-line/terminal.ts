import type { LogPlaces } from '../../platform/environment.ts';
import type { Style } from './style.ts';

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
