/** A proposal's diff, line by line as a reader decides on it: taken, left out, or taken in other words. */
export interface LineChange {
  /** Where in the diff the lines are; -1 for one that is not there. */
  readonly cutAt: number;
  readonly addAt: number;
  /** The words without the marks that files need. */
  readonly before: string;
  readonly after: string;
}

/** The decision about one line: undefined leaves it out, a text replaces it. */
export type LineDecision = string | undefined;

/** Marks that programs read: they stay with the line, whatever becomes of its words. */
const MARKS = /(?:\s*(?:<!--[\s\S]{0,2000}?-->|\^[0-9a-z]{6,26}))+\s*$/u;
const LEAD = /^\s*(?:(?:[-*+]|\d+[.)])\s+(?:\[[ x]\]\s+)?|#{1,6}\s+)?/u;
/** Nothing that a person decides about: empty lines, frames, times of the last change. */
const FRAME = /^\s*$|^---$|^(?:id|type|created|updated|aliases|merged_into|status|tags|name|title):|^\s*<!--.*-->\s*$/u;

export function wordsOfLine(line: string): string {
  return line.replace(MARKS, '').replace(LEAD, '').trim();
}

function withWords(line: string, words: string): string {
  const marks = MARKS.exec(line)?.[0] ?? '';
  const lead = LEAD.exec(line)?.[0] ?? '';
  return `${lead}${words.replaceAll(/\s*\n\s*/gu, ' ').trim()}${marks}`;
}

/** The changes that people decide about. Removed and added lines that follow each other belong together, in order. */
export function readLineChanges(diff: string): readonly LineChange[] {
  const lines = diff.split('\n');
  const changes: LineChange[] = [];
  let cuts: number[] = [];
  let adds: number[] = [];
  const flush = (): void => {
    for (let index = 0; index < Math.max(cuts.length, adds.length); index += 1) {
      const cutAt = cuts[index] ?? -1;
      const addAt = adds[index] ?? -1;
      const [before, after] = [cutAt, addAt].map((at) => lines[at]?.slice(1) ?? '') as [string, string];
      if (FRAME.test(before) && FRAME.test(after)) continue;
      changes.push({ cutAt, addAt, before: wordsOfLine(before), after: wordsOfLine(after) });
    }
    cuts = [];
    adds = [];
  };
  for (const [at, line] of lines.entries()) {
    if (line.startsWith('---') || line.startsWith('+++') || line.startsWith('@@')) flush();
    else if (line.startsWith('-')) {
      if (adds.length > 0) flush();
      cuts.push(at);
    } else if (line.startsWith('+')) adds.push(at);
    else flush();
  }
  flush();
  return changes;
}

/** The diff as decided: what is left out stays as it is in the file. */
export function decideLines(
  diff: string,
  changes: readonly LineChange[],
  decisions: ReadonlyMap<LineChange, LineDecision>,
): string {
  const lines: (string | undefined)[] = diff.split('\n');
  for (const change of changes) {
    if (!decisions.has(change)) continue;
    const words = decisions.get(change);
    const added = lines[change.addAt];
    if (words !== undefined && added !== undefined) lines[change.addAt] = `+${withWords(added.slice(1), words)}`;
    if (words !== undefined) continue;
    const cut = lines[change.cutAt];
    if (cut !== undefined) lines[change.cutAt] = ` ${cut.slice(1)}`;
    if (added !== undefined) lines[change.addAt] = undefined;
  }
  return lines.filter((line) => line !== undefined).join('\n');
}
