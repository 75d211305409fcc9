/** Softmax regression over sets of present features: small enough to be fitted in seconds, linear so that it can be read. */
export interface Example {
  readonly features: readonly string[];
  readonly label: number;
  readonly weight: number;
  readonly group: string;
}

export interface Model {
  readonly index: ReadonlyMap<string, number>;
  readonly weights: readonly Float64Array[];
}

export function fit(
  examples: readonly Example[],
  classes: number,
  penalty: number,
  minCount: number,
  rounds = 250,
): Model {
  const counts = new Map<string, Set<string>>();
  for (const { features, group } of examples) {
    for (const feature of features) counts.set(feature, (counts.get(feature) ?? new Set()).add(group));
  }
  const index = new Map<string, number>([['bias', 0]]);
  for (const [feature, groups] of counts) if (groups.size >= minCount) index.set(feature, index.size);
  const rows = examples.map(({ features }) => [0, ...features.flatMap((feature) => index.get(feature) ?? [])]);
  const weights = Array.from({ length: classes }, () => new Float64Array(index.size));
  const first = weights.map((each) => new Float64Array(each.length));
  const second = weights.map((each) => new Float64Array(each.length));
  for (let round = 1; round <= rounds; round += 1) {
    const gradients = weights.map((each) => each.map((value, place) => (place === 0 ? 0 : penalty * value)));
    for (const [row, { label, weight }] of examples.entries()) {
      const active = rows[row] ?? [];
      const chances = softmax(weights.map((each) => sum(each, active)));
      for (const [kind, gradient] of gradients.entries()) {
        const error = ((chances[kind] ?? 0) - (kind === label ? 1 : 0)) * weight;
        for (const place of active) gradient[place] = (gradient[place] ?? 0) + error;
      }
    }
    step(weights, gradients, first, second, round);
  }
  return { index, weights };
}

function step(
  weights: Float64Array[],
  gradients: Float64Array[],
  first: Float64Array[],
  second: Float64Array[],
  round: number,
): void {
  const rate = 0.05;
  for (const [kind, gradient] of gradients.entries()) {
    const own = weights[kind] ?? gradient;
    const mean = first[kind] ?? gradient;
    const square = second[kind] ?? gradient;
    for (let place = 0; place < gradient.length; place += 1) {
      const slope = gradient[place] ?? 0;
      mean[place] = 0.9 * (mean[place] ?? 0) + 0.1 * slope;
      square[place] = 0.999 * (square[place] ?? 0) + 0.001 * slope * slope;
      const corrected = (mean[place] ?? 0) / (1 - 0.9 ** round);
      const scale = Math.sqrt((square[place] ?? 0) / (1 - 0.999 ** round)) + 1e-8;
      own[place] = (own[place] ?? 0) - (rate * corrected) / scale;
    }
  }
}

export function chancesOf({ index, weights }: Model, features: readonly string[]): number[] {
  const active = [0, ...features.flatMap((feature) => index.get(feature) ?? [])];
  return softmax(weights.map((each) => sum(each, active)));
}

function sum(weights: Float64Array, places: readonly number[]): number {
  let total = 0;
  for (const place of places) total += weights[place] ?? 0;
  return total;
}

function softmax(values: readonly number[]): number[] {
  const highest = Math.max(...values);
  const powers = values.map((value) => Math.exp(value - highest));
  const total = powers.reduce((one, other) => one + other, 0);
  return powers.map((power) => power / total);
}
