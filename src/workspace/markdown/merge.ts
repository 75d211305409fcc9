import { type Block, type MarkdownDocument, parseDocument, serializeWithBody } from './document.ts';
import { withEol } from './lines.ts';
import { mergeBodies } from './merge/body.ts';
import { mergeFrontmatter } from './merge/frontmatter.ts';
import { alignUnits } from './merge/pairing.ts';
import { type MergeConflict, type MergeOptions, type Versions, takeApart } from './merge/units.ts';

export type { ConflictKind, MergeConflict, MergeOptions } from './merge/units.ts';

export interface MergeResult {
  readonly text: string;
  readonly conflicts: readonly MergeConflict[];
}

/**
 * Three-way merge by blocks: `base` is what both sides started from, `ours` what is to be written, `theirs` what is on
 * disk. Never writes conflict markers and never drops a block that only one side wrote: where the sides collide, both
 * versions stay (theirs first) and the conflict is reported.
 */
export function mergeDocuments(texts: Versions<string>, options: MergeOptions = {}): MergeResult {
  if (texts.ours === texts.base || texts.ours === texts.theirs) return { text: texts.theirs, conflicts: [] };
  if (texts.theirs === texts.base) return { text: texts.ours, conflicts: [] };
  const theirs = parseDocument(texts.theirs);
  const eol = texts.theirs.includes('\n') ? theirs.eol : parseDocument(texts.ours).eol;
  const ours = parseWithEol(texts.ours, eol);
  const base = parseWithEol(texts.base, eol);
  const doc: MarkdownDocument = { ...theirs, eol, bom: ours.bom === base.bom ? theirs.bom : ours.bom };
  const head = mergeFrontmatter(
    { base: base.frontmatter, ours: ours.frontmatter, theirs: theirs.frontmatter },
    doc,
    options,
  );
  const body = mergeBodies(
    { base: takeApart(base.blocks), ours: takeApart(ours.blocks), theirs: takeApart(theirs.blocks) },
    eol,
    options,
  );
  return {
    text: serializeWithBody({ ...doc, frontmatter: head.frontmatter }, body.text),
    conflicts: [...head.conflicts, ...body.conflicts],
  };
}

/** Parsed in the style of the other side, so that a line end is never taken for an edit; mixed files stay mixed. */
function parseWithEol(text: string, eol: MarkdownDocument['eol']): MarkdownDocument {
  const doc = parseDocument(text);
  return doc.eol === eol || !text.includes('\n') ? doc : parseDocument(withEol(text, eol));
}

/**
 * Takes one change back although later changes touched the same file. A conflict names what could not be undone
 * because it changed again; there the current text stays.
 */
export function undoChange(versions: { before: string; after: string; current: string }): MergeResult {
  const { before, after, current } = versions;
  return mergeDocuments({ base: after, ours: before, theirs: current }, { onConflict: 'keep-theirs' });
}

/**
 * The index of the version `text` was most probably edited from, the candidates given newest first: the one that
 * differs in the fewest blocks, and the newest of equals.
 */
export function pickMergeBase(candidates: readonly string[], text: string): number {
  const distances = candidates.map((candidate) => {
    const { added, removed, changed, changedKeys } = diffBlocks(candidate, text);
    // A block that kept its anchor was edited; without one, an edit and a loss beside an addition look alike.
    const edits = changed.map(({ before, after }) => (before.id !== undefined && before.id === after.id ? 1 : 2));
    return added.length + removed.length + changedKeys.length + edits.reduce((sum, cost) => sum + cost, 0);
  });
  return distances.indexOf(Math.min(...distances));
}

export interface BlockDiff {
  readonly added: readonly Block[];
  readonly removed: readonly Block[];
  readonly changed: readonly { readonly before: Block; readonly after: Block }[];
  /** Frontmatter keys that were added, removed or given another value. */
  readonly changedKeys: readonly string[];
}

/** Compares two versions of a file, block by block; white space and line ends do not count. */
export function diffBlocks(before: string, after: string): BlockDiff {
  const oldDoc = parseDocument(before);
  const newDoc = parseDocument(after);
  const oldUnits = takeApart(oldDoc.blocks).units;
  const newUnits = takeApart(newDoc.blocks).units;
  const partners = alignUnits(oldUnits, newUnits, { pairReplacements: false });
  const partnered = new Set(partners);
  const pairs = oldUnits.map((unit, at) => ({ unit, partner: newUnits[partners[at] ?? -1] }));
  return {
    added: newUnits.filter((_, at) => !partnered.has(at)).map((unit) => unit.block),
    removed: pairs.filter(({ partner }) => partner === undefined).map(({ unit }) => unit.block),
    changed: pairs.flatMap(({ unit, partner }) =>
      partner === undefined || partner.content === unit.content ? [] : [{ before: unit.block, after: partner.block }],
    ),
    changedKeys: diffKeys(oldDoc, newDoc),
  };
}

function diffKeys(before: MarkdownDocument, after: MarkdownDocument): string[] {
  const sources = (doc: MarkdownDocument): Map<string, string> =>
    new Map((doc.frontmatter?.entries ?? []).map((entry) => [entry.key ?? '', withEol(entry.raw, '\n')]));
  const oldSources = sources(before);
  const newSources = sources(after);
  const keys = new Set([...oldSources.keys(), ...newSources.keys()]);
  return [...keys].filter((key) => key !== '' && oldSources.get(key) !== newSources.get(key));
}
