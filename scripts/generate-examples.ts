/**
 * Writes `assets/model/examples.json`: the vectors of the texts that `remember` compares statements with. With --check it compares
 * what is there with what the model makes of them; the last digits depend on the processor.
 */
import fs from 'node:fs';
import path from 'node:path';
import { findModelFolder, readModelManifest } from '../src/encoder/model-files.ts';
import { ExampleVectors, writeExamples } from '../src/judge/examples.ts';
import { packagedJudge } from '../src/judge/judge.ts';
import { DANGERS, OTHERS } from '../src/reasoner/heuristic/route/route.ts';

/** Far below what moves a statement from one side to the other. */
const TOLERANCE = 0.001;

const folder = findModelFolder();
const manifest = readModelManifest(folder);
const texts = [...DANGERS, ...OTHERS];
const vectors = packagedJudge().vectorsOf(texts);
const known = new ExampleVectors(folder, manifest).find(texts);
const isCurrent = vectors.every((vector, place) =>
  vector.every((value, at) => Math.abs(value - (known?.[place]?.[at] ?? Number.NaN)) < TOLERANCE),
);
if (isCurrent) console.log('assets/model/examples.json is current.');
else if (process.argv.includes('--check')) {
  console.error('assets/model/examples.json is not what the model makes of the examples: npm run generate');
  process.exitCode = 1;
} else {
  const made = new Map(texts.map((text, place) => [text, vectors[place] ?? new Float32Array()]));
  fs.writeFileSync(path.join(folder, 'examples.json'), writeExamples(manifest.version, made));
  console.log('assets/model/examples.json is written.');
}
