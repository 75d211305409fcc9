import type { FileList, MeasuredText } from './files.ts';
import type { Growth } from './growth.ts';
import type { ReceiptList } from './receipts.ts';
import type { SavedFile } from './save-file.ts';
import type { TimelineDay, TimelineDays } from './timeline.ts';
import { plainLine, showBytes } from '../command-line/plain.ts';
import { type Style, type View, showTime, table } from '../command-line/style.ts';
import { counted, shorten } from '../../model/text.ts';

const MAX_TEXT = 160;
/** Characters of the longest bar. */
const BAR_LENGTH = 40;

export function renderFiles({ style, timeZone }: View, { files }: FileList): string {
  if (files.length === 0) return `${style.dim('There are no such files.')}\n`;
  const rows = files.map(({ path, store, bytes, modified }) => [
    plainLine(path),
    style.dim(store),
    showBytes(bytes),
    style.dim(showTime(Date.parse(modified), timeZone)),
  ]);
  return table(rows);
}

export function renderSaved({ style }: View, { path, mutation, redacted }: SavedFile): string {
  if (mutation === null) return `${plainLine(path)} was that way already.\n`;
  const secrets = redacted.length === 0 ? '' : `\n${style.yellow(`Taken out: ${redacted.join(', ')}`)}`;
  return `${style.green('Saved')} ${plainLine(path)}; undo: mneme rollback ${mutation}${secrets}\n`;
}

export function renderMeasured(_view: View, { tokens, lines }: MeasuredText): string {
  return `${counted(tokens, 'token')}, ${counted(lines, 'line')}\n`;
}

export function renderTimeline({ style }: View, { days, next }: TimelineDays): string {
  if (days.length === 0) return `${style.dim('Nothing has happened yet.')}\n`;
  const more = next === null ? '' : `\n${style.dim(`Earlier: mneme memory timeline --until ${next}`)}\n`;
  return `${days.map((day) => renderDay(style, day)).join('\n')}${more}`;
}

function renderDay(style: Style, { date, sessions, episodes }: TimelineDay): string {
  const told = sessions.map(({ session, started, topic, turns, isOpen }) => [
    started.slice(11, 16),
    isOpen ? style.green('talking') : 'talked',
    `${shorten(plainLine(topic ?? 'about nothing in particular'), MAX_TEXT)} ${style.dim(`${counted(turns, 'turn')} · ${session}`)}`,
  ]);
  const kept = episodes.map(({ time, type, title, text, id }) => [
    time ?? '',
    type,
    `${shorten(plainLine(title ?? text), MAX_TEXT)}${id === null ? '' : ` ${style.dim(id)}`}`,
  ]);
  return `${style.bold(date)}\n${table([...told, ...kept], '  ')}`;
}

export function renderGrowth({ style }: View, { stores, days, places }: Growth): string {
  const most = Math.max(1, ...days.map(({ changes }) => changes));
  const bars = days
    .filter(({ changes }) => changes > 0)
    .map(({ date, changes }) => [
      date,
      String(changes),
      style.cyan('▇'.repeat(Math.ceil((changes / most) * BAR_LENGTH))),
    ]);
  return [
    `${style.bold('Stores')}\n`,
    table(
      stores.map(({ store, files, bytes }) => [store, counted(files, 'file'), showBytes(bytes)]),
      '  ',
    ),
    `\n${style.bold('On the disk')}\n`,
    table(
      Object.entries(places).map(([place, bytes]) => [place, showBytes(bytes)]),
      '  ',
    ),
    `\n${style.bold(`Changes in ${counted(days.length, 'day')}`)}\n`,
    bars.length === 0 ? `  ${style.dim('none')}\n` : table(bars, '  '),
  ].join('');
}

/** Enough of a message to know which it was. */
const MAX_MESSAGE = 80;

export function renderReceipts({ style, timeZone }: View, { receipts, next }: ReceiptList): string {
  if (receipts.length === 0) return `${style.dim('Nobody has been told anything yet.')}\n`;
  const rows = receipts.map(({ id, clock, message, event, tokens, budget, included, leftOut }) => [
    style.dim(id),
    showTime(Date.parse(clock), timeZone),
    `${tokens}/${budget} tokens`,
    `${included} in, ${leftOut} out`,
    plainLine(message === '' ? (event ?? '') : message).slice(0, MAX_MESSAGE),
  ]);
  const more = next === null ? '' : style.dim(`Earlier: mneme context list --before ${next}\n`);
  return `${table(rows)}${style.dim('mneme context show ID shows one.')}\n${more}`;
}
