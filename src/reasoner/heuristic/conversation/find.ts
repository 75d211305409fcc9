import { type Finding, type Scene, notice } from '../kinds/finding.ts';
import { judge } from './judge-turns.ts';
import { findFiction } from './role-play.ts';
import { canonicalWords } from '../../../model/same-words.ts';
import { pointsElsewhere, surroundingsOf } from '../statement/neighbours.ts';
import { withoutPronouns } from '../statement/meant-person.ts';
import { propertyIn } from '../entities/bearer.ts';
import type { Utterance } from '../clauses/utterance.ts';
import { containment, stemsOf } from '../text/words.ts';

/** From here on a statement's own kind counts more than the neighbour that it explains. */
const SURELY_ELSE = 0.7;

/** Everything worth keeping in a conversation, in the order in which it was said; what was taken back is left out. */
export function findKept(scene: Scene): Finding[] {
  return withoutRepeats(withoutRetracted(findAll(scene), scene)).filter((finding) => isStanding(finding, scene));
}

function findAll(scene: Scene): Finding[] {
  const fiction = findFiction(scene.turns);
  const findings: Finding[] = [];
  for (const [index, turn] of scene.turns.entries()) {
    if (fiction.has(index)) continue;
    for (const utterance of turn) {
      const finding = judge(notice(utterance, scene));
      if (finding !== undefined) findings.push(finding);
    }
  }
  const apart = tellApart(findings);
  const accepted = findAccepted(scene).filter(({ heard }) => !fiction.has(heard.utterance.turnIndex));
  return [...apart, ...accepted, ...findToldByTools(scene)].sort(
    (one, other) =>
      one.heard.utterance.turnIndex - other.heard.utterance.turnIndex ||
      one.heard.utterance.index - other.heard.utterance.index,
  );
}

/** Each finding with those of its message that are surely of another kind: it must not take them along. */
function tellApart(findings: readonly Finding[]): Finding[] {
  return findings.map((finding) => {
    const { turnIndex } = finding.heard.utterance;
    const others = findings.filter(
      ({ heard, kind, score }) =>
        heard.utterance.turnIndex === turnIndex && kind !== finding.kind && score >= SURELY_ELSE,
    );
    return others.length === 0 ? finding : { ...finding, apart: others.map(({ heard }) => heard.utterance) };
  });
}

/** Makes one finding, resting on both turns, of what was said twice in the same words. */
function withoutRepeats(findings: readonly Finding[]): Finding[] {
  const kept = new Map<string, Finding>();
  for (const finding of findings) {
    const key = canonicalWords(finding.text ?? finding.heard.utterance.text);
    const earlier = kept.get(key);
    const { id } = finding.heard.utterance.turn;
    kept.set(key, earlier === undefined ? finding : { ...earlier, alsoTurns: [...(earlier.alsoTurns ?? []), id] });
  }
  return [...kept.values()];
}

/** Whether a statement, with what it takes along, can be understood when the conversation is over. */
export function isStanding(finding: Finding, scene: Scene): boolean {
  const { heard, kind, text } = finding;
  const { plain, turn } = heard.utterance;
  if (text !== undefined || turn.role !== 'user') return true;
  // A correction opens with what it corrects, lessons with what happened, and "how to …" says itself what it is about.
  if (kind === 'correction' || kind === 'lesson' || /^how to\b/u.test(plain)) return true;
  const { before, lead, person } = surroundingsOf(finding, scene);
  if (lead !== undefined || before.some((each) => !pointsElsewhere(each.plain))) return true;
  return !pointsElsewhere(person === undefined ? plain : withoutPronouns(plain));
}

/** The confidence in a page's plain statement; its trust stays a tool's, so it can only become a proposal. */
const SCORE = 0.6;

/** Statements of tools and pages about an entity the memory knows: single properties, and nothing else. */
function findToldByTools(scene: Scene): Finding[] {
  const known = new Set(scene.conversation.known?.map(({ name }) => name.toLowerCase()));
  return scene.told.flatMap((utterance): Finding[] => {
    if (utterance.isAsked) return [];
    // In a tool's text "I" is somebody else: what it says of the user has to name them.
    const property = propertyIn(utterance.text, '', scene);
    if (property === undefined) return [];
    const { subject } = property;
    const isKnown = known.has(subject.name.toLowerCase());
    if (subject.isUser !== true && !isKnown) return [];
    const kind = subject.type === 'person' && subject.isUser !== true ? 'person' : 'fact';
    return [{ kind, heard: notice(utterance, scene), score: SCORE, text: utterance.text }];
  });
}

const TAKES_BACK =
  /\b(?:scrap (?:that|this|it|the)|forget (?:that|it|what i|about (?:that|it|the))|never ?mind|changed my mind|on second thoughts?|scratch that|strike that|ignore (?:that|what i)|cancel (?:that|it)|take that back|let's not(?: do that)?$|undo that|no,? wait|actually,? (?:no|let's not|leave)|not (?:doing|going to do) that|leave it (?:as|for)|disregard)\b/iu;
const RETRACTABLE = new Set(['decision', 'task', 'preference']);
/** The number of turns back that "scrap that" reaches. */
const REACH_TURNS = 6;

/** Takes out what was taken back later in the conversation. */
function withoutRetracted(findings: readonly Finding[], scene: Scene): Finding[] {
  const dropped = new Set<Finding>();
  for (const turn of scene.turns) {
    for (const utterance of turn) {
      if (utterance.turn.role !== 'user' || !takesBack(utterance)) continue;
      const target = targetOf(utterance, findings, dropped);
      if (target !== undefined) dropped.add(target);
    }
  }
  return findings.filter((finding) => !dropped.has(finding));
}

function takesBack(utterance: Utterance): boolean {
  const said = `${utterance.openers.join(', ')} ${utterance.text}`;
  return TAKES_BACK.test(said) && !utterance.isAsked;
}

function targetOf(
  utterance: Utterance,
  findings: readonly Finding[],
  dropped: ReadonlySet<Finding>,
): Finding | undefined {
  const open = findings.filter(
    (finding) =>
      RETRACTABLE.has(finding.kind) &&
      !dropped.has(finding) &&
      isBefore(finding.heard.utterance, utterance) &&
      utterance.turnIndex - finding.heard.utterance.turnIndex <= REACH_TURNS,
  );
  const own = stemsOf(utterance.text);
  const named = open.filter((finding) => containment(own, stemsOf(finding.heard.utterance.text)) >= 0.5);
  return named.at(-1) ?? open.at(-1);
}

function isBefore(one: Utterance, other: Utterance): boolean {
  return one.turnIndex < other.turnIndex || (one.turnIndex === other.turnIndex && one.index < other.index);
}

const ACCEPTS =
  /^(?:yes|yep|yeah|yup|ja|ok|okay|sure|fine|agreed|deal|perfect|great|good|cool|sounds (?:good|great|right|fine)|makes sense|do (?:that|it|so|the)|go (?:ahead|for it|with)|let's do (?:that|it|the)|exactly|i like (?:that|it|the)|works for me|that works|love it|right|yes please|please do|👍|take (?:the|option)|the (?:first|second|third|latter|former)|option|both)\b/iu;
const TAKES_IT_BACK =
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
function findAccepted(scene: Scene): Finding[] {
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
  if (!ACCEPTS.test(opening) || TAKES_IT_BACK.test(opening)) return undefined;
  if (opening.split(/\s+/u).length > MAX_ACCEPTANCE_WORDS) return undefined;
  // A longer answer changes what was offered, and is judged as the speaker's own statement.
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
