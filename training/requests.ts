import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import {
  ANSWERS,
  serializeWording,
  SLOTS,
  slotsOf,
  weighWording,
  type Wording,
} from '../src/judge/requests/wording.ts';
import { ownWords } from '../src/judge/handed-over/split.ts';
import { LEARNED_TABLES, readPhrases } from '../src/capture/triggers/testing/phrases.ts';
import { tokensOf } from '../src/judge/requests/features.ts';
import { conceptsOf } from '../src/judge/requests/lexicon.ts';
import { frameRequests } from './frames.ts';
import { readConversations } from './conversations.ts';
import { readRequests, type LabelledRequest } from '../bench/requests/labelled.ts';

/**
 * Fits what the wording of a message says about its request, prints how well it answers for authors left out, and writes
 * `assets/requests/wording.bin`. With `--answers FILE` the left-out answers are written, a line each, to choose thresholds by.
 */
const { values: given } = parseArgs({
  options: {
    data: { type: 'string', default: 'training/data/requests' },
    conversations: { type: 'string', default: 'training/data/conversations' },
    out: { type: 'string', default: 'assets/requests/wording.bin' },
    answers: { type: 'string' },
    hold: { type: 'string', default: 'ae,bf,ci,dh,g' },
  },
});

const COLUMNS = ANSWERS.length;
const EPOCHS = 30;
const RATE = 0.5;
/** How much of every weight an epoch takes away. */
const DECAY = 0.002;
/** How often each plain request counts. */
const PLAIN_WEIGHT = 3;
/** How many statements or names each frame of a plain request is tried with. */
const STATEMENTS_A_FRAME = 8;
/** One turn of so many is learned from. */
const EVERY_TURN = 6;

interface Example {
  readonly slots: Uint32Array;
  readonly answer: number;
}

const files = fs
  .readdirSync(given.data)
  .filter((name) => name.endsWith('.tsv'))
  .sort();
const authors = files.map((name) => ({ name: path.parse(name).name, rows: readRequests(path.join(given.data, name)) }));
/** Plain requests and traps that the tests promise; authors who are asked for variety leave the plain ones out. */
const plain = LEARNED_TABLES.flatMap(readPhrases).flatMap(({ text, expected }): Example[] => {
  const example = { slots: slotsOf(ownWords(text)), answer: ANSWERS.indexOf(expected[0]?.kind ?? 'none') };
  return expected.length > 1 || example.slots.length === 0 ? [] : Array.from({ length: PLAIN_WEIGHT }, () => example);
});
/** What people say in conversations and ask of nobody: without it every fact would look like one to be kept. */
const ordinary = readConversations(given.conversations)
  .flatMap(({ kind, sessions }) =>
    sessions.flatMap(({ conversation }) =>
      conversation.turns.filter(({ role }) => role === 'user').map(({ text }) => ({ kind, text: ownWords(text) })),
    ),
  )
  .filter(({ text }, place) => place % EVERY_TURN === 0 && !maybeAsks(text))
  .map(({ kind, text }) => ({ kind, text, example: { slots: slotsOf(text), answer: ANSWERS.indexOf('none') } }));
const framed = frameRequests(
  ordinary.map(({ text }) => text),
  STATEMENTS_A_FRAME,
).map(({ answer, text }) => ({ slots: slotsOf(text), answer: ANSWERS.indexOf(answer) }));
const kinds = [...new Set(ordinary.map(({ kind }) => kind))];
const examples = new Map(authors.map(({ name, rows }) => [name, rows.map(toExample)]));

if (given.hold !== '') printLeftOut(given.hold.split(','));
fs.mkdirSync(path.dirname(given.out), { recursive: true });
fs.writeFileSync(
  given.out,
  serializeWording(
    fit([...plain, ...framed, ...ordinary.map(({ example }) => example), ...[...examples.values()].flat()]),
  ),
);

/** Conversations are not labelled for requests: a turn with such words may hold one. */
function maybeAsks(text: string): boolean {
  const groups = new Set(['keep', 'mind', 'notforget', 'fromnow', 'remind']);
  return conceptsOf(tokensOf(text)).some((concepts) => [...concepts].some((concept) => groups.has(concept)));
}

