import type { Fitted } from '../src/retrieve/logistic.ts';

/** A row of features, and whether it is so. */
export interface Labelled {
  readonly features: Readonly<Record<string, number>>;
  readonly isTrue: boolean;
}

const ROUNDS = 40;

/** Logistic regression by Newton's method on standardised features, each pulled towards 0 by `ridge`. */
export function fitLogistic(examples: readonly Labelled[], names: readonly string[], ridge = 1): Fitted {
  const means = names.map((name) => mean(examples.map(({ features }) => features[name] ?? 0)));
  const spreads = names.map(
    (name, at) => Math.sqrt(mean(examples.map(({ features }) => ((features[name] ?? 0) - (means[at] ?? 0)) ** 2))) || 1,
  );
  const rows = examples.map(({ features }) => [
    1,
    ...names.map((name, at) => ((features[name] ?? 0) - (means[at] ?? 0)) / (spreads[at] ?? 1)),
  ]);
  let weights = rows[0]?.map(() => 0) ?? [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const gradient = weights.map((weight) => ridge * weight);
    const curvature = weights.map((_, one) => weights.map((__, other) => (one === other ? ridge : 0)));
    for (const [at, row] of rows.entries()) {
      const chance = 1 / (1 + Math.exp(-row.reduce((sum, value, place) => sum + value * (weights[place] ?? 0), 0)));
      const error = chance - Number(examples[at]?.isTrue ?? false);
      for (const [one, value] of row.entries()) {
        gradient[one] = (gradient[one] ?? 0) + error * value;
        const line = curvature[one] ?? [];
        for (const [other, beside] of row.entries())
          line[other] = (line[other] ?? 0) + chance * (1 - chance) * value * beside;
      }
    }
    const step = solve(curvature, gradient);
    weights = weights.map((weight, at) => weight - (step[at] ?? 0));
  }
  const scaled = names.map((_, at) => (weights[at + 1] ?? 0) / (spreads[at] ?? 1));
  const start = (weights[0] ?? 0) - scaled.reduce((sum, weight, at) => sum + weight * (means[at] ?? 0), 0);
  return {
    start: round(start),
    weights: Object.fromEntries(names.map((name, at) => [name, { name, weight: round(scaled[at] ?? 0) }])),
  };
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

/** Gaussian elimination with the largest pivot. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, at) => [...row, right[at] ?? 0]);
  const size = rows.length;
  for (let column = 0; column < size; column += 1) {
    let pivot = column;
    for (let row = column; row < size; row += 1)
      if (Math.abs(rows[row]?.[column] ?? 0) > Math.abs(rows[pivot]?.[column] ?? 0)) pivot = row;
    const [chosen = [], other = []] = [rows[pivot], rows[column]];
    rows[column] = chosen;
    rows[pivot] = other;
    for (let row = 0; row < size; row += 1) {
      const line = rows[row] ?? [];
      const factor = row === column ? 0 : (line[column] ?? 0) / (chosen[column] ?? 1);
      for (let at = column; at <= size; at += 1) line[at] = (line[at] ?? 0) - factor * (chosen[at] ?? 0);
    }
  }
  return rows.map((row, at) => (row[size] ?? 0) / (row[at] ?? 1));
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
