import type { Trust } from '../../model/provenance.ts';
import type { LogPlaces } from '../../platform/environment.ts';
import type { Turn } from '../../workspace/formats/transcript.ts';
import type { JsonRecord } from './lines.ts';
import type { SessionDraft } from './session-draft.ts';

/** A conversation of an export, and how it is told. */
export interface ExportedConversation {
  readonly id: string;
  readonly title: string | undefined;
  readonly startedMs: number | undefined;
  readonly endedMs: number | undefined;
  /** Puts its words into the draft. */
  read(draft: SessionDraft, tally: Tally): void;
}

/** The format of a service's conversation export. */
export interface ConversationFormat {
  readonly name: string;
  /** A description of the source, as the end of a sentence. */
  readonly describes: string;
  /** Matches the names of the files in an export that hold conversations. */
  readonly files: RegExp;
  /** undefined when an object is no conversation of this service. */
  parse(value: JsonRecord): ExportedConversation | undefined;
}

/** A log file of another program: one session each. */
export interface LogFile {
  /** The program's own id of the session, as its file name tells it. */
  readonly id: string;
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
  /** One JSON value over several lines instead of one for each line. */
  readonly isWhole?: boolean | undefined;
  /** Set where the session is kept in a database: its rows from the given number on, which take the place of lines. */
  readonly rows?: ((from: number) => Iterable<LogRow>) | undefined;
}

export interface LogRow {
  /** Its identity in the database. */
  readonly id: string;
  readonly value: unknown;
  /** Still being written. */
  readonly isOpen: boolean;
}

/**
 * Takes in one line of a log; what it means for the conversation goes into the draft. Its place, which no other line of
 * any log has, stands for the id of a message that has none.
 */
export type LineReader = (line: unknown, place: string) => void;

/** The format of a program's sessions: the places of the files and the meaning of their lines. */
export interface LogFormat {
  readonly name: string;
  /** A description of the source, as the end of a sentence. */
  readonly describes: string;
  /** The folders that may hold such logs; they need not exist. */
  readonly folders: (places: LogPlaces) => readonly string[];
  /** The sessions in a folder, or the one in a file. What is no session of the user's is counted in the tally. */
  readonly list: (root: string, tally: Tally) => readonly LogFile[];
  readonly reader: (draft: SessionDraft, tally: Tally) => LineReader;
}

/** The position up to which a log was read, so that the next import begins there. */
export interface LogPosition {
  readonly size: number;
  readonly mtimeMs: number;
  /** Behind the last whole line that was read; of a database the number of rows read. */
  readonly offset: number;
  /** A hash of what stands before the offset: a log that was rewritten has another. */
  readonly tail: string;
  /** Whether everything up to the size was read: a long log comes in pieces, and all but the last end before that. */
  readonly isComplete?: boolean | undefined;
}

/** A turn without its number, which depends on what was imported before. */
export type ImportedTurn = Omit<Turn, 'id'>;

/** A session, or what was added to it since the last import; long ones come in several pieces. */
export interface ImportedPiece {
  /** `claude-code:<id>`: the identity that makes importing twice harmless. */
  readonly origin: string;
  readonly channel: string | undefined;
  readonly model: string | undefined;
  readonly topic: string | undefined;
  readonly tags: readonly string[] | undefined;
  readonly project: string | undefined;
  /** Set for conversations that are not the user's own. */
  readonly trust: Trust | undefined;
  readonly timezone: string;
  readonly started: string;
  readonly ended: string | undefined;
  readonly endedMs: number;
  readonly turns: readonly ImportedTurn[];
  /** The hashes of all turns: the same words copied into another log are not imported again. */
  readonly keys: readonly number[];
  readonly position: LogPosition | undefined;
}

/** Something that was not taken over, and why. */
export interface Skipped {
  readonly what: string;
  readonly why: string;
  readonly count: number;
}

/** Something that could not be read, and where. */
export interface Damage {
  readonly what: string;
  readonly why: string;
  readonly file: string;
  /** The byte it begins at; null where the whole file is meant. */
  readonly at: number | null;
}

export interface DamagePlace {
  readonly file: string;
  readonly at: number | undefined;
}

/** More than this nobody reads; the count goes on. */
const MAX_DAMAGE = 200;

/** Counts what an import leaves out, so that nothing goes missing silently. */
export class Tally {
  readonly #counts = new Map<string, { readonly what: string; readonly why: string; count: number }>();
  readonly #damage: Damage[] = [];

  add(what: string, why: string, count = 1): void {
    const key = `${what}\0${why}`;
    const known = this.#counts.get(key);
    if (known === undefined) this.#counts.set(key, { what, why, count });
    else known.count += count;
  }

  /** The same, for a number that may be none. */
  addSome(what: string, why: string, count: number): void {
    if (count > 0) this.add(what, why, count);
  }

  /** Counts an unreadable part, and records its place. */
  addDamage(what: string, why: string, { file, at }: DamagePlace): void {
    this.add(what, why);
    if (this.#damage.length < MAX_DAMAGE) this.#damage.push({ what, why, file, at: at ?? null });
  }

  list(): Skipped[] {
    return [...this.#counts.values()].sort((a, b) => b.count - a.count);
  }

  damage(): readonly Damage[] {
    return this.#damage;
  }
}
