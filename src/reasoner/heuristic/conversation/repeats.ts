import type { Finding } from '../kinds/finding.ts';
import { jaccard, stemsOf } from '../text/words.ts';

const SAME = 0.6;

/** Said twice in one conversation is one finding that rests on both turns. */
export function withoutRepeats(findings: readonly Finding[]): Finding[] {
  const kept: { finding: Finding; stems: Set<string> }[] = [];
  for (const finding of findings) {
    const stems = stemsOf(finding.text ?? finding.heard.utterance.text);
    const earlier = kept.find((each) => each.finding.kind === finding.kind && jaccard(each.stems, stems) >= SAME);
    if (earlier === undefined) {
      kept.push({ finding, stems });
      continue;
    }
    const { id } = finding.heard.utterance.turn;
    earlier.finding = { ...earlier.finding, alsoTurns: [...(earlier.finding.alsoTurns ?? []), id] };
  }
  return kept.map(({ finding }) => finding);
}
