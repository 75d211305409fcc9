import type { SessionBuffer } from '../../capture/session-buffers.ts';
import type { EndedSession } from './end.ts';
import type { OpenSessionSummary, ShownSession } from './list.ts';
import type { AppendedMessage } from './message.ts';
import { turnText } from '../../workspace/formats/transcript.ts';
import { describeCounts, type LearnedCounts } from '../learned-counts.ts';
import { type View, showTime, table } from '../command-line/style.ts';
import { counted } from '../../model/text.ts';

export function renderSessions({ style, timeZone }: View, sessions: readonly OpenSessionSummary[]): string {
  if (sessions.length === 0) return 'No conversation is going on.\n';
  return table(
    sessions.map(({ session, turns, isPrivate, lastActiveMs, channel, project, topic, unreadable }) => [
      style.bold(session),
      isPrivate ? style.yellow('private') : counted(turns, 'turn'),
      lastActiveMs === null ? '' : style.dim(showTime(lastActiveMs, timeZone)),
      [channel, project].filter((part) => part !== null).join(' · '),
      unreadable === 0 ? (topic ?? '') : style.red(`${counted(unreadable, 'line')} of its log cannot be read`),
    ]),
  );
}

export function renderSession({ style }: View, shown: ShownSession): string {
  if (!shown.isOpen) return shown.text;
  if (shown.turns.length === 0) return 'Nothing was said yet.\n';
  return shown.turns
    .map((turn) => {
      const calls = turn.parts.flatMap((part) =>
        part.kind === 'tool' ? [`[tool:${part.name}] ${part.args}${part.result ? ` → ${part.result}` : ''}`] : [],
      );
      const head = style.dim(`${turn.id}  ${turn.date} ${turn.time}  ${turn.name ?? turn.role}`);
      return `${[head, turnText(turn), ...calls].filter((line) => line !== '').join('\n')}\n`;
    })
    .join('\n');
}

export function renderEnded(
  { style }: View,
  { session, path, turns, ...counts }: EndedSession & Partial<LearnedCounts>,
): string {
  if (path === null) return `Nothing was said in ${session}; nothing is kept.\n`;
  const { learned = 0, confirmed = 0, proposed = 0, failed = 0 } = counts;
  const rest = describeCounts({ learned, confirmed, proposed, failed });
  const more = rest === '' ? '' : style.dim(`${rest} mneme history log --text ${session}\n`);
  return `raw/${path} (${counted(turns, 'turn')})\n${more}`;
}

export function renderBuffer(_view: View, buffer: SessionBuffer | null): string {
  return buffer === null ? 'Nothing was said that was not processed.\n' : buffer.text;
}

/** The turn's number, and what came of the wishes in it. */
export function renderMessage({ style }: View, { turn, triggers }: AppendedMessage): string {
  return `${turn ?? style.yellow('private: not kept')}\n${triggers.map((outcome) => `${describeOutcome(style, outcome)}\n`).join('')}`;
}

function describeOutcome(style: View['style'], outcome: AppendedMessage['triggers'][number]): string {
  const { phrase, remembered, forget, ignored, hits, reflection, note } = outcome;
  if (ignored !== undefined) return `nothing is learned about ${outcome.content ?? ''} ${style.dim(ignored.path)}`;
  if (remembered !== undefined) return `remembered in ${remembered.path} ${style.dim(remembered.id)}`;
  if (forget !== undefined) {
    const found = counted(forget.matches.length, 'memory', 'memories');
    return forget.code === null
      ? 'nothing of that is remembered'
      : `${found} would be forgotten: mneme forget --confirm ${forget.code}`;
  }
  if (reflection !== undefined) {
    const next = reflection.proposal === null ? '' : ': mneme approve reflection';
    return `reflection ${reflection.number} waits for you${next}`;
  }
  if (hits !== undefined) return hits.map(({ snippet, path }) => `${snippet} ${style.dim(path)}`).join('\n');
  return style.dim(`"${phrase}": ${note ?? ''}`);
}
