import { FATES, type Fate } from '../compile/compaction/compress.ts';
import type { CompactedMessage, CompactResult } from './compact.ts';
import { countOf, showCount } from './command-line/plain.ts';
import type { Style } from './command-line/style.ts';

const IN_WORDS: Readonly<Record<Fate, string>> = {
  kept: 'kept word for word',
  'one-line': 'tool output to one line',
  shortened: 'shortened',
  summarised: 'in a summary',
  mentioned: 'in a line',
  dropped: 'left out',
};

/** Renders the remaining window, the outcome for the rest, and its location. */
export function renderCompacted(style: Style, result: CompactResult, output: unknown): string {
  // The messages are there already, and nothing else belongs between them.
  if (output === '-') return '';
  const { isNeeded, isDryRun, tokensBefore, tokens, target, threshold, kept, changed, by } = result;
  if (!isNeeded) {
    const limit = threshold === target ? `${showCount(target)} are allowed` : `it is full at ${showCount(threshold)}`;
    return `Nothing to do: the conversation has ${countOf(tokensBefore, 'token')}, ${limit}.\n`;
  }
  const verb = isDryRun ? style.yellow('Would compact') : style.green('Compacted');
  const head = `${verb} ${countOf(tokensBefore, 'token')} to ${showCount(tokens)} (at most ${showCount(target)}).\n`;
  const fates = FATES.map((fate) => fateLine(style, fate, fate === 'kept' ? kept : undefined, changed)).join('');
  const judge = by.length === 0 ? '' : style.dim(`  summaries by ${by.join(', ')}\n`);
  return `${head}${fates}${judge}${savedLines(style, result)}${whereLine(style, result)}${nextLine(style, result, output)}`;
}

function fateLine(style: Style, fate: Fate, known: number | undefined, changed: readonly CompactedMessage[]): string {
  const of = changed.filter((each) => each.fate === fate);
  const count = known ?? of.length;
  if (count === 0) return '';
  const [first, last] = [of[0]?.id, of.at(-1)?.id];
  const range = first === undefined ? '' : style.dim(first === last ? `  ${first}` : `  ${first} … ${last}`);
  return `  ${String(count).padStart(5)}  ${IN_WORDS[fate]}${range}\n`;
}

function savedLines(style: Style, { saved, isDryRun, notes }: CompactResult): string {
  const items = saved.flatMap((each) => each.items).filter(({ action }) => action !== 'skipped');
  // A note says already what became of it, or would.
  const isToldOtherwise = notes.some((note) => /would be kept as a transcript|^Nothing was saved first/u.test(note));
  if (items.length === 0 && isToldOtherwise) return '';
  if (items.length === 0) {
    return style.dim(isDryRun ? 'Nothing new would have to be saved.\n' : 'Nothing new had to be saved.\n');
  }
  const lines = items.map(
    ({ kind, action, statement }) =>
      `  ${style.cyan(kind)}${action === 'added' ? '' : ` ${style.yellow(action)}`}  ${statement}\n`,
  );
  return `${isDryRun ? 'Would save' : 'Saved'} ${countOf(items.length, 'statement')} first:\n${lines.join('')}`;
}

function whereLine(style: Style, { session, changed, isDryRun }: CompactResult): string {
  const found = changed.find(({ where }) => where !== null);
  if (found?.where === undefined || found.where === null) return '';
  const be = isDryRun ? 'would be' : 'are';
  return style.dim(`All words ${be} in session ${session}: mneme read ${found.where}, or mneme recall "…"\n`);
}

function nextLine(style: Style, { isDryRun }: CompactResult, output: unknown): string {
  if (isDryRun) return style.dim('Nothing was written; without --dry-run it is.\n');
  return typeof output === 'string'
    ? `The messages are in ${output}.\n`
    : style.dim('The messages: --output FILE writes them as JSON lines, --json prints them.\n');
}
