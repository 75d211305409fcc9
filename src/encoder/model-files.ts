import { hash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { errorMessage, MnemeError } from '../model/errors.ts';

const MANIFEST_FILE = 'model.json';
const KERNELS_FILE = 'kernels.json';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/u);
const weightsFile = z.strictObject({
  file: z.string().regex(/^[\w.-]+$/u),
  bytes: z.number().int().positive(),
  sha256,
});

/** `model.json` in the folder of an exported model: see `training/`. */
const manifestSchema = z.strictObject({
  name: z.string().regex(/^[\w.-]+$/u),
  /** Part of every vector's id: vectors of two versions cannot be compared. */
  version: z.string().regex(/^[\w.-]+$/u),
  maxTokens: z.number().int().min(16).max(512),
  /** The table of words is shared by two sets of layers: one makes vectors, the other judges. */
  words: weightsFile,
  vectors: weightsFile,
  judge: weightsFile,
  heads: weightsFile,
  /** The heads in the order of their file: what each is asked, and between which answers it decides. */
  tasks: z.array(
    z.strictObject({
      task: z.enum([
        'keep',
        'pairs',
        'entities',
        'requests',
        'what',
        'topics',
        'prompts',
        'names',
        'relations',
        'standing',
      ]),
      inputs: z.number().int().positive(),
      labels: z.array(z.string()).min(2),
      spans: z.number().int().min(1).max(2),
    }),
  ),
});

export type ModelManifest = z.infer<typeof manifestSchema>;
export type WeightsFile = z.infer<typeof weightsFile>;
export type Task = ModelManifest['tasks'][number]['task'];

/** Instructions a kernel is built for; `relaxed` is about twice as fast and needs a recent engine. */
export const KERNELS = ['relaxed', 'plain'] as const;
export type KernelName = (typeof KERNELS)[number];

const kernelsSchema = z.strictObject({ relaxed: sha256, plain: sha256 });

export function readModelManifest(folder: string): ModelManifest {
  return readJson(path.join(folder, MANIFEST_FILE), manifestSchema);
}

/** Reads a kernel's bytes from the package and compares their hash with the recorded one. */
export function readKernel(name: KernelName): Buffer {
  const folder = findModelFolder();
  const hashes = readJson(path.join(folder, KERNELS_FILE), kernelsSchema);
  const file = path.join(folder, `encoder-${name}.wasm`);
  const bytes = readFile(file);
  if (hash('sha256', bytes) !== hashes[name]) throw damagedModel(file, `its SHA-256 is not the one in ${KERNELS_FILE}`);
  return bytes;
}

/** Finds `assets/model`, which holds the kernels and the packaged model: it stands above both this folder and the bundle's. */
export function findModelFolder(): string {
  const candidates = ['../assets/model/', '../../assets/model/'].map((place) =>
    fileURLToPath(new URL(place, import.meta.url)),
  );
  const found = candidates.find((folder) => fs.existsSync(path.join(folder, KERNELS_FILE)));
  if (found !== undefined) return found;
  throw damagedModel(candidates.join(' or '), `there is no ${KERNELS_FILE}`);
}

function readJson<T>(file: string, schema: z.ZodType<T>): T {
  const text = readFile(file).toString('utf8');
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw damagedModel(file, errorMessage(error), error);
  }
}

/** Reads a file of weights into `target` and compares its hash with the recorded one. */
export function readWeights(folder: string, { file: name, sha256: wanted }: WeightsFile, target: Uint8Array): void {
  const file = path.join(folder, name);
  try {
    const descriptor = fs.openSync(file, 'r');
    try {
      // A short file leaves zeros; the hash then differs.
      for (let filled = 0; filled < target.length;) {
        const count = fs.readSync(descriptor, target, filled, target.length - filled, filled);
        if (count === 0) break;
        filled += count;
      }
    } finally {
      fs.closeSync(descriptor);
    }
  } catch (error) {
    throw damagedModel(file, errorMessage(error), error);
  }
  if (hash('sha256', target) !== wanted) throw damagedModel(file, `its SHA-256 is not the one in ${MANIFEST_FILE}`);
}

function readFile(file: string): Buffer {
  try {
    return fs.readFileSync(file);
  } catch (error) {
    throw damagedModel(file, errorMessage(error), error);
  }
}

export function damagedModel(file: string, why: string, cause?: unknown): MnemeError {
  return new MnemeError('integrity', `The model cannot use ${file}: ${why}.`, {
    hint: 'Install the package again, or restore the folder that embedding.builtin.model names. Until then the static table answers questions, and conversations wait to be learned from.',
    cause,
  });
}
