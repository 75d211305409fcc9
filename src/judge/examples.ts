import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { damagedModel, type ModelManifest } from '../encoder/model-files.ts';
import { errorMessage } from '../model/errors.ts';

const FILE = 'examples.json';
/** Steps between 0 and 1: a vector's numbers are kept as 16-bit integers. */
const STEPS = 32_767;

const schema = z.strictObject({
  /** The version of the model that made them: another one has vectors of its own. */
  version: z.string(),
  vectors: z.record(z.string(), z.base64()),
});

/** Vectors of texts that statements are compared with, made beforehand: making them takes longer than everything that is asked of them. */
export class ExampleVectors {
  readonly #folder: string;
  readonly #version: string;
  #vectors: Readonly<Record<string, string>> | undefined;

  constructor(folder: string, { version }: ModelManifest) {
    this.#folder = folder;
    this.#version = version;
  }

  /** Undefined when one of the texts has none, as with a model of the user's own. */
  find(texts: readonly string[]): Float32Array[] | undefined {
    const vectors = (this.#vectors ??= this.#read());
    const found = texts.flatMap((text) => vectors[text] ?? []);
    return found.length === texts.length ? found.map(decode) : undefined;
  }

  #read(): Readonly<Record<string, string>> {
    const file = path.join(this.#folder, FILE);
    if (!fs.existsSync(file)) return {};
    try {
      const { version, vectors } = schema.parse(JSON.parse(fs.readFileSync(file, 'utf8')));
      return version === this.#version ? vectors : {};
    } catch (error) {
      throw damagedModel(file, errorMessage(error), error);
    }
  }
}

/** The content of the file with these texts' vectors. */
export function writeExamples(version: string, vectors: ReadonlyMap<string, Float32Array>): string {
  const encoded = Object.fromEntries(Array.from(vectors, ([text, vector]) => [text, encode(vector)]));
  return `${JSON.stringify({ version, vectors: encoded }, undefined, 2)}\n`;
}

function encode(vector: Float32Array): string {
  const bytes = Buffer.alloc(vector.length * Int16Array.BYTES_PER_ELEMENT);
  for (const [at, value] of vector.entries())
    bytes.writeInt16LE(Math.round(value * STEPS), at * Int16Array.BYTES_PER_ELEMENT);
  return bytes.toString('base64');
}

function decode(text: string): Float32Array {
  const bytes = Buffer.from(text, 'base64');
  const count = bytes.length / Int16Array.BYTES_PER_ELEMENT;
  return Float32Array.from({ length: count }, (_, at) => bytes.readInt16LE(at * Int16Array.BYTES_PER_ELEMENT) / STEPS);
}
