import { isMnemeError } from '../../../model/errors.ts';
import {
  makeFrontmatter,
  serializeFrontmatter,
  setFrontmatterValue,
  splitLeadingComments,
  type FrontmatterValue,
} from '../frontmatter.ts';
import { withEol } from '../lines.ts';
import type { Frontmatter, FrontmatterEntry, MarkdownDocument } from '../document.ts';
import type { ConflictKind, MergeConflict, MergeOptions, Versions } from './units.ts';

/** Every machine edit moves these, so two edits would always collide on them: the later value simply stands. */
const LATER_WINS: ReadonlySet<string> = new Set(['updated', 'modified']);

type Heads = Versions<Frontmatter | undefined>;

interface MergedFrontmatter {
  readonly frontmatter: Frontmatter | undefined;
  readonly conflicts: readonly MergeConflict[];
}

/**
 * Merges key by key. A key cannot stand twice, so where both sides changed it differently theirs stays and the conflict
 * carries ours; lists are merged by their elements instead.
 */
export function mergeFrontmatter(heads: Heads, doc: MarkdownDocument, options: MergeOptions): MergedFrontmatter {
  const base = sourceOf(heads.base);
  const ours = sourceOf(heads.ours);
  const theirs = sourceOf(heads.theirs);
  if (ours === theirs || ours === base) return { frontmatter: heads.theirs, conflicts: [] };
  if (theirs === base) return { frontmatter: heads.ours, conflicts: [] };
  const merged = mergeKeys(heads, doc, options);
  const isNewlyBroken = merged.frontmatter?.error !== undefined && heads.theirs?.error === undefined;
  if (!isNewlyBroken) return merged;
  const conflict: MergeConflict = { kind: 'both-edited', key: undefined, base, ours, theirs };
  return { frontmatter: heads.theirs, conflicts: [conflict] };
}

function sourceOf(frontmatter: Frontmatter | undefined): string | undefined {
  return frontmatter === undefined ? undefined : withEol(serializeFrontmatter(frontmatter), '\n');
}

type EntryMap = ReadonlyMap<string, FrontmatterEntry>;

function mergeKeys(heads: Heads, doc: MarkdownDocument, options: MergeOptions): MergedFrontmatter {
  const entries: Versions<EntryMap> = {
    base: entryMap(heads.base),
    ours: entryMap(heads.ours),
    theirs: entryMap(heads.theirs),
  };
  const conflicts: MergeConflict[] = [];
  const merged: FrontmatterEntry[] = [];
  const lists: [string, FrontmatterValue][] = [];
  for (const name of namesInOrder(entries)) {
    const outcome = mergeEntry(name, entries, options);
    const isCollision = outcome.conflict === 'both-edited' || outcome.conflict === 'both-added';
    const list = isCollision ? mergeLists(name, heads) : undefined;
    const later = isCollision && LATER_WINS.has(name) ? laterEntry(name, heads, entries) : undefined;
    const entry = later ?? outcome.entry;
    if (entry !== undefined) merged.push(entry);
    if (list !== undefined) lists.push([name, list]);
    else if (outcome.conflict !== undefined && later === undefined) {
      conflicts.push(makeEntryConflict(outcome.conflict, name, entries));
    }
  }
  const markers = heads.theirs ?? heads.ours;
  if (markers === undefined || (merged.length === 0 && heads.theirs === undefined))
    return { frontmatter: undefined, conflicts };
  const frontmatter = makeFrontmatter(markers.open, merged, markers.close);
  const withLists = writeLists({ ...doc, frontmatter }, lists);
  if (withLists !== undefined) return { frontmatter: withLists, conflicts };
  return {
    frontmatter,
    conflicts: [...conflicts, ...lists.map(([name]) => makeEntryConflict('both-edited', name, entries))],
  };
}

/** The frontmatter with the merged lists; undefined where their keys are written in a form that cannot be edited. */
function writeLists(doc: MarkdownDocument, lists: readonly [string, FrontmatterValue][]): Frontmatter | undefined {
  try {
    let result = doc;
    for (const [key, list] of lists) result = setFrontmatterValue(result, key, list);
    return result.frontmatter;
  } catch (error) {
    if (isMnemeError(error, 'conflict')) return undefined;
    throw error;
  }
}

