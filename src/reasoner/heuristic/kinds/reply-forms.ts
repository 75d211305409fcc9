import type { KnowledgeKind } from '../../../model/knowledge.ts';
import type { Utterance } from '../clauses/utterance.ts';
import { neighbour } from '../features/dialogue.ts';
import { stemsOf, wordsOf } from '../text/words.ts';
import type { Heard } from './finding.ts';

/** "8443 not 8080", "it's the 9th, not the 8th": what was wrong stands behind "not". */
const CONTRAST =
  /\bnot (?:(?:the|a|an|on|in|at|by|from|for|to|with|my|our) )*(?<wrong>[\p{L}\d](?:[\p{L}\d:.'-]*[\p{L}\d])?)/u;
/** The whole of it is the contrast: "we're on Postgres, not MySQL". */
const PLAIN_CONTRAST =
  /(?:, | and )not (?:(?:the|a|an|on|in|at|by|from|for|to|with|my|our) )*[\p{L}\d][\p{L}\d:.'-]*[.!]*$/u;
const OWNS_UP =
  /^(?:oh |ah |right |of course )*(?:sorry|apologies|my (?:mistake|bad|error)|corrected|i stand corrected|you're (?:right|quite right)|thanks? (?:for|you for) (?:the correction|correcting|catching|pointing)|good catch)\b/u;
const CONFUSED = /^you(?:'ve| have)? (?:mixed|confused|swapped|got (?:that|them|it|those) (?:wrong|mixed))\b/u;
const DENIES = /^(?:no|nope|nah|wrong|careful|sorry|actually|wait|correction)\b/u;
const CHOOSES =
  /^(?:we|i)(?:'ll)? (?:take|go with|stay with|stick with|choose|pick) (?!it\b|that\b|this\b|a (?:look|break|nap|moment)\b|care\b|over\b)/u;

/** What a reply is by the way it takes up the agent's words. Answers are of any kind; these two can be told. */
export function replyFormOf({ utterance, modality, scene }: Heard): KnowledgeKind | undefined {
  const before = neighbour(utterance, scene, -1);
  if (before === undefined) return undefined;
  if (corrects(utterance, before, scene.turns[utterance.turnIndex] ?? [])) return 'correction';
  if (!modality.isCommand && isOwnedUp(utterance, scene)) return 'correction';
  const isAnswer = utterance.index === 0 && before.at(-1)?.isAsked === true;
  return isAnswer && CHOOSES.test(utterance.plain) ? 'decision' : undefined;
}

/** The agent admits that it had been wrong, and repeats the words that put it right. */
function isOwnedUp(utterance: Utterance, scene: Heard['scene']): boolean {
  const [first, second] = neighbour(utterance, scene, 1) ?? [];
  if (first === undefined || !OWNS_UP.test(`${first.openers.join(' ')} ${first.plain}`.trim())) return false;
  const taken = new Set([...stemsOf(first.text), ...stemsOf(second?.text ?? '')]);
  const shared = (each: Utterance): number => [...stemsOf(each.text)].filter((stem) => taken.has(stem)).length;
  const turn = scene.turns[utterance.turnIndex] ?? [];
  const best = Math.max(...turn.map(shared));
  return best > 0 && turn.find((each) => shared(each) === best) === utterance;
}

function corrects(utterance: Utterance, before: readonly Utterance[], turn: readonly Utterance[]): boolean {
  if (CONFUSED.test(utterance.plain)) return true;
  const opening = turn[0] === undefined ? '' : `${turn[0].openers.join(' ')} ${turn[0].plain}`.trim();
  const wrong = CONTRAST.exec(utterance.plain)?.groups?.['wrong'];
  if (wrong === undefined) return false;
  const isTheirs = before.some(({ text }) => wordsOf(text).includes(wrong));
  return isTheirs && (DENIES.test(opening) || PLAIN_CONTRAST.test(utterance.plain));
}
