import { type Finding, type Scene, notice } from '../kinds/finding.ts';
import { judge } from '../kinds/judge.ts';
import { findAccepted } from './acceptance.ts';
import { findFiction } from './role-play.ts';
import { canonicalWords } from '../../../model/same-words.ts';
import { pointsElsewhere, surroundingsOf } from '../statement/neighbours.ts';
import { withoutPronouns } from '../statement/meant-person.ts';
import { propertyIn } from '../entities/property-mention.ts';
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
