import { createWriteStream, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { MnemeError, errorMessage, isMnemeError } from '../../model/errors.ts';
import type { HttpDeps } from './http.ts';
import { isModelFolder } from './model-folder.ts';

export interface HubOptions {
  /** A folder (absolute, or relative to `baseFolder` when it begins with a dot), or `owner/name` on the hub. */
  readonly model: string;
  readonly baseFolder: string;
  /** Where downloaded models are kept. */
  readonly modelsFolder: string;
  readonly downloadIfMissing: boolean;
  readonly hubUrl?: string | undefined;
}

interface HubFile {
  readonly from: string;
  readonly to: string;
  readonly required: boolean;
}

const HUB_URL = 'https://huggingface.co';
const HUB_NAME = /^[\w-][\w.-]*\/[\w-][\w.-]*$/u;
/** For one file of about 90 MB on a slow line. */
const DOWNLOAD_TIMEOUT_MS = 600_000;
const FILES: readonly HubFile[] = [
  { from: 'tokenizer.json', to: 'tokenizer.json', required: true },
  { from: 'sentence_bert_config.json', to: 'sentence_bert_config.json', required: false },
  { from: 'config_sentence_transformers.json', to: 'config_sentence_transformers.json', required: false },
  { from: '1_Pooling/config.json', to: '1_Pooling/config.json', required: false },
  { from: 'onnx/model.onnx', to: 'model.onnx', required: true },
];

/** Where the model lies on the disk, or undefined when it would have to be downloaded. */
export function findModel({ model, baseFolder, modelsFolder }: HubOptions): string | undefined {
  const isPath = path.isAbsolute(model) || model.startsWith('.');
  const folder = isPath ? path.resolve(baseFolder, model) : path.join(modelsFolder, ...model.split('/'));
  return isModelFolder(folder) ? folder : undefined;
}

/** The folder of the model, downloaded if that is allowed and necessary. */
export async function getModel(options: HubOptions, deps: Pick<HttpDeps, 'fetch'>): Promise<string> {
  const found = findModel(options);
  if (found !== undefined) return found;
  const { model, downloadIfMissing } = options;
  if (downloadIfMissing && HUB_NAME.test(model)) return downloadModel(options, deps);
  throw new MnemeError('not-found', `The model ${model} is not on the disk.`, {
    hint: HUB_NAME.test(model)
      ? 'Choose embedding.provider onnx to fetch it, or set embedding.onnx.model to a folder with model.onnx and tokenizer.json.'
      : 'Set embedding.onnx.model to a folder with model.onnx and tokenizer.json, or to owner/name on Hugging Face.',
  });
}

async function downloadModel(options: HubOptions, deps: Pick<HttpDeps, 'fetch'>): Promise<string> {
  const target = path.join(options.modelsFolder, ...options.model.split('/'));
  mkdirSync(path.dirname(target), { recursive: true });
  // Under another name until it is complete, so that half a model is never taken for one.
  const unfinished = mkdtempSync(`${target}.part-`);
  try {
    for (const file of FILES) await downloadFile(file, unfinished, options, deps);
    if (existsSync(target)) rmSync(target, { recursive: true });
    renameSync(unfinished, target);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    if (isMnemeError(error)) throw error;
    throw failed(options.model, errorMessage(error), error);
  }
  return target;
}

async function downloadFile(
  { from, to, required }: HubFile,
  folder: string,
  { model, hubUrl = HUB_URL }: HubOptions,
  deps: Pick<HttpDeps, 'fetch'>,
): Promise<void> {
  const response = await deps.fetch(`${hubUrl}/${model}/resolve/main/${from}`, {
    signal: AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS),
  });
  if (response.status === 404 && !required) return;
  if (!response.ok || response.body === null) throw failed(model, `${from} answered ${response.status}`);
  const file = path.join(folder, to);
  mkdirSync(path.dirname(file), { recursive: true });
  await pipeline(response.body, createWriteStream(file));
}

function failed(model: string, why: string, cause?: unknown): MnemeError {
  return new MnemeError('failure', `The model ${model} could not be downloaded: ${why}.`, {
    hint: 'Put model.onnx and tokenizer.json into a folder and set embedding.onnx.model to it.',
    cause,
  });
}
