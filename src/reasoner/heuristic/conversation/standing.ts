import type { Finding, Scene } from '../kinds/finding.ts';
import { surroundingsOf } from '../statement/neighbours.ts';
import { contentWords } from '../text/words.ts';

/** Begins with, or acts on, something that was named elsewhere. */
const OPEN_SUBJECT =
  /^(?:it|that|this|they|those|these|he|she|the (?:one|other|rest|other one|first one|second one))\b(?! (?:is why|means|way|is how))/u;
const OPEN_OBJECT =
  /\b(?:drop|do|use|take|keep|ship|pause|restart|leave|make|put|write|kill|merge|fix|move|run|try|send|skip|buy|book|cancel|tell|ask|remind) (?:it|that|this|them|him|her)\b(?! \p{L})/u;
/** Over when the day is. */
const OF_TODAY = /\b(?:today|tonight|this (?:morning|afternoon|evening|minute)|right now|just now|phew)\b/u;
/** A figure of what? */
const BARE_FIGURE = /^[\d€$£]/u;
/** Somebody is told something, but not what. */
const TELLS_NOTHING =
  /^(?:i|i'll|i will|we|we'll) (?:will |have to |need to |must )?(?:tell|ask|remind|write to|ping|call|mail|text) \p{L}+(?: (?:today|tonight|tomorrow|later|about (?:it|that|this)|the week of .*|on \p{L}+))?[.!]*$/u;
const MIN_OF_A_TASK = 2;

/** Whether a statement can be understood, and holds, when the conversation is over. */
export function isStanding(finding: Finding, scene: Scene): boolean {
  const { heard, kind, text } = finding;
  const { plain, turn } = heard.utterance;
  if (text !== undefined || turn.role !== 'user') return true;
  const { before, lead } = surroundingsOf(finding, scene);
  const isAlone = before.length === 0 && lead === undefined;
  // A correction opens with what it corrects, and lessons with what happened.
  const mayOpen = kind === 'correction' || kind === 'lesson';
  if (isAlone && !mayOpen && (OPEN_SUBJECT.test(plain) || OPEN_OBJECT.test(plain))) return false;
  if ((kind === 'fact' || kind === 'person') && (OF_TODAY.test(plain) || BARE_FIGURE.test(plain))) return false;
  if (kind === 'task') return !isSettledToday(finding) && !isEmptyTask(plain);
  return !(kind === 'preference' && OF_TODAY.test(plain));
}

/** What is done the same day is done, or was said to somebody who had it in mind. "Remind me" is asked for all the same. */
function isSettledToday({ heard }: Finding): boolean {
  const { plain } = heard.utterance;
  return OF_TODAY.test(plain) && !/\bremind me\b|\btodo\b/u.test(plain);
}

function isEmptyTask(plain: string): boolean {
  if (TELLS_NOTHING.test(plain)) return true;
  return contentWords(plain).filter((word) => !WHEN.test(word)).length < MIN_OF_A_TASK;
}

const WHEN =
  /^(?:remind|monday|tuesday|wednesday|thursday|friday|saturday|sunday|week|weekend|month|tomorrow|next|later)$/u;
