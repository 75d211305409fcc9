import type { Finding, Scene } from '../kinds/finding.ts';
import { surroundingsOf } from '../statement/neighbours.ts';
import { withoutPronouns } from '../statement/meant-person.ts';
import { pointsElsewhere } from '../statement/points-elsewhere.ts';

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
