import type { Utterance } from '../clauses/utterance.ts';
import type { Heard, Scene } from '../kinds/finding.ts';
import { stemsOf } from '../text/words.ts';

/** How an agent takes up what it was told; the same words may sit in several classes. */
const ACKNOWLEDGES: Readonly<Record<string, RegExp>> = {
  noted:
    /^(?:all )?(?:noted|saved|recorded|good to know|got it|i'll (?:keep|remember)|i've noted|added|confirmed|written)/iu,
  listed:
    /\b(?:on (?:your|the) list|i'll remind|remind you|entered|reminder|task|i've (?:put|entered|added)|blocked|calendar|scheduled)\b/iu,
  corrected:
    /\b(?:corrected|sorry|apolog\w+|my mistake|you're right|thanks?(?: you)?[,. ]|i had (?:that|merged|mixed|confused)|i stand corrected|right, |updated to|fixed|changed:|i've flipped)\b/iu,
  changed:
    /^(?:changed|set|done|implemented|updated|rewritten|`|both set|deployed|removed|dropped|switched|moved)|\bis (?:now|set)\b|\bset to\b/iu,
  understood: /^(?:understood|will do|clear|agreed|of course|okay|ok\b|all right|sure|right)/iu,
  praise: /^(?:that's|that is|a |good|great|nice|lovely|sensible|well|very good|congrat)/iu,
  itIsThen: /\b(?:it is|then)[.,]/iu,
};
const PROPOSES =
  /\b(?:i'd|i would|you could|we could|could you|might|suggest\w*|recommend\w*|propos\w+|options?|alternativ\w+|shall i|should i|want me to|would you like|do you want|how about|consider)\b/iu;

/** What was said before and after: whether it answers a question, and whether the agent takes it up. */
export function* dialogueFeatures({ utterance, scene }: Heard): Generator<string> {
  const before = neighbour(utterance, scene, -1);
  const after = neighbour(utterance, scene, 1);
  yield* turnFeatures(utterance, scene);
  if (before === undefined) yield 'prev:none';
  else yield* beforeFeatures(utterance, before);
  if (after === undefined) yield 'next:none';
  else yield* afterFeatures(utterance, after);
}

/** The agent's turn next to this one; tools between them do not count, another word of the user's does. */
export function neighbour(
  { turnIndex }: Utterance,
  { turns, conversation }: Scene,
  step: 1 | -1,
): readonly Utterance[] | undefined {
  for (let index = turnIndex + step; index >= 0 && index < turns.length; index += step) {
    const role = conversation.turns[index]?.role;
    if (role === 'agent') return turns[index];
    if (role === 'user' && step === -1) return undefined;
    if (Math.abs(index - turnIndex) > 3) return undefined;
  }
  return undefined;
}

/** How the turn began, and what stands just before: "No. The vet is Vossberg." is denied in its first word. */
function* turnFeatures({ turnIndex, index }: Utterance, { turns }: Scene): Generator<string> {
  const turn = turns[turnIndex] ?? [];
  const start = turn[0] === undefined ? '' : `${turn[0].openers.join(' ')} ${turn[0].plain}`.trim();
  if (/^(?:no|nope|nah|not|wrong|careful|halt|stop|ouch|wait|actually|it does not|never)\b/u.test(start))
    yield 't:denies';
  if (/^(?:yes|yep|yeah|ok|okay|sure|exactly|right|correct|agree|perfect|good|fine|true)\b/u.test(start))
    yield 't:agrees';
  const before = turn[index - 1];
  if (before === undefined) return;
  if (before.isAsked) yield 't:afterQuestion';
  if (/\b(?:wrong|not|isn't|aren't|no)\b/u.test(before.plain)) yield 't:afterDenial';
  if (/\b(?:lesson|learn\w*|never again|turns out|found it)\b/u.test(before.plain)) yield 't:afterLesson';
  if (/\b(?:list|todo|remind|things? for|for me)\b/u.test(before.plain)) yield 't:afterList';
}

function* beforeFeatures(utterance: Utterance, before: readonly Utterance[]): Generator<string> {
  const last = before.at(-1);
  const text = before.map((each) => each.text).join(' ');
  const isAsked = last?.isAsked === true;
  if (isAsked) yield 'prev:asks';
  if (isAsked && utterance.index === 0) yield 'prev:answered';
  if (isAsked && last !== undefined && PROPOSES.test(last.text)) yield 'prev:offers';
  if (isAsked && /\b(?:when|how long|what time|which day)\b/iu.test(last?.text ?? '')) yield 'prev:asksWhen';
  if (isAsked && /\b(?:what|which|who|where)\b/iu.test(last?.text ?? '')) yield 'prev:asksWhat';
  if (PROPOSES.test(text)) yield 'prev:proposes';
  if (before.length > 6) yield 'prev:long';
  const own = stemsOf(utterance.text);
  const theirs = stemsOf(text);
  let shared = 0;
  for (const stem of own) if (theirs.has(stem)) shared += 1;
  if (shared > 0) yield 'prev:shared';
  if (shared > 1) yield 'prev:shared2';
  const numbers: readonly string[] = text.match(/\d+/gu) ?? [];
  const ownNumbers: readonly string[] = utterance.text.match(/\d+/gu) ?? [];
  if (numbers.length > 0 && ownNumbers.length > 0)
    yield ownNumbers.some((each) => numbers.includes(each)) ? 'prev:sameNumber' : 'prev:otherNumber';
}

function* afterFeatures(utterance: Utterance, after: readonly Utterance[]): Generator<string> {
  const opening = after.slice(0, 3);
  const head = opening
    .map(({ openers, text }) => `${openers.join(', ')}${openers.length > 0 ? ', ' : ''}${text}`)
    .join('. ');
  const first = opening[0];
  const start = first === undefined ? '' : `${first.openers.join(' ')} ${first.text}`.trim();
  for (const [name, pattern] of Object.entries(ACKNOWLEDGES)) {
    if (pattern.test(name === 'listed' || name === 'corrected' || name === 'itIsThen' ? head : start))
      yield `next:${name}`;
  }
  const echo = echoOf(utterance, opening);
  if (echo.share === 0) yield 'echo:none';
  else if (echo.share < 0.25) yield 'echo:some';
  else if (echo.share < 0.5) yield 'echo:half';
  else yield 'echo:most';
  if (echo.number) yield 'echo:number';
  if (echo.share >= 0.25 && /\b(?:on your list|remind|entered)\b/iu.test(head)) yield 'echo:listed';
  if (echo.share >= 0.25 && /\b(?:sorry|thanks|corrected|mistake|you're right|i had)\b/iu.test(head))
    yield 'echo:corrected';
  if (echo.share >= 0.25 && /\b(?:noted|saved|recorded|good to know)\b/iu.test(head)) yield 'echo:noted';
  if (after.length > 8) yield 'next:long';
}

function echoOf(utterance: Utterance, opening: readonly Utterance[]): { share: number; number: boolean } {
  const own = stemsOf(utterance.text);
  const theirs = stemsOf(opening.map(({ text }) => text).join(' '));
  let shared = 0;
  let number = false;
  for (const stem of own) {
    if (!theirs.has(stem)) continue;
    shared += 1;
    if (/\d/u.test(stem)) number = true;
  }
  return { share: own.size === 0 ? 0 : shared / own.size, number };
}
