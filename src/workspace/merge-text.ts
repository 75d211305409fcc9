import { diff3Merge } from 'node-diff3';
import { mergeDocuments, type MergeConflict } from './markdown/merge.ts';

export interface TextVersions {
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
}

export interface MergedText {
  readonly text: string;
  readonly conflicts: readonly MergeConflict[];
}

/** Merges two versions of a file: Markdown by block, keeping both sides of a conflict; anything else by line. */
export function mergeTexts(path: string, versions: TextVersions, newId?: () => string): MergedText {
  if (/\.(?:md|markdown)$/iu.test(path)) return mergeDocuments(versions, newId === undefined ? {} : { newId });
  return mergeLines(path, versions);
}

/** Both sides of a conflict cannot stand in a data file; theirs does, which is what is on disk, and ours is reported. */
function mergeLines(path: string, { base, ours, theirs }: TextVersions): MergedText {
  const regions = diff3Merge(splitLines(ours), splitLines(base), splitLines(theirs));
  const conflicts: MergeConflict[] = [];
  const lines: string[] = [];
  for (const region of regions) {
    if (region.ok !== undefined) lines.push(...region.ok);
    else if (region.conflict !== undefined) {
      const { a, o, b } = region.conflict;
      lines.push(...b);
      conflicts.push({ kind: 'both-edited', key: undefined, base: o.join(''), ours: a.join(''), theirs: b.join('') });
    }
  }
  const text = lines.join('');
  if (path.endsWith('.json') && isJson(theirs) && !isJson(text)) {
    return { text: theirs, conflicts: [{ kind: 'both-edited', key: undefined, base, ours, theirs }] };
  }
  return { text, conflicts };
}

function splitLines(text: string): string[] {
  return text.split(/(?<=\n)/u);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