/** Entries by key; what has no key is known by its text, so that a comment merges like anything else. */
function entryMap(frontmatter: Frontmatter | undefined): EntryMap {
  return new Map((frontmatter?.entries ?? []).map((entry) => [entry.key ?? `\n${withEol(entry.raw, '\n')}`, entry]));
}

/** Theirs in their order; each of ours they lack stands behind the entry it follows in ours. */
function namesInOrder(entries: Versions<EntryMap>): string[] {
  const names = [...entries.theirs.keys()];
  let previous = -1;
  for (const name of entries.ours.keys()) {
    const known = names.indexOf(name);
    if (known === -1) names.splice(previous + 1, 0, name);
    previous = known === -1 ? previous + 1 : known;
  }
  return names;
}

interface EntryOutcome {
  readonly entry?: FrontmatterEntry | undefined;
  readonly conflict?: ConflictKind | undefined;
}

function mergeEntry(name: string, entries: Versions<EntryMap>, options: MergeOptions): EntryOutcome {
  const base = entries.base.get(name);
  const ours = entries.ours.get(name);
  const theirs = entries.theirs.get(name);
  if (isSame(ours, theirs) || isSame(ours, base)) return { entry: theirs };
  if (isSame(theirs, base)) return { entry: ours };
  if (ours === undefined) return { entry: theirs, conflict: 'ours-deleted' };
  if (theirs === undefined) {
    return { entry: options.onConflict === 'keep-theirs' ? undefined : ours, conflict: 'theirs-deleted' };
  }
  if (base === undefined) return { entry: theirs, conflict: 'both-added' };
  return mergeCommentAndValue({ base, ours, theirs });
}

/** A comment written above a key does not collide with a new value below it. */
function mergeCommentAndValue(entries: Versions<FrontmatterEntry>): EntryOutcome {
  const base = splitLeadingComments(entries.base.raw);
  const ours = splitLeadingComments(entries.ours.raw);
  const theirs = splitLeadingComments(entries.theirs.raw);
  const pick = (from: 'comments' | 'lines'): string => (theirs[from] === base[from] ? ours[from] : theirs[from]);
  const changedOnBoth = theirs.lines !== base.lines && ours.lines !== base.lines && ours.lines !== theirs.lines;
  const entry = { key: entries.theirs.key, raw: pick('comments') + pick('lines') };
  return { entry, conflict: changedOnBoth ? 'both-edited' : undefined };
}

function isSame(left: FrontmatterEntry | undefined, right: FrontmatterEntry | undefined): boolean {
  if (left === undefined || right === undefined) return left === right;
  return withEol(left.raw, '\n') === withEol(right.raw, '\n');
}

function valueOf(frontmatter: Frontmatter | undefined, name: string): unknown {
  return frontmatter?.values !== undefined && Object.hasOwn(frontmatter.values, name)
    ? frontmatter.values[name]
    : undefined;
}

/** Theirs without what ours removed, and with what ours added; undefined unless all three are lists. */
function mergeLists(name: string, heads: Heads): FrontmatterValue | undefined {
  const base = valueOf(heads.base, name) ?? [];
  const ours = valueOf(heads.ours, name);
  const theirs = valueOf(heads.theirs, name);
  if (!Array.isArray(base) || !Array.isArray(ours) || !Array.isArray(theirs)) return undefined;
  const has = (list: readonly unknown[], element: unknown): boolean =>
    list.some((other) => JSON.stringify(other) === JSON.stringify(element));
  const kept = theirs.filter((element) => has(ours, element) || !has(base, element));
  const added = ours.filter((element) => !has(base, element) && !has(theirs, element));
  return [...kept, ...added] as FrontmatterValue;
}

function laterEntry(name: string, heads: Heads, entries: Versions<EntryMap>): FrontmatterEntry | undefined {
  const ours = valueOf(heads.ours, name);
  const theirs = valueOf(heads.theirs, name);
  if (typeof ours !== 'string' || typeof theirs !== 'string') return undefined;
  return ours > theirs ? entries.ours.get(name) : entries.theirs.get(name);
}

function makeEntryConflict(kind: ConflictKind, name: string, entries: Versions<EntryMap>): MergeConflict {
  return {
    kind,
    key: entries.ours.get(name)?.key ?? entries.theirs.get(name)?.key,
    base: entries.base.get(name)?.raw,
    ours: entries.ours.get(name)?.raw,
    theirs: entries.theirs.get(name)?.raw,
  };
}
