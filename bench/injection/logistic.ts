/** Logistic regression with an L2 penalty on standardised features, by Newton's method. */
export interface Sample {
  readonly values: readonly number[];
  readonly isPositive: boolean;
  readonly weight: number;
}

export interface Model {
  readonly start: number;
  readonly weights: readonly number[];
}

const ROUNDS = 30;

export function fitLogistic(samples: readonly Sample[], penalty: number, isBalanced = true): Model {
  const width = samples[0]?.values.length ?? 0;
  const weights = isBalanced ? balance(samples) : samples.map(({ weight }) => weight);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const average = (of: (sample: Sample) => number): number =>
    samples.reduce((sum, sample, index) => sum + (weights[index] ?? 0) * of(sample), 0) / total;
  const columns = Array.from({ length: width }, (_, column) => column);
  const means = columns.map((column) => average(({ values }) => at(values, column)));
  const spreads = columns.map((column) =>
    Math.sqrt(average(({ values }) => (at(values, column) - at(means, column)) ** 2) + 1e-9),
  );
  const rows = samples.map(({ values }) => [
    1,
    ...columns.map((column) => (at(values, column) - at(means, column)) / at(spreads, column)),
  ]);
  const coefficients = Array.from({ length: width + 1 }, () => 0);
  for (let round = 0; round < ROUNDS; round += 1) {
    const step = newtonStep(rows, samples, weights, coefficients, penalty);
    step.forEach((value, index) => (coefficients[index] = at(coefficients, index) + value));
  }
  const raw = columns.map((column) => at(coefficients, column + 1) / at(spreads, column));
  const start = at(coefficients, 0) - columns.reduce((sum, column) => sum + at(raw, column) * at(means, column), 0);
  return { start, weights: raw };
}

export function scoreOf({ start, weights }: Model, values: readonly number[]): number {
  return weights.reduce((sum, weight, index) => sum + weight * at(values, index), start);
}

/** Both sides count alike, however many prompts each has. */
function balance(samples: readonly Sample[]): number[] {
  const sumOf = (isPositive: boolean): number =>
    samples.reduce((sum, sample) => sum + (sample.isPositive === isPositive ? sample.weight : 0), 0);
  const factor = sumOf(false) / sumOf(true);
  return samples.map(({ isPositive, weight }) => (isPositive ? weight * factor : weight));
}

function newtonStep(
  rows: readonly (readonly number[])[],
  samples: readonly Sample[],
  weights: readonly number[],
  coefficients: readonly number[],
  penalty: number,
): number[] {
  const size = coefficients.length;
  const slope = coefficients.map((value, index) => (index === 0 ? 0 : -penalty * value));
  const curve = coefficients.map((_, index) =>
    coefficients.map((_other, other) => (index === other && index > 0 ? penalty : 0)),
  );
  rows.forEach((row, index) => {
    const share = 1 / (1 + Math.exp(-row.reduce((sum, value, column) => sum + value * at(coefficients, column), 0)));
    const weight = at(weights, index);
    const miss = weight * ((samples[index]?.isPositive === true ? 1 : 0) - share);
    const bend = weight * share * (1 - share);
    for (let left = 0; left < size; left += 1) {
      slope[left] = at(slope, left) + miss * at(row, left);
      const line = curve[left] ?? [];
      for (let right = 0; right < size; right += 1) {
        line[right] = at(line, right) + bend * at(row, left) * at(row, right);
      }
    }
  });
  return solve(curve, slope);
}

/** Gauss-Jordan; the matrix is positive definite, so no pivot vanishes. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, index) => [...row, at(right, index)]);
  rows.forEach((pivot, column) => {
    const lead = at(pivot, column);
    for (let index = 0; index < pivot.length; index += 1) pivot[index] = at(pivot, index) / lead;
    for (const row of rows) {
      const factor = at(row, column);
      if (row === pivot || factor === 0) continue;
      for (let index = 0; index < row.length; index += 1) row[index] = at(row, index) - factor * at(pivot, index);
    }
  });
  return rows.map((row) => at(row, row.length - 1));
}

function at(values: readonly number[], index: number): number {
  return values[index] ?? 0;
}
