import type { Finding, Scene } from '../kinds/finding.ts';
import { surroundingsOf } from '../statement/neighbours.ts';
import { withoutPronouns } from '../statement/meant-person.ts';
import { pointsElsewhere } from '../statement/points-elsewhere.ts';
import { contentWords } from '../text/words.ts';

/** Leaves out who or what stays, or before which day. */
const INCOMPLETE =
  /^(?:stays?|moves?|goes|gets|remains|keeps|always at)\b|\bthe (?:day|week|night|evening|month) (?:before|after)[.!]*$|\b(?:by|until|since) then\b|^(?:take back|forget|ignore|scrap) what\b/u;
/** Over when the day is. */
const OF_TODAY =
  /\b(?:today|tonight|this (?:morning|afternoon|evening|minute)|right now|just now|phew|for once|meanwhile|first thing|fingers crossed)\b/u;
/** Why it is said now, and from when it holds. */
const BESIDE_THE_POINT = /\bfrom today on\b|,? (?:so|because|since)\b.*$/u;
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
/** What was left undone is no way of doing things. */
const LEFT_UNDONE =
  /^(?:the )?(?:things?|what|stuff|points?) (?:i|we|that) (?:didn't|haven't|never|couldn't|still|have yet|are left|is left)\b/u;
/** Whoever says what they are busy with says it of the day. */
const BUSY_WITH =
  /^(?:i|we)(?:'m|'re| am| are)? (?:now |currently |still )*work(?:ing)? on (?:\S*[/#_]\S*|codeterm|the \S*[/#_]\S*)/u;
/** An offer, an order carried out at once, and what is done or going on already: none is left to do. */
const NOTHING_LEFT =
  /^(?:i|we) can\b|^(?:please |pls )?(?:send|give|show|tell|ask|write) (?:him|her|them)\b|^(?:approved|merged|shipped|released|paid|signed)\b|\b(?:has|have) been \p{L}+ing\b/u;
/** An error or a log's line, pasted as the answer. */
const PASTED = /^(?:from \S+(?: #\d+)?: )?(?:codeterm|quotedtext)/u;
const MIN_OF_A_TASK = 2;

/** Whether a statement can be understood, and holds, when the conversation is over. */
export function isStanding(finding: Finding, scene: Scene): boolean {
  const { heard, kind, text } = finding;
  const { turn } = heard.utterance;
  if (text !== undefined || turn.role !== 'user') return true;
  const { before, lead, person } = surroundingsOf(finding, scene);
  const plain = person === undefined ? heard.utterance.plain : withoutPronouns(heard.utterance.plain);
  const isAlone = before.length === 0 && lead === undefined;
  const isUnresolved = before.length > 0 && before.every((each) => pointsElsewhere(each.plain));
  // A correction opens with what it corrects, and lessons with what happened.
  const mayOpen = kind === 'correction' || kind === 'lesson';
  if (!mayOpen && (isUnresolved || (isAlone && (pointsElsewhere(plain) || INCOMPLETE.test(plain))))) return false;
  if (lead !== undefined && kind !== 'correction' && OF_TODAY.test(lead.toLowerCase())) return false;
  if (kind === 'decision' && TOLD_OR_ASKED.test(plain)) return false;
  const isOfToday = OF_TODAY.test(plain.replace(BESIDE_THE_POINT, ''));
  if ((kind === 'fact' || kind === 'person') && (isOfToday || BARE_FIGURE.test(plain))) return false;
  if (kind === 'person' && DID_ONCE.test(plain)) return false;
  if (BUSY_WITH.test(plain) || LEFT_UNDONE.test(plain)) return kind === 'task' && !BUSY_WITH.test(plain);
  if (kind === 'procedure') return !isOfToday && !OF_TOMORROW.test(plain);
  if (kind === 'fact' && PASTED.test(plain)) return false;
  if (kind === 'task' && NOTHING_LEFT.test(heard.utterance.plain)) return false;
  if (kind === 'task') return !isSettledToday(finding) && !isEmptyTask(plain) && !isOver(plain);
  return !(kind === 'preference' && isOfToday);
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
