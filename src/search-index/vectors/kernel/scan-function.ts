import {
  type Code,
  type KernelFunction,
  type Local,
  f32x4,
  f64x2,
  get,
  i32,
  i32x4,
  repeatWhile,
  set,
  v128,
} from './instructions.ts';
import { VECTORS_PER_PAGE } from './port.ts';

/** Codes the inner loop takes at a time from each row; rows are padded to a multiple of it. */
export const CODES_PER_STEP = 16;

// Parameters: addresses in memory, and the bytes from one row to the next.
const QUERY: Local = 0;
const CODES: Local = 1;
const SCALES: Local = 2;
const SCORES: Local = 3;
const ROW_BYTES: Local = 4;
// Locals.
const SCORES_END: Local = 5;
const ROW_END: Local = 6;
const QUERY_AT: Local = 7;
/** Four rows at a time: the query is loaded once for all of them, and their sums fill one vector. */
const ROWS: readonly [Local, Local, Local, Local] = [8, 9, 10, 11];
const QUERY_LOW: Local = 12;
const QUERY_HIGH: Local = 13;
const SUMS: readonly [Local, Local, Local, Local] = [14, 15, 16, 17];

const BYTES_PER_SCORE = 4;
const advance = (pointer: Local, bytes: number): Code => set(pointer, i32.add(get(pointer), i32.const(bytes)));

/** Adds sixteen products of each row to its sum: 8-bit codes widened to the query's 16 bits, summed in 32. */
const STEP: readonly Code[] = [
  set(QUERY_LOW, v128.load(get(QUERY_AT))),
  set(QUERY_HIGH, v128.load(get(QUERY_AT), 16)),
  ...ROWS.map((row, index): Code => {
    const sum = SUMS[index] ?? SUMS[0];
    const low = i32x4.dot16x8Signed(v128.load8x8Signed(get(row)), get(QUERY_LOW));
    const high = i32x4.dot16x8Signed(v128.load8x8Signed(get(row), 8), get(QUERY_HIGH));
    return set(sum, i32x4.add(get(sum), i32x4.add(low, high)));
  }),
  advance(QUERY_AT, 2 * CODES_PER_STEP),
  ...ROWS.map((row) => advance(row, CODES_PER_STEP)),
];

/** Two vectors with lanes a₀…a₃ and b₀…b₃ become a₀+a₂, b₀+b₂, a₁+a₃, b₁+b₃. */
function addHalves(left: Local, right: Local): Code {
  return i32x4.add(
    i32x4.shuffle(get(left), get(right), [0, 4, 1, 5]),
    i32x4.shuffle(get(left), get(right), [2, 6, 3, 7]),
  );
}

/** One sum per row, out of four partial sums each. */
const TOTALS: readonly Code[] = [
  set(SUMS[0], addHalves(SUMS[0], SUMS[1])),
  set(SUMS[2], addHalves(SUMS[2], SUMS[3])),
  set(
    SUMS[0],
    i32x4.add(
      i32x4.shuffle(get(SUMS[0]), get(SUMS[2]), [0, 1, 4, 5]),
      i32x4.shuffle(get(SUMS[0]), get(SUMS[2]), [2, 3, 6, 7]),
    ),
  ),
];

const FOUR_ROWS: readonly Code[] = [
  set(QUERY_AT, get(QUERY)),
  set(ROW_END, i32.add(get(CODES), get(ROW_BYTES))),
  set(ROWS[0], get(CODES)),
  set(ROWS[1], get(ROW_END)),
  set(ROWS[2], i32.add(get(ROWS[1]), get(ROW_BYTES))),
  set(ROWS[3], i32.add(get(ROWS[2]), get(ROW_BYTES))),
  ...SUMS.map((sum) => set(sum, v128.zero)),
  repeatWhile(i32.lessUnsigned(get(ROWS[0]), get(ROW_END)), STEP),
  ...TOTALS,
  v128.store(get(SCORES), f32x4.multiply(f32x4.convertSigned(get(SUMS[0])), v128.load(get(SCALES)))),
  // The last row's pointer has just passed its end: the next four begin there.
  set(CODES, get(ROWS[3])),
  advance(SCALES, 4 * BYTES_PER_SCORE),
  advance(SCORES, 4 * BYTES_PER_SCORE),
];

