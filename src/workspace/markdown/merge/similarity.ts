/** Enough of a block to recognise it by; a long fence need not be compared to its end. */
const COMPARED_LENGTH = 600;

/** How often each pair of neighbouring characters occurs in a text. */
export type Profile = ReadonlyMap<number, number>;

export function profileOf(text: string): Profile {
  const profile = new Map<number, number>();
  const compared = text.slice(0, COMPARED_LENGTH).replaceAll(/\s+/g, ' ').trim();
  for (let at = 0; at + 1 < compared.length; at += 1) {
    const bigram = compared.charCodeAt(at) * 0x1_00_00 + compared.charCodeAt(at + 1);
    profile.set(bigram, (profile.get(bigram) ?? 0) + 1);
  }
  return profile;
}

/** Dice's coefficient over character pairs: 1 for equal texts, 0 for texts that share no pair. */
export function similarity(left: Profile, right: Profile): number {
  let shared = 0;
  let total = 0;
  for (const [bigram, count] of left) {
    shared += Math.min(count, right.get(bigram) ?? 0);
    total += count;
  }
  for (const count of right.values()) total += count;
  return total === 0 ? 0 : (2 * shared) / total;
}
