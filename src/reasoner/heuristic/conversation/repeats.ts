import { canonicalWords } from '../../../model/same-words.ts';
import type { Finding } from '../kinds/finding.ts';

/** Makes one finding, resting on both turns, of what was said twice in the same words. */
export function withoutRepeats(findings: readonly Finding[]): Finding[] {
  const kept = new Map<string, Finding>();
  for (const finding of findings) {
    const key = canonicalWords(finding.text ?? finding.heard.utterance.text);
    const earlier = kept.get(key);
    const { id } = finding.heard.utterance.turn;
    kept.set(key, earlier === undefined ? finding : { ...earlier, alsoTurns: [...(earlier.alsoTurns ?? []), id] });
  }
  return [...kept.values()];
}
