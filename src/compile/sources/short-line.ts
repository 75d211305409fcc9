import { PROJECT_MARK } from '../project.ts';

/** Says what the line's own day says, and what was answered: both cost more than they tell. */
const DATE = /^\d{4}-\d{2}-\d{2}: /u;
const LEAD = /^(?:About|Correcting) “.*?”: /u;
const OPEN_TASK = /^\[ \] /u;
/** Left over where a sentence was cut out of a message. */
const LEFT_OVER = /^(?:[)\],;:.–—]+ |\( \) )+/u;
/**
 * A day that was worked out, behind words that name it themselves: "31 October (2025-10-31)", or a figure taken for one,
 * "16:00 (2025-08-07)".
 */
const WORKED_OUT =
  /(?<=(?:\d|\d(?:st|nd|rd|th|h)|\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?))) \((\d{4})-\d{2}(?:-\d{2})?\)/giu;

/** A statement as a line: nothing that stands above it anyway, and no more than what was said. */
export function shortLine(text: string, saidMs?: number): string {
  const line = text.replaceAll(/\s+/gu, ' ').trim().replace(DATE, '');
  const [task, said] = OPEN_TASK.test(line) ? ['To do: ', line.replace(OPEN_TASK, '')] : ['', line];
  const year = saidMs === undefined ? undefined : String(new Date(saidMs).getUTCFullYear());
  const short = said
    .replace(LEFT_OVER, '')
    .replace(LEAD, '')
    .replace(PROJECT_MARK, '')
    .replaceAll(WORKED_OUT, (whole, named: string) => (named === year ? '' : whole));
  return `${task}${short}`;
}
