/** Multinomial logistic regression with an L2 penalty on sparse traits: stochastic steps, each trait at its own pace. */
import { TRAIT_SLOTS, type Traits } from '../../src/compile/relevance/traits.ts';
import { SUBJECT_MATTERS, type WordingModel } from '../../src/compile/relevance/wording-model.ts';

export interface WordingExample {
  readonly traits: Traits;
  /** Its column; undefined when it is only known not to be the first. */
  readonly column: number | undefined;
}

const COLUMNS = SUBJECT_MATTERS.length;
const PENALTY = 0.002;
/** Few rounds: more learn the prompts by heart. */
const ROUNDS = 12;
const FIRST_PACE = 0.5;
const LAST_PACE_SHARE = 0.1;
/** Keeps the first step of a rare trait small. */
const FIRST_SQUARES = 0.01;
const LARGEST_BYTE = 127;

export function fitSoftmax(examples: readonly WordingExample[]): WordingModel {
  const table = new Float64Array(TRAIT_SLOTS * COLUMNS);
  const squares = new Float64Array(table.length).fill(FIRST_SQUARES);
  const starts = Array.from({ length: COLUMNS }, () => 0);
  const startSquares = Array.from({ length: COLUMNS }, () => FIRST_SQUARES);
  const order = examples.map((_, index) => index);
  const shuffle = createShuffle();
  for (let round = 0; round < ROUNDS; round += 1) {
    shuffle(order);
    const pace = FIRST_PACE * (1 - (round / ROUNDS) * (1 - LAST_PACE_SHARE));
    for (const index of order) {
      const example = examples[index];
      if (example === undefined) continue;
      const misses = missesOf(sharesOf(table, starts, example.traits), example.column);
      misses.forEach((miss, column) => {
        startSquares[column] = (startSquares[column] ?? 0) + miss * miss;
        starts[column] = (starts[column] ?? 0) - (pace * miss) / Math.sqrt(startSquares[column] ?? 1);
        for (const [slot, strength] of example.traits) {
          const at = slot * COLUMNS + column;
          const slope = miss * strength + PENALTY * (table[at] ?? 0);
          squares[at] = (squares[at] ?? 0) + slope * slope;
          table[at] = (table[at] ?? 0) - (pace * slope) / Math.sqrt(squares[at] ?? 1);
        }
      });
    }
  }
  return toBytes(table, starts);
}

function sharesOf(table: Float64Array, starts: readonly number[], traits: Traits): number[] {
  const sums = [...starts];
  for (const [slot, strength] of traits) {
    for (let column = 0; column < COLUMNS; column += 1) {
      sums[column] = (sums[column] ?? 0) + (table[slot * COLUMNS + column] ?? 0) * strength;
    }
  }
  const highest = Math.max(...sums);
  const raised = sums.map((sum) => Math.exp(sum - highest));
  const total = raised.reduce((sum, value) => sum + value, 0);
  return raised.map((value) => value / total);
}

/** Who is only known not to be the first belongs to the others as the model now believes. */
function missesOf(shares: readonly number[], column: number | undefined): number[] {
  if (column !== undefined) return shares.map((share, index) => share - (index === column ? 1 : 0));
  const others = Math.max(1e-9, 1 - (shares[0] ?? 0));
  return shares.map((share, index) => (index === 0 ? share : share - share / others));
}

function toBytes(table: Float64Array, starts: readonly number[]): WordingModel {
  const step = table.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0) / LARGEST_BYTE;
  return { step, starts, table: Int8Array.from(table, (value) => Math.round(value / step)) };
}

/** The same order every time. */
function createShuffle(): (order: number[]) => void {
  let state = 7;
  return (order) => {
    for (let index = order.length - 1; index > 0; index -= 1) {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      const other = Math.floor((state / 2 ** 32) * (index + 1));
      [order[index], order[other]] = [order[other] ?? 0, order[index] ?? 0];
    }
  };
}
