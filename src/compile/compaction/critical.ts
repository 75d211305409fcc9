import { ownWords } from '../../judge/handed-over/split.ts';
import { detectTriggers } from '../../capture/triggers/detect.ts';
import type { ContextMessage } from './message.ts';

/** A line that its writer marks as one to be kept. */
const MARKED_LINE =
  /^[\s>*#_-]*(?:decisions?|decided|important|remember|critical|warning|error|exception|fatal|panic)[*_]*\s?:/iu;

/** A text of this length hides no request; a pasted book seems full of them. */
const MAX_WISH_CHARS = 20_000;

/** True for messages that must never be shortened: the host's instructions, and those marked critical. */
export function isFixed({ role, isCritical, standsFor }: ContextMessage): boolean {
  return isCritical === true || (role === 'system' && standsFor === undefined);
}

/**
 * The lines of a message that its own words mark as critical: a decision, a warning, an error that was named, something to
 * be remembered. What tools print marks nothing: a log is full of errors, and one line of it is kept anyway.
 */
export function criticalLines({ role, text, standsFor }: ContextMessage): string | undefined {
  if (role === 'tool' || standsFor !== undefined) return undefined;
  const wishes = role === 'user' && text.length <= MAX_WISH_CHARS ? detectTriggers(text) : [];
  const remembered = wishes.filter(({ kind }) => kind === 'remember');
  // A pasted "Important:" is its author's mark, not the user's.
  const own = role === 'user' ? ownWords(text) : text;
  let start = 0;
  const kept = text.split('\n').filter((line) => {
    const [from, to] = [start, start + line.length];
    start = to + 1;
    return MARKED_LINE.test(own.slice(from, to)) || remembered.some((wish) => wish.start < to && wish.end > from);
  });
  return kept.length === 0 ? undefined : kept.join('\n');
}
