import { MnemeError } from '../../model/errors.ts';
import { newItemId } from '../../model/ids.ts';
import { localTime } from '../../model/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Random } from '../../platform/random.ts';
import type { Change } from '../../workspace/door/request.ts';

/** The environment in which every store plans. */
export interface StoreParts {
  /** The folder of the workspace's files. */
  readonly root: string;
  readonly clock: Clock;
  readonly random: Random;
  /** The zone whose days the files are named by. */
  readonly timeZone: string;
}

/**
 * The changes to write; the caller commits them, alone or together with other plans. The edits run under the
 * write lock and look again at what they rely on, so only they know what came of it.
 */
export interface Plan<Outcome = undefined> {
  readonly changes: readonly Change[];
  /** Notes for a person, known before anything is written. */
  readonly notes: readonly string[];
  /** The edits' findings and results; only after the commit. */
  outcome(): Outcome;
}

/** Carries what an edit found to whoever reads the outcome; an edit that runs again says it again. */
export class Told<Outcome> {
  #outcome: { readonly value: Outcome } | undefined;

  set(value: Outcome): void {
    this.#outcome = { value };
  }

  get(): Outcome {
    if (this.#outcome !== undefined) return this.#outcome.value;
    throw new MnemeError('failure', 'Internal: the outcome of a plan was asked for before it was committed.');
  }
}

export function newId(parts: Pick<StoreParts, 'random'>): string {
  return newItemId((length) => parts.random.bytes(length));
}

/** The day it is in the home's zone. */
export function today({ clock, timeZone }: Pick<StoreParts, 'clock' | 'timeZone'>): string {
  return localTime(clock.now(), timeZone).date;
}

/** As frontmatter has it: UTC, to the second. */
export function timestamp({ clock }: Pick<StoreParts, 'clock'>): string {
  return timestampOf(clock.now());
}

export function timestampOf(timeMs: number): string {
  return new Date(timeMs).toISOString().replace(/\.\d{3}Z$/u, 'Z');
}
