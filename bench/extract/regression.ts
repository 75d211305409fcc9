/** What is learnt from: features that are present, a vector of meaning, and how likely each class is said to be. */
export interface Example {
  readonly features: readonly string[];
  readonly meaning: Float32Array;
  readonly shares: readonly number[];
  readonly weight: number;
  /** A feature of one group only may be that group's subject. */
  readonly group: string;
}

/** Softmax regression: linear, so that it is fitted in seconds and can be read. */
export interface Model {
  readonly classes: number;
  readonly index: ReadonlyMap<string, number>;
  /** A row of classes per feature, the first the bias. */
  readonly weights: Float64Array;
  /** A row of classes per dimension of the meaning. */
  readonly meaningWeights: Float64Array;
}

export interface FitOptions {
  readonly classes: number;
  readonly penalty: number;
  readonly meaningPenalty: number;
  readonly minGroups: number;
  readonly rounds: number;
}

const RATE = 0.15;

/** Stochastic descent with a rate per weight (AdaGrad), in an order that is the same every time. */
export function fit(examples: readonly Example[], options: FitOptions): Model {
  const { classes, rounds } = options;
  const index = indexOf(examples, options.minGroups);
  const dimensions = examples[0]?.meaning.length ?? 0;
  const rows = examples.map(({ features }) => rowOf(index, features));
  const counts = new Float64Array(index.size);
  for (const row of rows) for (const place of row) counts[place] = (counts[place] ?? 0) + 1;
  const model: Model = {
    classes,
    index,
    weights: new Float64Array(index.size * classes),
    meaningWeights: new Float64Array(dimensions * classes),
  };
  const squares = new Float64Array(model.weights.length).fill(1e-2);
  const meaningSquares = new Float64Array(model.meaningWeights.length).fill(1e-2);
  const order = examples.map((_example, place) => place);
  const random = sequence(20_261_115);
  for (let round = 0; round < rounds; round += 1) {
    shuffle(order, random);
    for (const place of order) {
      const example = examples[place];
      const row = rows[place];
      if (example === undefined || row === undefined || example.weight === 0) continue;
      const errors = chancesFor(model, row, example.meaning);
      for (let kind = 0; kind < classes; kind += 1)
        errors[kind] = ((errors[kind] ?? 0) - (example.shares[kind] ?? 0)) * example.weight;
      for (const feature of row) {
        const pull = feature === 0 ? 0 : options.penalty / (counts[feature] ?? 1);
        descend(model.weights, squares, feature * classes, errors, 1, pull);
      }
      const pull = options.meaningPenalty / examples.length;
      for (let axis = 0; axis < dimensions; axis += 1)
        descend(model.meaningWeights, meaningSquares, axis * classes, errors, example.meaning[axis] ?? 0, pull);
    }
  }
  return model;
}

function descend(
  weights: Float64Array,
  squares: Float64Array,
  start: number,
  errors: Float64Array,
  value: number,
  pull: number,
): void {
  for (let kind = 0; kind < errors.length; kind += 1) {
    const at = start + kind;
    const weight = weights[at] ?? 0;
    const slope = (errors[kind] ?? 0) * value + pull * weight;
    const square = (squares[at] ?? 0) + slope * slope;
    squares[at] = square;
    weights[at] = weight - (RATE * slope) / Math.sqrt(square);
  }
}

function indexOf(examples: readonly Example[], minGroups: number): Map<string, number> {
  const groups = new Map<string, Set<string>>();
  for (const { features, group, weight } of examples) {
    if (weight === 0) continue;
    for (const feature of features) groups.set(feature, (groups.get(feature) ?? new Set()).add(group));
  }
  const index = new Map<string, number>([['bias', 0]]);
  for (const [feature, each] of groups) if (each.size >= minGroups) index.set(feature, index.size);
  return index;
}

function rowOf(index: ReadonlyMap<string, number>, features: readonly string[]): Int32Array {
  return Int32Array.from([0, ...features.flatMap((feature) => index.get(feature) ?? [])]);
}

export function chancesOf(model: Model, features: readonly string[], meaning: Float32Array): Float64Array {
  return chancesFor(model, rowOf(model.index, features), meaning);
}

function chancesFor({ classes, weights, meaningWeights }: Model, row: Int32Array, meaning: Float32Array): Float64Array {
  const sums = new Float64Array(classes);
  for (const feature of row) {
    const start = feature * classes;
    for (let kind = 0; kind < classes; kind += 1) sums[kind] = (sums[kind] ?? 0) + (weights[start + kind] ?? 0);
  }
  for (let axis = 0; axis < meaning.length; axis += 1) {
    const value = meaning[axis] ?? 0;
    const start = axis * classes;
    for (let kind = 0; kind < classes; kind += 1)
      sums[kind] = (sums[kind] ?? 0) + value * (meaningWeights[start + kind] ?? 0);
  }
  const highest = Math.max(...sums);
  let total = 0;
  for (let kind = 0; kind < classes; kind += 1) {
    const power = Math.exp((sums[kind] ?? 0) - highest);
    sums[kind] = power;
    total += power;
  }
  for (let kind = 0; kind < classes; kind += 1) sums[kind] = (sums[kind] ?? 0) / total;
  return sums;
}

function shuffle(order: number[], random: () => number): void {
  for (let last = order.length - 1; last > 0; last -= 1) {
    const place = Math.floor(random() * (last + 1));
    const held = order[last] ?? 0;
    order[last] = order[place] ?? 0;
    order[place] = held;
  }
}

/** A linear congruential sequence: the same weights from the same examples. */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
