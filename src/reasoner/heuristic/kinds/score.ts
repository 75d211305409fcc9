import { OUTCOMES, toChances, type Chances } from './outcomes.ts';
import { fingerprintOf, readWeights, type Weights } from './weights-file.ts';

let loaded: Weights | undefined;

/** How likely each outcome is for a statement with these features: they sum to one. */
export function chancesOf(features: readonly string[]): Chances {
  loaded ??= readWeights();
  const { manifest, rows, units } = loaded;
  const sums = new Float64Array(OUTCOMES.length);
  for (const feature of ['bias', ...features]) {
    const row = rows.get(fingerprintOf(feature));
    if (row === undefined) continue;
    for (const [place, scale] of manifest.scales.entries()) {
      sums[place] = (sums[place] ?? 0) + (units[row * OUTCOMES.length + place] ?? 0) * scale;
    }
  }
  return toChances(sums);
}
