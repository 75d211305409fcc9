import type { Utterance } from '../clauses/utterance.ts';
import type { Finding, Scene } from '../kinds/finding.ts';
import { surroundingsOf } from '../statement/neighbours.ts';
import { withoutPronouns } from '../statement/meant-person.ts';
import { pointsElsewhere } from '../statement/points-elsewhere.ts';
import { contentWords } from '../text/words.ts';

/** Leaves out who or what stays or is to be restarted, or before which day. */
const INCOMPLETE =
  /^(?:please )?(?:restart|rerun|announce|wait|ship|deploy|merge|push|publish|release|continue) (?:on|in|at|until|till|with|from|by|before|after)\b|^(?:stays?|moves?|goes|gets|remains|keeps|always at)\b|^\p{L}+ stays? at \d+[.!]*$|\ban? (?:[\p{L}\d]+ ){1,3}one(?=[,.!]| (?:in|on|at|from)\b|$)|\bthe (?:day|week|night|evening|month) (?:before|after)[.!]*$|\b(?:by|until|since) then\b|\bwith (?:and|or) without[.!]*$|^(?:take back|forget|ignore|scrap) what\b/u;
/** Over when the day is. */
const OF_TODAY =
  /\b(?:today|tonight|yesterday evening|of the day|before (?:i|we) (?:go|leave) home|while i (?:read|look|test|check|eat|try)|this (?:morning|afternoon|evening|minute)|right now|just now|phew|for once|meanwhile|first thing|fingers crossed)\b/u;
