import type { Finding, Scene } from '../kinds/finding.ts';
import { judge } from '../kinds/judge.ts';
import { notice } from '../kinds/notice.ts';
import { findAccepted } from './acceptance.ts';
import { withoutRepeats } from './repeats.ts';
import { withoutRetracted } from './retraction.ts';
import { findFiction } from './role-play.ts';
import { isStanding } from './standing.ts';
import { findToldByTools } from './told-by-tools.ts';

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
