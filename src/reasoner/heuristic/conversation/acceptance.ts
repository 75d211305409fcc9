import type { Utterance } from '../clauses/utterance.ts';
import { type Finding, type Scene, notice } from '../kinds/finding.ts';

const ACCEPTS =
  /^(?:yes|yep|yeah|yup|ja|ok|okay|sure|fine|agreed|deal|perfect|great|good|cool|sounds (?:good|great|right|fine)|makes sense|do (?:that|it|so|the)|go (?:ahead|for it|with)|let's do (?:that|it|the)|exactly|i like (?:that|it|the)|works for me|that works|love it|right|yes please|please do|👍|take (?:the|option)|the (?:first|second|third|latter|former)|option|both)\b/iu;
const TAKES_BACK =
  /\b(?:but|not|no|don't|wait|except|however|maybe|think about|later|let me|not yet|hmm|until|till|instead|rather|make it)\b/iu;

/** The agent offers something that would last. "Shall I …?" offers to do it now, and a yes to that decides nothing. */
const PROPOSAL =
  /\b(?:i(?:'d| would) (?:suggest|recommend|propose|go with|use|keep|pick|choose|make|put|split|move|drop|avoid|start|set|store)|i (?:suggest|recommend|propose)|my (?:suggestion|recommendation|proposal)|(?:shall|should) we|how about|we could|you could|option [a-d\d]|proposal|one option|let's)\b/iu;
const LASTING =
  /\b(?:use|keep|switch|adopt|always|never|store|move|rename|split|limit|cap|drop|replace|schedule|policy|default|rule|standard|convention|every|per|instead of|rather than|remind|note|remember|list|go with|make|set|retry|retention|ttl|format|version|weekly|daily|cache|budget|plan)\b/iu;
/** Done as soon as it is said yes to: a step of the work at hand. */
const AT_ONCE = /\b(?:meanwhile|for the moment|for now|right away|at once|now|in the meantime|this (?:time|once))\b/iu;
const ORDINALS: readonly [RegExp, number][] = [
  [/\b(?:first|option (?:1|a|one)|number one|the former|1st)\b/iu, 0],
  [/\b(?:second|option (?:2|b|two)|number two|the latter|2nd)\b/iu, 1],
  [/\b(?:third|option (?:3|c|three)|3rd)\b/iu, 2],
];
const MAX_ACCEPTANCE_WORDS = 14;

/** "Yes, do that": what the agent had proposed is now decided, by the user, in the agent's words. */
export function findAccepted(scene: Scene): Finding[] {
  return scene.turns.flatMap((turn, index) => {
    const first = turn[0];
    if (first === undefined || first.turn.role !== 'user') return [];
    const before = scene.turns[index - 1] ?? [];
    if (before[0]?.turn.role !== 'agent') return [];
    const found = acceptedIn(turn, before);
    if (found === undefined) return [];
    const heard = notice(found, scene);
    return [
      {
        kind: 'decision' as const,
        heard: {
          ...heard,
          utterance: { ...found, turn: { ...found.turn, role: 'user' as const, trust: first.turn.trust } },
        },
        score: 2.6,
        alsoTurns: [first.turn.id],
        text: `${scene.user} agreed: ${asContent(found.text)}`,
      },
    ];
  });
}

function acceptedIn(turn: readonly Utterance[], before: readonly Utterance[]): Utterance | undefined {
  const said = turn
    .slice(0, 2)
    .map(({ openers, text }) => `${openers.join(' ')} ${text}`.trim())
    .join('. ');
  const first = turn[0];
  if (first === undefined || first.isAsked) return undefined;
  const opening = `${first.openers.join(' ')} ${first.text}`.trim();
  if (!ACCEPTS.test(opening) || TAKES_BACK.test(opening)) return undefined;
  if (opening.split(/\s+/u).length > MAX_ACCEPTANCE_WORDS) return undefined;
  // Whoever goes on about it changes it; what they say is theirs to be judged.
  if (chosenWords(turn) > MAX_ACCEPTANCE_WORDS) return undefined;
  const chosen = ORDINALS.find(([pattern]) => pattern.test(said))?.[1];
  const listed = before.filter(({ isListed, number }) => isListed && number !== undefined);
  if (chosen !== undefined) return listed.find(({ number, text }) => number === chosen + 1 && !AT_ONCE.test(text));
  const proposals = before.filter(({ text }) => PROPOSAL.test(text) && LASTING.test(text) && !AT_ONCE.test(text));
  return proposals.length === 1 ? proposals[0] : undefined;
}

function chosenWords(turn: readonly Utterance[]): number {
  return turn.reduce((sum, { text }) => sum + text.split(/\s+/u).filter((word) => word !== '').length, 0);
}

function asContent(text: string): string {
  return text
    .replace(
      /^.*?\b(?:i(?:'d| would) (?:suggest|recommend|propose)|i (?:suggest|recommend|propose)|my (?:suggestion|recommendation|proposal)(?: is|:)?|(?:shall|should) (?:i|we)|do you want (?:me|us) to|want me to|would you like me to|how about|what about|let's)\s*(?:that|to)?\s*/iu,
      '',
    )
    .replace(/\?+$/u, '');
}