function toExample({ label, message }: LabelledRequest): Example {
  return { slots: slotsOf(ownWords(message)), answer: ANSWERS.indexOf(label) };
}

function printLeftOut(groups: readonly string[]): void {
  const lines: string[] = [];
  for (const [number, group] of groups.entries()) {
    const isLeftOut = ({ kind }: { readonly kind: string }): boolean => kinds.indexOf(kind) % groups.length === number;
    const others = [...examples].flatMap(([name, rows]) => (group.includes(name) ? [] : rows));
    const rest = ordinary.filter((turn) => !isLeftOut(turn)).map(({ example }) => example);
    const wording = fit([...plain, ...framed, ...rest, ...others]);
    const turns = ordinary.filter(isLeftOut);
    const asked = turns.filter(({ text }) => bestOf(weighWording(text, wording)) !== ANSWERS.indexOf('none'));
    console.log(`of ${turns.length} turns of kinds left out ${asked.length} are taken for requests`);
    for (const { name, rows } of authors.filter((author) => group.includes(author.name))) {
      const chances = rows.map(({ message }) => weighWording(ownWords(message), wording));
      const isRight = rows.filter(({ label }, row) => bestOf(chances[row] ?? []) === ANSWERS.indexOf(label));
      console.log(`${name}: ${(isRight.length / rows.length).toFixed(3)} right of ${rows.length}`);
      for (const [row, logs] of chances.entries()) lines.push(JSON.stringify({ key: `${name}:${row}`, logs }));
    }
  }
  if (given.answers !== undefined) fs.writeFileSync(given.answers, `${lines.join('\n')}\n`);
}

function bestOf(values: readonly number[]): number {
  return values.indexOf(Math.max(...values));
}

/** Softmax regression by AdaGrad, in an order that is the same every time. */
function fit(rows: readonly Example[]): Wording {
  const weights = new Float32Array(SLOTS * COLUMNS);
  const squares = new Float32Array(SLOTS * COLUMNS).fill(0.01);
  const starts = new Float64Array(COLUMNS);
  const order = rows.map((_, place) => place);
  let seed = 1;
  for (let epoch = 0; epoch < EPOCHS; epoch += 1) {
    for (let place = order.length - 1; place > 0; place -= 1) {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      const other = seed % (place + 1);
      [order[place], order[other]] = [order[other] ?? 0, order[place] ?? 0];
    }
    for (const place of order) learn(rows[place]);
    for (let at = 0; at < weights.length; at += 1) weights[at] = (weights[at] ?? 0) * (1 - DECAY);
  }
  return quantise(weights, starts);

  function learn({ slots, answer }: Example): void {
    const strength = 1 / Math.sqrt(Math.max(1, slots.length));
    const sums = [...starts];
    for (const slot of slots)
      for (let column = 0; column < COLUMNS; column += 1)
        sums[column] = (sums[column] ?? 0) + (weights[slot * COLUMNS + column] ?? 0) * strength;
    const highest = Math.max(...sums);
    const powers = sums.map((sum) => Math.exp(sum - highest));
    const total = powers.reduce((sum, power) => sum + power, 0);
    const gaps = powers.map((power, column) => power / total - (column === answer ? 1 : 0));
    for (const [column, gap] of gaps.entries()) starts[column] = (starts[column] ?? 0) - 0.01 * gap;
    for (const slot of slots)
      for (let column = 0; column < COLUMNS; column += 1) {
        const at = slot * COLUMNS + column;
        const slope = (gaps[column] ?? 0) * strength;
        squares[at] = (squares[at] ?? 0) + slope * slope;
        weights[at] = (weights[at] ?? 0) - (RATE * slope) / Math.sqrt(squares[at] ?? 1);
      }
  }
}

function quantise(weights: Float32Array, starts: Float64Array): Wording {
  let highest = 0;
  for (const weight of weights) highest = Math.max(highest, Math.abs(weight));
  const step = highest / 127;
  return { step, starts: [...starts], table: Int8Array.from(weights, (weight) => Math.round(weight / step)) };
}
