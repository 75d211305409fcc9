import type { Example } from './regression.ts';

/** A word of fewer phrases than this is chance. */
const MIN_PHRASES = 2;

/**
 * Examples without the words that the phrases do not use: what the sample's sessions happen to be about (a cat, a tile
 * server) must not decide how others' sessions are judged.
 */
export function withWordsOf(phrases: readonly Example[], examples: readonly Example[]): Example[] {
  const counts = new Map<string, number>();
  for (const { features } of phrases)
    for (const feature of features) counts.set(feature, (counts.get(feature) ?? 0) + 1);
  const isGeneral = (feature: string): boolean => !/^[gb]:/u.test(feature) || (counts.get(feature) ?? 0) >= MIN_PHRASES;
  return examples.map((example) => ({ ...example, features: example.features.filter(isGeneral) }));
}
