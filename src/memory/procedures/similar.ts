import { foldName } from '../stores/registry/names.ts';

/** What a procedure is recognised by. */
export interface ProcedureWords {
  readonly name: string;
  readonly trigger: string;
}

/** Words that any instruction has. */
const COMMON: ReadonlySet<string> = new Set(
  `a an and any are as at be before by do does for from has have how i if in into is it its me my of on or our so that
  the their then this to up use user we when whenever with you your asks ask says say wants want about procedure steps
  how-to wie man der die das ein eine und wenn`.split(/\s+/u),
);

/** How alike two procedures are, 0 to 1: by their titles, and by when they apply. */
export function procedureSimilarity(left: ProcedureWords, right: ProcedureWords): number {
  const titles = shareOf(wordsOf(left.name), wordsOf(right.name));
  const triggers = shareOf(wordsOf(left.trigger), wordsOf(right.trigger));
  const all = shareOf(wordsOf(`${left.name} ${left.trigger}`), wordsOf(`${right.name} ${right.trigger}`));
  return Math.max(titles, 0.5 * titles + 0.5 * triggers, all);
}

function wordsOf(text: string): Set<string> {
  const words = (text.match(/[\p{L}\p{N}]+/gu) ?? []).map(foldName);
  return new Set(words.filter((word) => !COMMON.has(word)).map((word) => word.replace(/(?:ing|es|ed|s|e)$/u, '')));
}

/** Twice what they share, of all they have. */
function shareOf(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  const total = left.size + right.size;
  return total === 0 ? 0 : (2 * [...left].filter((word) => right.has(word)).length) / total;
}
