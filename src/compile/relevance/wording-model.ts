import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { MnemeError } from '../../model/errors.ts';
import { TRAIT_SLOTS, type Traits } from './traits.ts';

/** What a message may be about: the user's own things, the world, what lies open, nothing. The order of the table's columns. */
export const SUBJECT_MATTERS = ['own', 'world', 'do', 'talk'] as const;

/** For every trait, what it adds to each subject matter, in steps of `step`; before them what each starts from. */
export interface WordingModel {
  readonly step: number;
  readonly starts: readonly number[];
  readonly table: Int8Array;
}

const COLUMNS = SUBJECT_MATTERS.length;
const NUMBER_BYTES = 4;
const HEAD_BYTES = (1 + COLUMNS) * NUMBER_BYTES;
/** A few thousand short prompts are not enough to be surer than this. */
const SUREST = 4;

let shipped: WordingModel | undefined;

/** Log-odds that a message is about the user's own things, by its wording alone. */
export function weighOwnThings(traits: Traits, model: WordingModel = (shipped ??= readModel())): number {
  const sums = [...model.starts];
  for (const [slot, strength] of traits) {
    for (let column = 0; column < COLUMNS; column += 1) {
      const weight = (model.table[slot * COLUMNS + column] ?? 0) * model.step;
      sums[column] = (sums[column] ?? 0) + weight * strength;
    }
  }
  const [own = 0, ...others] = sums;
  const highest = Math.max(...others);
  const rest = highest + Math.log(others.reduce((sum, other) => sum + Math.exp(other - highest), 0));
  return Math.min(SUREST, Math.max(-SUREST, own - rest));
}

export function parseModel(bytes: Uint8Array): WordingModel {
  if (bytes.byteLength !== HEAD_BYTES + TRAIT_SLOTS * COLUMNS) {
    throw new MnemeError('integrity', `The table of wordings has ${bytes.byteLength} bytes, which is not its length.`, {
      hint: 'Install the package again.',
    });
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    step: view.getFloat32(0, true),
    starts: SUBJECT_MATTERS.map((_, column) => view.getFloat32((1 + column) * NUMBER_BYTES, true)),
    table: new Int8Array(bytes.buffer, bytes.byteOffset + HEAD_BYTES, TRAIT_SLOTS * COLUMNS),
  };
}

/** What bench/injection-fit.ts writes. */
export function serializeModel({ step, starts, table }: WordingModel): Uint8Array {
  const bytes = new Uint8Array(HEAD_BYTES + table.length);
  const view = new DataView(bytes.buffer);
  [step, ...starts].forEach((value, index) => view.setFloat32(index * NUMBER_BYTES, value, true));
  bytes.set(new Uint8Array(table.buffer, table.byteOffset, table.length), HEAD_BYTES);
  return bytes;
}

/** The folder stands above both this folder and the bundle's. */
function readModel(): WordingModel {
  const candidates = ['../assets/relevance/wording.bin', '../../../assets/relevance/wording.bin'].map((place) =>
    fileURLToPath(new URL(place, import.meta.url)),
  );
  const found = candidates.find((file) => existsSync(file));
  if (found !== undefined) return parseModel(readFileSync(found));
  throw new MnemeError('not-found', `The table of wordings is not in ${candidates.join(' or ')}.`, {
    hint: 'Install the package again.',
  });
}
