import type { ImportResult } from '../exchange/import/request.ts';
import { countOf, showBytes, showCount, showSeconds } from './command-line/plain.ts';
import { table, type Style } from './command-line/style.ts';
import { isFinished } from './search/render-index.ts';
import type { Imported } from './import.ts';
import { programName } from './import-source.ts';

/** Renders what was imported, what was left out and why, and the next steps. */
export function renderImported(style: Style, result: Imported): string {
  const { index } = result;
  const isSearchable = index === undefined || isFinished(index);
  return [
    detectedLine(style, result),
    `${takenLine(style, result)}\n`,
    leftOut(style, result),
    damageLines(style, result),
    isSearchable ? next(style, result) : `${style.yellow('note')}  Not all of it is searchable yet: mneme index sync\n`,
  ].join('');
}

export function takenLine(style: Style, result: ImportResult): string {
  const { dryRun, from, continued, period, bytes, tookMs } = result;
  const source = programName(from);
  if (isNothing(result)) {
    return `Nothing new in ${source} (${showBytes(bytes)} looked at).`;
  }
  const taken = amountsOf(result).join(', ');
  const days = period === null ? '' : `, ${period.from} … ${period.to}`;
  const onward = continued === 0 ? '' : ` ${countOf(continued, 'session')} had gone on since the last import.`;
  const verb = dryRun ? style.yellow('Would import') : style.green('Imported');
  return `${verb} from ${source}: ${taken}${days} (${showBytes(bytes)} in ${showSeconds(tookMs)}).${onward}`;
}

function isNothing({ sessions, documents, entities, facts, relations, memories }: ImportResult): boolean {
  return sessions + documents + entities + facts + relations + memories === 0;
}

function amountsOf({ sessions, turns, documents, entities, facts, relations, memories }: ImportResult): string[] {
  const some = (count: number, one: string, many?: string): string[] =>
    count === 0 ? [] : [countOf(count, one, many)];
  return [
    ...some(sessions, 'session'),
    ...(sessions === 0 ? [] : [countOf(turns, 'turn')]),
    ...some(documents, 'document'),
    ...some(entities, 'entity', 'entities'),
    ...some(facts, 'fact'),
    ...some(relations, 'relation'),
    ...some(memories, 'memory', 'memories'),
  ];
}

function detectedLine(style: Style, { detected }: ImportResult): string {
  if (detected === undefined) return '';
  return style.dim(`Taken for ${programName(detected.from)} (--from ${detected.from}): ${detected.because}.\n`);
}

/** The first places; the rest stand in the JSON. */
const MAX_PLACES = 8;

function damageLines(style: Style, { damage }: ImportResult): string {
  if (damage.length === 0) return '';
  const rows = damage
    .slice(0, MAX_PLACES)
    .map(({ what, why, file, at }) => [file, at === null ? '' : `byte ${showCount(at)}`, what, style.dim(why)]);
  const more = damage.length - MAX_PLACES;
  const rest = more > 0 ? style.dim(`  and ${countOf(more, 'other place')}: --json lists them\n`) : '';
  return `Could not be read:\n${table(rows, '  ')}${rest}`;
}

/** The commonest reasons; the rest stand in the JSON. */
const MAX_REASONS = 12;

function leftOut(style: Style, { skipped }: ImportResult): string {
  if (skipped.length === 0) return '';
  const rows = skipped
    .slice(0, MAX_REASONS)
    .map(({ what, why, count }) => [
      showCount(count),
      count === 1 ? what : what.replace(/y$/u, 'ie').concat('s'),
      style.dim(why),
    ]);
  const more = skipped.length - MAX_REASONS;
  const rest = more > 0 ? style.dim(`  and ${countOf(more, 'other reason')}: --json lists them\n`) : '';
  return `Left out:\n${table(rows, '  ')}${rest}`;
}

function next(style: Style, result: ImportResult): string {
  if (result.dryRun) return style.dim('Nothing was written; without --dry-run it is.\n');
  if (isNothing(result)) return '';
  const question = result.sessions === 0 ? 'what do my notes say about …?' : 'what did we decide about …?';
  return style.dim(`Searchable now: mneme recall "${question}"\n`);
}
