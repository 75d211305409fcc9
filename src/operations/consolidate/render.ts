import type { Style, View } from '../command-line/style.ts';
import type { Consolidated, ConsolidatedStep } from './consolidate.ts';

export function renderConsolidated({ style }: View, { period, upTo, steps, isDryRun }: Consolidated): string {
  if (steps.every(({ state }) => state === 'done-before')) {
    return `Everything up to ${upTo} was condensed before (${period}). --date DAY does a ${period} again.\n`;
  }
  const waiting = steps.flatMap(({ proposals }) => proposals).length;
  const lines = [
    style.bold(`${isDryRun ? 'Would condense' : 'Condensed'} the ${period}, up to ${upTo}`),
    ...steps.flatMap((step) => renderStep(style, step)),
    ...(waiting === 0 ? [] : [`${waiting} of it waits for you: mneme proposals`]),
  ];
  return `${lines.join('\n')}\n`;
}

const SAID: Readonly<Record<Exclude<ConsolidatedStep['state'], 'done'>, string>> = {
  'done-before': 'done before',
  stopped: 'stopped',
  failed: 'could not be done; the next run tries again',
};

/** A home may have years of days: the newest are enough to look at. */
const MAX_FILES = 5;

function renderStep(style: Style, { name, state, summary, files, notes }: ConsolidatedStep): string[] {
  const said = state === 'done' ? summary : SAID[state];
  const more = files.length > MAX_FILES ? [style.dim(`    and ${files.length - MAX_FILES} more`)] : [];
  return [
    `  ${name}: ${said}`,
    ...files.slice(-MAX_FILES).map((file) => style.dim(`    ${file}`)),
    ...more,
    ...notes.map((note) => `    ${style.yellow('note')} ${note}`),
  ];
}
