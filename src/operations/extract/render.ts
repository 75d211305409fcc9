import type { ExtractedItem } from '../../extract/extraction.ts';
import { countLearned, describeCounts } from '../learned-counts.ts';
import type { ExtractResult } from './extract.ts';
import { countOf } from '../command-line/plain.ts';
import type { Style, View } from '../command-line/style.ts';

/** Renders what was learned from each session, with the quotes it rests on. */
export function renderExtracted({ style }: View, { sessions, isDryRun, waiting }: ExtractResult): string {
  const heard = sessions.filter(({ from }) => from !== null);
  if (heard.length === 0) return 'Nothing new: every conversation was processed.\n';
  const parts = heard.map(({ session, from, to, items }) => {
    const lines = items.filter(isShown).map((item) => itemLines(style, item));
    const skipped = items.filter(({ action }) => action === 'skipped').length;
    const rest = skipped === 0 ? '' : style.dim(`  ${countOf(skipped, 'statement')} known already\n`);
    return `${style.bold(session)} ${style.dim(`${from} … ${to}`)}\n${lines.join('')}${rest}`;
  });
  const learned = heard.flatMap(({ items }) => items).filter(isShown);
  const { learned: count, ...others } = countLearned(learned);
  const verb = isDryRun ? style.yellow('Would learn') : style.green('Learned');
  const also = describeCounts({ learned: 0, ...others });
  const last = `${verb} ${countOf(count, 'statement')} from ${countOf(heard.length, 'session')}.${also === '' ? '' : ` ${also}`}`;
  const more = waiting === 0 ? '' : ` ${countOf(waiting, 'session')} wait.`;
  return `${parts.join('')}${last}${more}\n${next(style, learned, isDryRun)}`;
}

function isShown({ action }: ExtractedItem): boolean {
  return action !== 'skipped';
}

function itemLines(style: Style, item: ExtractedItem): string {
  const { kind, action, statement, path, evidence, quote, reason, replaced } = item;
  const where = [path, evidence[0]].filter((part) => part !== undefined).join(' · ');
  const why = action === 'added' || reason === undefined || reason === statement ? '' : ` (${reason})`;
  const head = `  ${style.cyan(kind)}${action === 'added' ? '' : ` ${style.yellow(action)}`}  ${statement}${why}`;
  const ended = replaced.map(({ text }) => `    ${style.dim(endedWord(action))} ${text}\n`);
  return `${head}\n${ended.join('')}    ${style.dim(`“${quote}” — ${where}`)}\n`;
}

/** The word for what happens to a known fact. */
function endedWord(action: ExtractedItem['action']): string {
  if (action === 'proposed') return 'would end:';
  return action === 'retracted' ? 'taken back:' : 'replaces:';
}

function next(style: Style, learned: readonly ExtractedItem[], isDryRun: boolean): string {
  if (isDryRun) return style.dim('Nothing was written; without --dry-run it is.\n');
  if (learned.some(({ action }) => action === 'proposed')) {
    return style.dim('Some contradict what is known and wait for you: mneme proposals\n');
  }
  return countLearned(learned).learned === 0
    ? ''
    : style.dim('Take one back: mneme rollback MUTATION (mneme history log shows them).\n');
}
