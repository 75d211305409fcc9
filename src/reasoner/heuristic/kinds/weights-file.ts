import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { MnemeError, errorMessage } from '../../../model/errors.ts';

/**
 * What bench/extract/fit.ts leaves behind, beside `weights.bin`: little-endian, a 32-bit fingerprint per feature, then
 * a row of int8 per feature with one weight per outcome, in units of the outcome's scale.
 */
export interface WeightsManifest {
  readonly version: 1;
  readonly features: number;
  readonly scales: readonly number[];
  readonly sha256: string;
}

export interface Weights {
  readonly manifest: WeightsManifest;
  /** Which row a feature has, by its fingerprint. */
  readonly rows: ReadonlyMap<number, number>;
  readonly units: Int8Array;
}

export const WEIGHTS_FILE = 'weights.bin';
export const WEIGHTS_MANIFEST = 'weights.json';
const FINGERPRINT_BYTES = 4;

/** FNV-1a: a feature's name is not needed to look its weights up. */
export function fingerprintOf(feature: string): number {
  let state = 0x81_1c_9d_c5;
  for (let index = 0; index < feature.length; index += 1) {
    state = Math.imul(state ^ feature.charCodeAt(index), 0x01_00_01_93) >>> 0;
  }
  return state;
}

export function readWeights(folder: string = findFolder()): Weights {
  const file = path.join(folder, WEIGHTS_FILE);
  try {
    const manifest = JSON.parse(readFileSync(path.join(folder, WEIGHTS_MANIFEST), 'utf8')) as WeightsManifest;
    const bytes = readFileSync(file);
    if (hash('sha256', bytes) !== manifest.sha256) throw damaged(file, 'its SHA-256 differs');
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const rows = new Map<number, number>();
    for (let row = 0; row < manifest.features; row += 1) rows.set(view.getUint32(row * FINGERPRINT_BYTES, true), row);
    const start = manifest.features * FINGERPRINT_BYTES;
    return { manifest, rows, units: new Int8Array(bytes.buffer, bytes.byteOffset + start, bytes.length - start) };
  } catch (error) {
    throw error instanceof MnemeError ? error : damaged(file, errorMessage(error), error);
  }
}

/** The folder stands above both this folder and the bundle's. */
function findFolder(): string {
  const candidates = ['../assets/extraction/', '../../../../assets/extraction/'].map((place) =>
    fileURLToPath(new URL(place, import.meta.url)),
  );
  const found = candidates.find((folder) => existsSync(path.join(folder, WEIGHTS_MANIFEST)));
  if (found !== undefined) return found;
  throw new MnemeError('not-found', `The weights of the heuristic reasoner are not in ${candidates.join(' or ')}.`, {
    hint: 'Install the package again.',
  });
}

function damaged(file: string, why: string, cause?: unknown): MnemeError {
  return new MnemeError('integrity', `The heuristic reasoner cannot use ${file}: ${why}.`, {
    hint: 'Install the package again; in a checkout, restore the file with git.',
    cause,
  });
}
