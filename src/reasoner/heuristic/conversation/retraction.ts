import type { Finding, Scene } from '../kinds/finding.ts';
import type { Utterance } from '../clauses/utterance.ts';
import { containment, stemsOf } from '../text/words.ts';

const TAKES_BACK =
  /\b(?:scrap (?:that|this|it|the)|forget (?:that|it|what i|about (?:that|it|the))|never ?mind|changed my mind|on second thoughts?|scratch that|strike that|ignore (?:that|what i)|cancel (?:that|it)|take that back|let's not(?: do that)?$|undo that|no,? wait|actually,? (?:no|let's not|leave)|not (?:doing|going to do) that|leave it (?:as|for)|disregard)\b/iu;
const RETRACTABLE = new Set(['decision', 'task', 'preference']);
/** How far back "scrap that" reaches. */
const REACH_TURNS = 6;

/** Takes out what was taken back later in the conversation. */
export function withoutRetracted(findings: readonly Finding[], scene: Scene): Finding[] {
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
