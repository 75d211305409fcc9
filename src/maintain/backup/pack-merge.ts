import type { PackPart } from './manifest.ts';

/**
 * Returns the packs that stay, and the references after which the next pack begins. Like a counter that carries: a pack is
 * made again together with what follows it once that has become as large, so there are few of them however many nights
 * there were, and each object is packed only a few times.
 */
export function planPackMerge(
  packs: readonly PackPart[],
  references: string | null,
): { readonly kept: readonly PackPart[]; readonly before: string | null } {
  let keep = packs.length;
  let later = 0;
  for (let index = packs.length - 1; index >= 0; index -= 1) {
    const size = packs[index]?.size ?? 0;
    // Compared with the packs after it, and the pack to come, which is about as large as the last.
    if (size <= later + (packs.at(-1)?.size ?? 0) && packs.length - index > 1) keep = index;
    later += size;
  }
  const next = packs[keep];
  return { kept: packs.slice(0, keep), before: next === undefined ? references : next.before };
}