/** Why it is said now, and from when it holds. */
const BESIDE_THE_POINT = /\bfrom today on\b|\([^)]*\)|,? (?:so|because|since|(?:like|as) you did)\b.*$/u;
/** What follows from an experience. */
const DRAWN =
  /\b(?:learn(?:ed|t)|lessons?|never|always|next time|because|so|turns? out|turned out|don't|must|should|better|rule|from now)\b/u;
/** What is to be done in the next hours, in order: a plan, and no way of doing things. */
const OF_TOMORROW = /\b(?:tomorrow|yesterday|later today|next (?:hour|half hour))\b/u;
/** A figure, or a time, of what? */
const BARE_FIGURE =
  /^(?:[\d€$£]|(?:mon|tues|wednes|thurs|fri|satur|sun)day,? (?:the )?\d|date:|the (?:first|next) (?:one )?is\b)/u;
/** "500 euros a month is the limit": with a verb a figure says what it is of. */
const SAYS_HOW = /\b(?:is|are|it is|stays?|must|per|isn't|from now|goes|gets?)\b/u;
/** At an hour, on no day in particular: today. */
const AT_AN_HOUR =
  /\b(?:is|are|starts?|begins?) at (?:half past |quarter (?:past|to) )?(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon|\d{1,2}(?:[:.]\d\d)?)(?: ?(?:am|pm|o'clock))?(?=[,.!]|$)/u;
const EVERY_TIME =
  /\b(?:every|each|always|daily|weekly|usually|weekdays?|\p{L}+days|mornings|evenings|from|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b/u;
/** A sum or a count that somebody read off: it was right when it was read. */
const READ_OFF =
  /\b(?:was|were|came to|brought|showed|gave|got|counted)\b.*\d.*\b(?:in|for|of|since|this|last) (?:the )?(?:(?:first|second) half of )?(?:january|february|march|april|may|june|july|august|september|october|november|december|month|week|quarter)\b|\b(?:brought|came)\b.*\bto \d/u;
/** Somebody does something once; what they are, can or always do is another matter. */
const DID_ONCE =
  /^(?:dr |mr |mrs |ms |frau |herr )?\p{L}+(?: \p{L}+)? (?:just |again |also |already |now |finally )*(?:asks|asked|confirms|confirmed|reports|reported|complains|complained|wrote|sent|saw|sees|called|noticed|answered|replied|merged|approved|fixed|looked|pinged|forwarded|pasted|opened|closed|restarted|deployed|reverted)\b/u;
const COMES_OR_GOES =
  /\b(?:from|since|until|till|starts?|joins?|joined|leaves?|left|birthday|born|stands in|holiday|leave|back|moves?|moved)\b/u;
/** Told as something that has happened, with nothing left to do. */
const TOLD =
  /^(?:(?:on |last )?(?:mon|tues|wednes|thurs|fri|satur|sun)day(?: \p{L}+)?,? )?(?:i|we|he|she|they|it|approved|\p{L}+) (?:just |already |finally |also )?(?:saw|was|were|had|did|went|came|got|took|found|made|ran|lost|forgot|met|skipped|sat|left|\p{L}{3,}ed)\b/u;
const LEFT_TO_DO =
  /\b(?:will|'ll|must|needs?|has to|have to|should|due|by|until|before|still|promised|owes?|agreed|remind|todo|waiting|wants?|going to|next|tomorrow|deadline)\b|'ll\b/u;
/** What went wrong, or whom to ask: nothing that was decided. */
const TOLD_OR_ASKED = /^(?:(?:we|i) (?:forgot|lost|missed|broke|saw|tried|noticed)|ask|tell)\b/u;
/** An option, a version, fixes: of what was named before. */
const LOST_IN_WORK =
  /^option \p{N}\b|^(?:we|i)(?:'re|'m| are| am) (?:still |now )?on v?\d|^(?:first|last|every) [\p{L} ]+, put (?:it|that) in\b|^put one copy\b|^only [\p{L} -]+ (?:fixes|changes|commits|tests|files)[.!]*$|\bsuggest to (?:him|her|them)\b/u;
/** Decided until the work at hand is done. */
const FOR_NOW = /\bfor (?:now|this week|the moment|the time being)\b|\bwhen i say so\b/u;
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
/** From here on a conversation is work of tools as much as a talk. */
const HALF_WORK = 0.5;
/** Bounds the time for a message without a full stop. */
const MAX_READ = 400;

/** Whether a statement can be understood, and holds, when the conversation is over. */
export function isStanding(finding: Finding, scene: Scene): boolean {
  const { heard, kind, text } = finding;
  const { turn } = heard.utterance;
  if (text !== undefined || turn.role !== 'user') return true;
  const { before, after, lead, person } = surroundingsOf(finding, scene);
  const plain = person === undefined ? heard.utterance.plain : withoutPronouns(heard.utterance.plain);
  const isAlone = before.length === 0 && lead === undefined;
  const isUnresolved =
    pointsElsewhere(plain) && before.length > 0 && before.every((each) => pointsElsewhere(each.plain));
  // A correction opens with what it corrects, lessons with what happened, and "how to …" says itself what it is about.
  const mayOpen = kind === 'correction' || kind === 'lesson' || /^how to\b/u.test(plain);
  if (!mayOpen && (isUnresolved || (isAlone && (pointsElsewhere(plain) || INCOMPLETE.test(plain))))) return false;
  if (lead !== undefined && kind !== 'correction' && OF_TODAY.test(lead.toLowerCase())) return false;
  if (kind === 'decision' && TOLD_OR_ASKED.test(plain)) return false;
  if (scene.strictness > HALF_WORK && isOfTheHour(finding, [...before, ...after])) return false;
  const isOfToday = OF_TODAY.test(plain.replace(BESIDE_THE_POINT, ''));
  if ((kind === 'fact' || kind === 'person') && (isOfToday || (isAlone && BARE_FIGURE.test(plain)))) return false;
  if (kind === 'fact' && isReadOff(plain)) return false;
  if (kind === 'correction' && isOfToday) return false;
  if (kind === 'lesson' && (isOfToday || OF_TOMORROW.test(plain)) && !DRAWN.test(plain)) return false;
  if (kind === 'decision' && isAlone && BARE_FIGURE.test(plain) && !SAYS_HOW.test(plain)) return false;
  if (kind === 'person' && DID_ONCE.test(plain)) return false;
  if (/\bnot bad[.!]*$/u.test(plain)) return false;
  if (BUSY_WITH.test(plain) || LEFT_UNDONE.test(plain)) return kind === 'task' && !BUSY_WITH.test(plain);
  if (kind === 'procedure') return !isOfToday && !OF_TOMORROW.test(plain);
  if (kind === 'fact' && PASTED.test(plain)) return false;
  if (kind === 'task' && (NOTHING_LEFT.test(heard.utterance.plain) || (isAlone && BARE_FIGURE.test(plain))))
    return false;
  if (kind === 'task') return !isSettledToday(finding) && !isEmptyTask(plain) && !isOver(plain);
  return !(kind === 'preference' && isOfToday);
}

/** What is done the same day is done, or was said to somebody who had it in mind. "Remind me" is asked for all the same. */
function isSettledToday({ heard }: Finding): boolean {
  const { plain } = heard.utterance;
  return OF_TODAY.test(plain.replaceAll(/\([^)]*\)/gu, '')) && !/\bremind me\b|\btodo\b/u.test(plain);
}

/** Where tools do the work: steps until it is done, tomorrow's news, incidents that taught nothing, and what was named before. */
function isOfTheHour(finding: Finding, beside: readonly Utterance[]): boolean {
  const { kind, heard } = finding;
  const { plain } = heard.utterance;
  const isAskedFor = /\bremind me\b/u.test(plain);
  if (LOST_IN_WORK.test(plain) || BARE_FIGURE.test(plain)) return !isAskedFor;
  if (kind === 'decision') return FOR_NOW.test(plain);
  if (kind === 'person') return isOfADay(finding);
  if (kind === 'task' || kind === 'fact') return OF_TOMORROW.test(plain) && !isAskedFor;
  return kind === 'lesson' && ![heard.utterance, ...beside].some((each) => DRAWN.test(each.plain));
}

/** What somebody does on a day that is named is over with it; when they come, go or were born is not. */
function isOfADay({ heard }: Finding): boolean {
  const { plain } = heard.utterance;
  return heard.dates.some(({ isFull }) => !isFull) && !COMES_OR_GOES.test(plain);
}

function isReadOff(plain: string): boolean {
  return READ_OFF.test(plain.slice(0, MAX_READ)) || (AT_AN_HOUR.test(plain) && !EVERY_TIME.test(plain));
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
