import { toChances, type Chances } from '../../src/reasoner/heuristic/kinds/outcomes.ts';

/** What is learnt from: the features a statement has, and how likely each outcome is said to be. */
export interface Example {
  readonly features: readonly string[];
  readonly shares: readonly number[];
  readonly weight: number;
  /** A feature of few groups may be what those groups happen to talk about. */
  readonly group: string;
}

/** Softmax regression: linear, so that it is fitted in seconds and can be read. */
export interface Model {
  readonly classes: number;
  readonly index: ReadonlyMap<string, number>;
  /** A row of classes per feature, the first the bias. */
  readonly weights: Float64Array;
}

export interface FitOptions {
  readonly classes: number;
  /**
   * Of squared weights: the higher, the less a single feature decides. The mean of a cautious fit and a bold one finds
   * more in others' conversations, at the same precision, than any one in between.
   */
  readonly penalties: readonly number[];
  readonly minGroups: number;
  readonly rounds: number;
}

const RATE = 0.15;
const SEED = 20_261_115;

export function fit(examples: readonly Example[], options: FitOptions): Model {
  const used = examples.filter(({ weight }) => weight > 0);
  const index = indexOf(used, options.minGroups);
  const fits = options.penalties.map((penalty) => fitOnce(used, index, { ...options, penalty }));
  const weights = new Float64Array(index.size * options.classes).map(
    (_zero, place) => fits.reduce((sum, each) => sum + (each[place] ?? 0), 0) / fits.length,
  );
  return { classes: options.classes, index, weights };
}

/** Stochastic descent with a rate of its own per weight (AdaGrad), in an order that is the same every time. */
function fitOnce(
  used: readonly Example[],
  index: ReadonlyMap<string, number>,
  { classes, penalty, rounds }: FitOptions & { readonly penalty: number },
): Float64Array {
  const rows = used.map(({ features }) => rowOf(index, features));
  const counts = new Float64Array(index.size);
  for (const row of rows) for (const place of row) counts[place] = (counts[place] ?? 0) + 1;
  const model: Model = { classes, index, weights: new Float64Array(index.size * classes) };
  const squares = new Float64Array(model.weights.length).fill(1e-2);
  const order = used.map((_example, place) => place);
  const random = sequence(SEED);
  for (let round = 0; round < rounds; round += 1) {
    shuffle(order, random);
    for (const place of order) {
      const example = used[place];
      const row = rows[place];
      if (example === undefined || row === undefined) continue;
      const chances = Object.values(toChances(sumsOf(model, row)));
      const errors = chances.map((chance, kind) => (chance - (example.shares[kind] ?? 0)) * example.weight);
      // A feature's share of the penalty is paid whenever it is met: the rare ones are held back no less.
      for (const feature of row)
        descend(
          model.weights,
          squares,
          feature * classes,
          errors,
          feature === 0 ? 0 : penalty / (counts[feature] ?? 1),
        );
    }
  }
  return model.weights;
}

function descend(
  weights: Float64Array,
  squares: Float64Array,
  start: number,
  errors: readonly number[],
  pull: number,
): void {
  for (const [kind, error] of errors.entries()) {
    const at = start + kind;
    const weight = weights[at] ?? 0;
    const slope = error + pull * weight;
    const square = (squares[at] ?? 0) + slope * slope;
    squares[at] = square;
    weights[at] = weight - (RATE * slope) / Math.sqrt(square);
  }
}

function indexOf(examples: readonly Example[], minGroups: number): Map<string, number> {
  const groups = new Map<string, Set<string>>();
  for (const { features, group } of examples) {
    for (const feature of features) groups.set(feature, (groups.get(feature) ?? new Set()).add(group));
  }
  const index = new Map<string, number>([['bias', 0]]);
  for (const [feature, each] of groups) if (each.size >= minGroups) index.set(feature, index.size);
  return index;
}

function rowOf(index: ReadonlyMap<string, number>, features: readonly string[]): readonly number[] {
  return [0, ...features.flatMap((feature) => index.get(feature) ?? [])];
}

export function chancesBy(model: Model, features: readonly string[]): Chances {
  return toChances(sumsOf(model, rowOf(model.index, features)));
}

function sumsOf({ classes, weights }: Model, row: readonly number[]): Float64Array {
  const sums = new Float64Array(classes);
  for (const feature of row) {
    const start = feature * classes;
    for (let kind = 0; kind < classes; kind += 1) sums[kind] = (sums[kind] ?? 0) + (weights[start + kind] ?? 0);
  }
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

/** A linear congruential sequence: the same examples give the same weights. */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