/** scan(query, codes, scales, scores, rowBytes): a score for every vector of a page. */
export const scanFunction: KernelFunction = {
  name: 'scan',
  parameters: ['i32', 'i32', 'i32', 'i32', 'i32'],
  locals: ['i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'v128', 'v128', 'v128', 'v128', 'v128', 'v128'],
  body: [
    set(SCORES_END, i32.add(get(SCORES), i32.const(VECTORS_PER_PAGE * BYTES_PER_SCORE))),
    repeatWhile(i32.lessUnsigned(get(SCORES), get(SCORES_END)), FOUR_ROWS),
  ].flat(),
};

const LIST: Local = 1;
const LIST_END: Local = 2;
const COMPARED_SUMS: Local = 3;

// Locals.
const ROW: Local = 5;

const COMPARED_CODES: Local = 8;
const FOUR: Local = 9;
const LOW: Local = 10;
const HIGH: Local = 11;

/** Codes that are taken at a time. */
const CODES_PER_LOAD = 8;
const BYTES_PER_DOUBLE = 8;
/** Each row leaves four sums. */
export const BYTES_PER_SUMS = 4 * BYTES_PER_DOUBLE;

/** Four codes, each added to a sum of its own; `queryOffset` is where their part of the question begins. */
function addFour(codes: Code, queryOffset: number): Code[] {
  const low = f64x2.convertLowSigned(get(FOUR));
  const high = f64x2.convertLowSigned(i32x4.shuffle(get(FOUR), get(FOUR), [2, 3, 2, 3]));
  return [
    set(FOUR, codes),
    set(LOW, f64x2.add(get(LOW), f64x2.multiply(low, v128.load(get(QUERY_AT), queryOffset)))),
    set(HIGH, f64x2.add(get(HIGH), f64x2.multiply(high, v128.load(get(QUERY_AT), queryOffset + 16)))),
  ];
}

const COMPARED_STEP: readonly Code[] = [
  set(COMPARED_CODES, v128.load8x8Signed(get(ROW))),
  ...addFour(i32x4.extendLow16x8Signed(get(COMPARED_CODES)), 0),
  ...addFour(i32x4.extendHigh16x8Signed(get(COMPARED_CODES)), 4 * BYTES_PER_DOUBLE),
  advance(ROW, CODES_PER_LOAD),
  advance(QUERY_AT, CODES_PER_LOAD * BYTES_PER_DOUBLE),
];

const ONE_ROW: readonly Code[] = [
  set(ROW, i32.load(get(LIST))),
  set(ROW_END, i32.add(get(ROW), get(ROW_BYTES))),
  set(QUERY_AT, get(QUERY)),
  set(LOW, v128.zero),
  set(HIGH, v128.zero),
  repeatWhile(i32.lessUnsigned(get(ROW), get(ROW_END)), COMPARED_STEP),
  v128.store(get(COMPARED_SUMS), get(LOW)),
  v128.store(i32.add(get(COMPARED_SUMS), i32.const(2 * BYTES_PER_DOUBLE)), get(HIGH)),
  advance(LIST, Int32Array.BYTES_PER_ELEMENT),
  advance(COMPARED_SUMS, BYTES_PER_SUMS),
];

/** compare(query, list, listEnd, sums, rowBytes): four sums of products for every row listed, of which there is at least one. */
export const compareFunction: KernelFunction = {
  name: 'compare',
  parameters: ['i32', 'i32', 'i32', 'i32', 'i32'],
  locals: ['i32', 'i32', 'i32', 'v128', 'v128', 'v128', 'v128'],
  body: repeatWhile(i32.lessUnsigned(get(LIST), get(LIST_END)), ONE_ROW),
};
