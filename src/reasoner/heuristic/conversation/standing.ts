import type { Finding, Scene } from '../kinds/finding.ts';
import { surroundingsOf } from '../statement/neighbours.ts';
import { contentWords } from '../text/words.ts';

/** Begins with, or acts on, something that was named elsewhere. */
const OPEN_SUBJECT =
  /^(?:it|that|this|they|those|these|he|she|the (?:one|other|rest|other one|first one|second one))\b(?! (?:is why|means|way|is how))/u;
const OPEN_OBJECT =
  /\b(?:drop|do|use|take|keep|ship|pause|restart|leave|make|put|write|kill|merge|fix|move|run|try|send|skip|buy|book|cancel|tell|ask|remind) (?:it|that|this|them|him|her)\b(?! \p{L})/u;
/** An order about, or a plan for, something that stands in another sentence. */
const POINTS_ELSEWHERE =
  /^(?:(?:please|pls|and|then|just|now|also) )*(?:write|send|ask|tell|ship|put|take|drop|make|give|show|trigger|apply|merge|fix|run|try|skip|buy|book|cancel|move|print|post|pull|push|answer) (?:it|that|this|them|him|her)\b|^(?:i|we)(?:'ll| will|'ve| have|'re going to|'m going to| need to| have to| must)? (?!think|know|like|love|hate|mean|said)\p{L}+ (?:it|them|that one|those|him|her)\b/u;
/** Leaves out who or what stays, or before which day. */
const INCOMPLETE =
  /^(?:stays?|moves?|goes|gets|remains|keeps|always at)\b|\bthe (?:day|week|night|evening|month) (?:before|after)[.!]*$|\b(?:by|until|since) then\b|^(?:take back|forget|ignore|scrap) what\b/u;
/** Over when the day is. */
const OF_TODAY =
  /\b(?:today|tonight|this (?:morning|afternoon|evening|minute)|right now|just now|phew|for once|meanwhile|first thing|fingers crossed)\b/u;
/** What is to be done in the next hours, in order: a plan, and no way of doing things. */
const OF_TOMORROW = /\b(?:tomorrow|yesterday|later today|next (?:hour|half hour))\b/u;
/** A figure, or a time, of what? */
const BARE_FIGURE = /^(?:[\d€$£]|(?:mon|tues|wednes|thurs|fri|satur|sun)day,? (?:the )?\d)/u;
/** Somebody does something once; what they are, can or always do is another matter. */
const DID_ONCE =
  /^(?:dr |mr |mrs |ms |frau |herr )?\p{L}+(?: \p{L}+)? (?:just |again |also |already |now |finally )*(?:asks|asked|confirms|confirmed|reports|reported|complains|complained|wrote|sent|saw|sees|called|noticed|answered|replied|merged|approved|fixed|looked|pinged|forwarded|pasted|opened|closed|restarted|deployed|reverted)\b/u;
/** Told as something that has happened, with nothing left to do. */
const TOLD =
  /^(?:(?:on |last )?(?:mon|tues|wednes|thurs|fri|satur|sun)day(?: \p{L}+)?,? )?(?:i|we|he|she|they|it|approved|\p{L}+) (?:just |already |finally |also )?(?:saw|was|were|had|did|went|came|got|took|found|made|ran|lost|forgot|met|skipped|sat|left|\p{L}{3,}ed)\b/u;
const LEFT_TO_DO =
  /\b(?:will|'ll|must|needs?|has to|have to|should|due|by|until|before|still|promised|owes?|agreed|remind|todo|waiting|wants?|going to|next|tomorrow|deadline)\b|'ll\b/u;
/** What went wrong, or whom to ask: nothing that was decided. */
const TOLD_OR_ASKED = /^(?:(?:we|i) (?:forgot|lost|missed|broke|saw|tried|noticed)|ask|tell)\b/u;
/** Somebody is told something, but not what. */
const TELLS_NOTHING =
  /^(?:i|i'll|i will|we|we'll) (?:will |have to |need to |must )?(?:tell|ask|remind|write to|ping|call|mail|text) \p{L}+(?: (?:today|tonight|tomorrow|later|about (?:it|that|this)|the week of .*|on \p{L}+))?[.!]*$/u;
/** "I'll ask Priya to read it": done before anybody would look it up. */
const HANDS_OVER =
  /^(?:i|we)(?:'ll| will) (?:ask|tell|ping|get) \p{L}+ to (?:read|look at|review|check|merge|test|try|approve) (?:it|this|that|them)\b/u;
const MIN_OF_A_TASK = 2;

/** Whether a statement can be understood, and holds, when the conversation is over. */
export function isStanding(finding: Finding, scene: Scene): boolean {
  const { heard, kind, text } = finding;
  const { plain, turn } = heard.utterance;
  if (text !== undefined || turn.role !== 'user') return true;
  const { before, lead } = surroundingsOf(finding, scene);
  const isAlone = before.length === 0 && lead === undefined;
  const isUnresolved = before.length > 0 && before.every((each) => pointsElsewhere(each.plain));
  // A correction opens with what it corrects, and lessons with what happened.
  const mayOpen = kind === 'correction' || kind === 'lesson';
  if (!mayOpen && (isUnresolved || (isAlone && (pointsElsewhere(plain) || INCOMPLETE.test(plain))))) return false;
  if (lead !== undefined && kind !== 'correction' && OF_TODAY.test(lead.toLowerCase())) return false;
  if (kind === 'decision' && TOLD_OR_ASKED.test(plain)) return false;
  if ((kind === 'fact' || kind === 'person') && (OF_TODAY.test(plain) || BARE_FIGURE.test(plain))) return false;
  if (kind === 'person' && DID_ONCE.test(plain)) return false;
  if (kind === 'procedure') return !OF_TODAY.test(plain) && !OF_TOMORROW.test(plain);
  if (kind === 'task') return !isSettledToday(finding) && !isEmptyTask(plain) && !isOver(plain);
  return !(kind === 'preference' && OF_TODAY.test(plain));
}

function pointsElsewhere(plain: string): boolean {
  return OPEN_SUBJECT.test(plain) || OPEN_OBJECT.test(plain) || POINTS_ELSEWHERE.test(plain);
}

/** What is done the same day is done, or was said to somebody who had it in mind. "Remind me" is asked for all the same. */
function isSettledToday({ heard }: Finding): boolean {
  const { plain } = heard.utterance;
  return OF_TODAY.test(plain) && !/\bremind me\b|\btodo\b/u.test(plain);
}

function isOver(plain: string): boolean {
  return TOLD.test(plain) && !LEFT_TO_DO.test(plain);
}

function isEmptyTask(plain: string): boolean {
  if (TELLS_NOTHING.test(plain) || HANDS_OVER.test(plain)) return true;
  return contentWords(plain).filter((word) => !WHEN.test(word)).length < MIN_OF_A_TASK;
}

const WHEN =
  /^(?:remind|monday|tuesday|wednesday|thursday|friday|saturday|sunday|week|weekend|month|tomorrow|next|later)$/u;
