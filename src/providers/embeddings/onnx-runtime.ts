import { MnemeError, errorMessage } from '../../model/errors.ts';

export const RUNTIME_PACKAGE = 'onnxruntime-node';

/** The part of onnxruntime-node that is used; the package is optional, so its types cannot be imported. */
export interface OnnxRuntime {
  readonly InferenceSession: {
    create(model: string | Uint8Array, options: Readonly<Record<string, unknown>>): Promise<OnnxSession>;
  };
  readonly Tensor: new (type: 'int64', data: BigInt64Array, dimensions: readonly number[]) => OnnxTensor;
}

export interface OnnxSession {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  run(feeds: Readonly<Record<string, OnnxTensor>>): Promise<Readonly<Record<string, OnnxTensor>>>;
  release(): Promise<void>;
}

export interface OnnxTensor {
  readonly data: Float32Array | BigInt64Array;
  readonly dims: readonly number[];
}

export type ImportPackage = (name: string) => Promise<unknown>;

const importInstalled: ImportPackage = (name) => import(name);

export async function loadOnnxRuntime(importPackage: ImportPackage = importInstalled): Promise<OnnxRuntime> {
  let loaded: unknown;
  try {
    loaded = await importPackage(RUNTIME_PACKAGE);
  } catch (error) {
    throw isMissing(error) ? notInstalled(error) : notLoadable(error);
  }
  for (const candidate of [loaded, (loaded as { default?: unknown }).default])
    if (isRuntime(candidate)) return candidate;
  throw notLoadable(new Error('it does not export InferenceSession and Tensor'));
}

function isRuntime(candidate: unknown): candidate is OnnxRuntime {
  return (
    typeof candidate === 'object' && candidate !== null && 'InferenceSession' in candidate && 'Tensor' in candidate
  );
}

/** The package itself is missing, rather than something it needs. */
function isMissing(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const missing = code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
  return missing && errorMessage(error).includes(`'${RUNTIME_PACKAGE}'`);
}

function notInstalled(cause: unknown): MnemeError {
  return new MnemeError(
    'not-found',
    `Embedding with onnx needs the package ${RUNTIME_PACKAGE}, which is not installed.`,
    {
      hint:
        `Run: npm install ${RUNTIME_PACKAGE} (with -g if mneme is installed so). If its install script cannot download, ` +
        `ONNXRUNTIME_NODE_INSTALL=skip npm install ${RUNTIME_PACKAGE} is enough for the CPU.`,
      cause,
    },
  );
}

function notLoadable(cause: unknown): MnemeError {
  return new MnemeError('failure', `The package ${RUNTIME_PACKAGE} cannot be loaded: ${errorMessage(cause)}.`, {
    hint: `Install it again: npm install ${RUNTIME_PACKAGE}. There are builds for Linux, macOS and Windows on x64 and arm64.`,
    cause,
  });
}
