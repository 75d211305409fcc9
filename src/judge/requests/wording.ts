import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { MnemeError } from '../../model/errors.ts';
import { featuresOf } from './features.ts';

/** The requests a message may make of the memory, in the order of the model's head and of the table's columns. */
export const ANSWERS = ['remember', 'forget', 'recall', 'reflect', 'none'] as const;
export type Answer = (typeof ANSWERS)[number];

/** A power of two. With half as many the authors left out lose half a point; with twice as many they gain nothing. */
export const SLOTS = 1 << 17;
const COLUMNS = ANSWERS.length;
const HEAD_BYTES = (1 + COLUMNS) * Float32Array.BYTES_PER_ELEMENT;

/** For every slot of features what it adds to each answer, in steps of `step`; and what each answer starts from. */
export interface Wording {
  readonly step: number;
  readonly starts: readonly number[];
  readonly table: Int8Array;
}

let shipped: Wording | undefined;

/** The slots of a message's features; each counts as much as its square root says. */
export function slotsOf(message: string): Uint32Array {
  return Uint32Array.from(new Set([...featuresOf(message)].map(slotOf)));
}

/** Judges a request by wording alone: the logarithm of each answer's chance. Takes no longer than reading it. */
export function weighWording(message: string, wording: Wording = (shipped ??= readShipped())): number[] {
  const slots = slotsOf(message);
  const strength = wording.step / Math.sqrt(Math.max(1, slots.length));
  const sums = [...wording.starts];
  for (const slot of slots)
    for (let column = 0; column < COLUMNS; column += 1)
      sums[column] = (sums[column] ?? 0) + (wording.table[slot * COLUMNS + column] ?? 0) * strength;
  const highest = Math.max(...sums);
  const total = highest + Math.log(sums.reduce((sum, each) => sum + Math.exp(each - highest), 0));
  return sums.map((each) => each - total);
}

/** FNV-1a. */
function slotOf(feature: string): number {
  let sum = 0x811c9dc5;
  for (let at = 0; at < feature.length; at += 1) sum = Math.imul(sum ^ feature.charCodeAt(at), 0x01000193);
  return (sum ^ (sum >>> 17)) & (SLOTS - 1);
}

export function parseWording(bytes: Uint8Array): Wording {
  if (bytes.byteLength !== HEAD_BYTES + SLOTS * COLUMNS) {
    throw new MnemeError('integrity', `The table of requests has ${bytes.byteLength} bytes, which is not its length.`, {
      hint: 'Install the package again.',
    });
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const numbers = Array.from({ length: 1 + COLUMNS }, (_, index) => view.getFloat32(index * 4, true));
  return {
    step: numbers[0] ?? 0,
    starts: numbers.slice(1),
    table: new Int8Array(bytes.buffer, bytes.byteOffset + HEAD_BYTES, SLOTS * COLUMNS),
  };
}

/** Serializes the file that `training/requests.ts` writes. */
export function serializeWording({ step, starts, table }: Wording): Uint8Array {
  const bytes = new Uint8Array(HEAD_BYTES + table.length);
  const view = new DataView(bytes.buffer);
  for (const [index, value] of [step, ...starts].entries()) view.setFloat32(index * 4, value, true);
  bytes.set(new Uint8Array(table.buffer, table.byteOffset, table.length), HEAD_BYTES);
  return bytes;
}

/** The folder stands above both this folder and the bundle's. */
function readShipped(): Wording {
  const candidates = ['../assets/requests/wording.bin', '../../../assets/requests/wording.bin'].map((place) =>
    fileURLToPath(new URL(place, import.meta.url)),
  );
  const found = candidates.find((file) => existsSync(file));
  if (found !== undefined) return parseWording(readFileSync(found));
  throw new MnemeError('not-found', `The table of requests is not in ${candidates.join(' or ')}.`, {
    hint: 'Install the package again.',
  });
}
