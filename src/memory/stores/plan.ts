import { MnemeError } from '../../model/errors.ts';
import { newItemId } from '../../model/ids.ts';
import { localTime } from '../../model/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Random } from '../../platform/random.ts';
import type { Change } from '../../workspace/door/request.ts';
import type { FileKind } from '../../workspace/formats/layout.ts';
import {
  parseMetadataLine,
  renderComment,
  splitTrailingMetadata,
  type MetadataFields,
} from '../../workspace/formats/metadata.ts';
import { cutAnchor } from '../../workspace/markdown/anchor.ts';
import {
  type Frontmatter,
  type MarkdownDocument,
  parseDocument,
  serializeDocument,
} from '../../workspace/markdown/document.ts';
import { canCarryAnchor, insertBlocks, removeBlock, replaceBlock, withAnchor } from '../../workspace/markdown/edit.ts';
import { setFrontmatterValue } from '../../workspace/markdown/frontmatter.ts';
import { withoutFinalEol } from '../../workspace/markdown/lines.ts';
import { locateMemory } from '../archive/locate.ts';

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

/** The text with one memory pinned or let go; undefined when the file has no such memory. */
export function setPinned(
  path: string,
  text: string,
  id: string,
  kind: FileKind,
  isPinned: boolean,
): string | undefined {
  const memory = locateMemory(path, text, id, kind);
  if (memory === undefined) return undefined;
  if (memory.isPinned === isPinned) return text;
  const document = parseDocument(text);
  const { start } = memory.range;
  const isEntry = document.blocks[start]?.kind === 'heading';
  return serializeDocument(
    isEntry ? setEntryField(document, start, 'pinned', isPinned || undefined) : inItem(document, start, id, isPinned),
  );
}

/** An entry says what it is in the line below its heading; undefined takes a field out. */
export function setEntryField(
  document: MarkdownDocument,
  heading: number,
  key: string,
  value: unknown,
): MarkdownDocument {
  const below = document.blocks.findIndex(({ kind }, index) => index > heading && kind !== 'blank');
  const line = document.blocks[below];
  const fields = line?.kind === 'html' ? parseMetadataLine(withoutFinalEol(line.raw)) : undefined;
  const left = withField(fields, key, value);
  if (fields === undefined) return insertBlocks(document, heading + 1, [renderComment(left)]);
  return left.size === 0 ? removeBlock(document, below) : replaceBlock(document, below, renderComment(left));
}

/** An item says it at its end, before its anchor; one that had none gets the id it went by. */
function inItem(document: MarkdownDocument, index: number, id: string, isPinned: boolean): MarkdownDocument {
  const block = document.blocks[index];
  if (block === undefined) return document;
  const bare = withoutFinalEol(block.raw);
  const { text, fields } = splitTrailingMetadata(cutAnchor(bare).trimEnd());
  const entries = [...withField(fields, 'pinned', isPinned || undefined)];
  const said = entries.length === 0 ? text : `${text} ${renderComment(entries, text)}`;
  return replaceBlock(document, index, canCarryAnchor(block) ? withAnchor(said, id) : said);
}

function withField(fields: MetadataFields | undefined, key: string, value: unknown): Map<string, unknown> {
  const all = new Map<string, unknown>(fields);
  all.delete(key);
  if (value !== undefined) all.set(key, value);
  return all;
}
