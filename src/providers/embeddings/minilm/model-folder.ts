import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildBertOnnx, type Precision } from './graph.ts';
import { readMiniLmWeights, readSourceFile, SOURCE } from './weights.ts';

/** What sentence-transformers cuts a text to for this model. */
const MAX_TOKENS = 256;

/** Writes all-MiniLM-L6-v2 as a folder that the onnx embedder opens. */
export function writeMiniLmFolder(sourceFolder: string, target: string, precision: Precision): void {
  const model = buildBertOnnx(readMiniLmWeights(sourceFolder), precision);
  mkdirSync(target, { recursive: true });
  writeFileSync(path.join(target, 'model.onnx'), model);
  writeFileSync(path.join(target, 'tokenizer.json'), readSourceFile(sourceFolder, SOURCE.tokenizer));
  writeFileSync(path.join(target, 'sentence_bert_config.json'), `{"max_seq_length": ${MAX_TOKENS}}\n`);
}
