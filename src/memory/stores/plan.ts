import { MnemeError } from '../../model/errors.ts';
import { newItemId } from '../../model/ids.ts';
import { localTime } from '../../model/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Random } from '../../platform/random.ts';
import type { Change } from '../../workspace/door/request.ts';
import { parseDocument, serializeDocument } from '../../workspace/markdown/document.ts';
import { setFrontmatterValue } from '../../workspace/markdown/frontmatter.ts';
import type { Frontmatter, MarkdownDocument } from '../../workspace/markdown/types.ts';

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

/** Longest single memory: some forty pages. More text belongs in a reference file, with a line about it remembered. */
export const MAX_ITEM_BYTES = 65_536;

/** Why a file cannot be changed by a machine, as the end of a sentence; undefined when it can. */
export function findDamage(text: string, frontmatter: Frontmatter | undefined): string | undefined {
  if (frontmatter?.values !== undefined) return undefined;
  if (frontmatter !== undefined) return `its frontmatter is broken YAML (${frontmatter.error ?? 'unreadable'})`;
  const isUnclosed = /^\uFEFF?---[ \t]*\r?\n[\w-]+[ \t]*:/u.test(text);
  return isUnclosed ? 'its frontmatter is opened with --- and never closed' : undefined;
}

/** A file that a person has to look at first is reported, never written to. */
export function refuseDamaged(path: string, damage: string | undefined): void {
  if (damage === undefined) return;
  throw new MnemeError('conflict', `${path} is left as it is: ${damage}.`, {
    hint: damage.startsWith('its frontmatter')
      ? 'Repair the lines between the --- markers by hand, then repeat the change.'
      : 'Split it, or save it as plain text, by hand; then repeat the change.',
  });
}

/**
 * The text after `change`, with `updated` brought up to date where anything else changed. A file without frontmatter
 * is a person's own; it is not given any.
 */
export function editText(
  path: string,
  current: string,
  updated: string,
  change: (document: MarkdownDocument) => MarkdownDocument,
): string {
  const before = parseDocument(current);
  refuseDamaged(path, findDamage(current, before.frontmatter));
  const after = change(before);
  const text = serializeDocument(after);
  if (text === current || after.frontmatter === undefined) return text;
  return serializeDocument(setFrontmatterValue(after, 'updated', updated));
}
