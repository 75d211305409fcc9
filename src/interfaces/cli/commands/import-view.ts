import type { ImportResult } from '../../../exchange/import/request.ts';
import { countOf, showBytes, showCount, showSeconds } from '../amounts.ts';
import { table, type Style } from '../style.ts';
import { isFinished } from './index-commands-progress.ts';
import { programName, type Imported } from './import-work.ts';

/** What was taken, what was left and why, and what to do next. */
export function renderImported(style: Style, { result, index }: Imported): string {
  const isSearchable = index === undefined || isFinished(index);
  return [
    `${takenLine(style, result)}\n`,
    leftOut(style, result),
    isSearchable ? next(style, result) : `${style.yellow('note')}  Not all of it is searchable yet: mneme index sync\n`,
  ].join('');
}

export function takenLine(style: Style, result: ImportResult): string {
  const { dryRun, from, sessions, continued, turns, documents, period, bytes, tookMs } = result;
  const source = programName(from);
  if (sessions === 0 && documents === 0) {
    return `Nothing new in ${source} (${showBytes(bytes)} looked at).`;
  }
  const taken = [
    ...(sessions === 0 ? [] : [countOf(sessions, 'session'), countOf(turns, 'turn')]),
    ...(documents === 0 ? [] : [countOf(documents, 'document')]),
  ].join(', ');
  const days = period === null ? '' : `, ${period.from} … ${period.to}`;
  const onward = continued === 0 ? '' : ` ${countOf(continued, 'session')} had gone on since the last import.`;
  const verb = dryRun ? style.yellow('Would import') : style.green('Imported');
  return `${verb} from ${source}: ${taken}${days} (${showBytes(bytes)} in ${showSeconds(tookMs)}).${onward}`;
}

/** The commonest reasons; the rest stand in the JSON. */
const MAX_REASONS = 12;

function leftOut(style: Style, { skipped }: ImportResult): string {
  if (skipped.length === 0) return '';
  const rows = skipped
    .slice(0, MAX_REASONS)
    .map(({ what, why, count }) => [showCount(count), count === 1 ? what : `${what}s`, style.dim(why)]);
  const more = skipped.length - MAX_REASONS;
  const rest = more > 0 ? style.dim(`  and ${countOf(more, 'other reason')}: --json lists them\n`) : '';
  return `Left out:\n${table(rows, '  ')}${rest}`;
}

function next(style: Style, { dryRun, sessions, documents, from }: ImportResult): string {
  if (dryRun) return style.dim('Nothing was written; without --dry-run it is.\n');
  if (sessions === 0 && documents === 0) return '';
  const question = from === 'markdown' ? 'what do my notes say about …?' : 'what did we decide about …?';
  return style.dim(`Searchable now: mneme recall "${question}"\n`);
}
