import { createHash } from 'node:crypto';
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { MnemeError, errorMessage, isMnemeError } from '../../model/errors.ts';
import type { HttpDeps } from './http.ts';
import { NO_PROMPTS, promptsOf, type Prompts } from './port.ts';
import { WordPiece } from './wordpiece.ts';
import { buildPieceArrays, PieceIndex } from './piece-index.ts';

/** A sentence-transformer as it lies on the disk. */
export interface ModelFolder {
  readonly name: string;
  readonly modelFile: string;
  readonly tokenizer: WordPiece;
  readonly maxTokens: number;
  readonly pooling: 'mean' | 'first';
  readonly prompts: Prompts;
}

/** Where exporters put the graph, the smaller one first: it is faster at the same retrieval quality. */
const MODEL_FILES = ['model_quantized.onnx', 'onnx/model_quantized.onnx', 'model.onnx', 'onnx/model.onnx'];
const DEFAULT_MAX_TOKENS = 256;

const SENTENCE_CONFIG = z.object({ max_seq_length: z.int().positive() });
const POOLING_CONFIG = z.object({
  pooling_mode_cls_token: z.boolean().default(false),
  pooling_mode_mean_tokens: z.boolean().default(true),
});
const PROMPTS_CONFIG = z.object({
  prompts: z
    .object({ query: z.string().optional(), document: z.string().optional(), passage: z.string().optional() })
    .optional(),
});

export function isModelFolder(folder: string): boolean {
  return existsSync(path.join(folder, 'tokenizer.json')) && findModelFile(folder) !== undefined;
}

export function readModelFolder(folder: string): ModelFolder {
  const modelFile = findModelFile(folder);
  const tokenizerFile = path.join(folder, 'tokenizer.json');
  if (modelFile === undefined || !existsSync(tokenizerFile)) {
    throw new MnemeError('not-found', `${folder} is not a model: it needs tokenizer.json and model.onnx.`, {
      hint: 'Set embedding.onnx.model to the folder of a sentence-transformer exported to ONNX.',
    });
  }
  const { tokenizer, maxLength } = parseTokenizerJson(readFileSync(tokenizerFile, 'utf8'), tokenizerFile);
  const name = path.basename(folder);
  const sentence = readOptional(folder, 'sentence_bert_config.json', SENTENCE_CONFIG);
  return {
    name,
    modelFile,
    tokenizer,
    maxTokens: sentence?.max_seq_length ?? maxLength ?? DEFAULT_MAX_TOKENS,
    pooling: readPooling(folder),
    prompts: readPrompts(folder, name),
  };
}

function findModelFile(folder: string): string | undefined {
  return MODEL_FILES.map((file) => path.join(folder, file)).find((file) => existsSync(file));
}

function readPooling(folder: string): ModelFolder['pooling'] {
  const config = readOptional(folder, '1_Pooling/config.json', POOLING_CONFIG);
  if (config === undefined || config.pooling_mode_mean_tokens) return 'mean';
  if (config.pooling_mode_cls_token) return 'first';
  throw new MnemeError('failure', `${folder} pools its tokens in a way that is not supported.`, {
    hint: 'Models that pool by mean or by the first token work; serve others with Ollama.',
  });
}

function readPrompts(folder: string, name: string): Prompts {
  const own = readOptional(folder, 'config_sentence_transformers.json', PROMPTS_CONFIG)?.prompts;
  const query = own?.query ?? '';
  const document = own?.document ?? own?.passage ?? '';
  if (query !== '' || document !== '') return { query, document };
  return own === undefined ? promptsOf(name) : NO_PROMPTS;
}

function readOptional<T>(folder: string, name: string, schema: z.ZodType<T>): T | undefined {
  const file = path.join(folder, name);
  if (!existsSync(file)) return undefined;
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new MnemeError('failure', `${file} cannot be understood.`, {
      hint: 'Download the model again, or delete the file to use the defaults.',
      cause: error,
    });
  }
}

/** The model's version: two models of one name are told apart by their bytes. */
export async function hashFile(file: string): Promise<string> {
  const digest = createHash('sha256');
  await pipeline(createReadStream(file, { highWaterMark: 1 << 20 }), digest);
  return digest.digest('hex');
}

/** The parts of a Hugging Face tokenizer.json that decide what a BERT-like model sees. */
const TOKENIZER_JSON = z.object({
  truncation: z.object({ max_length: z.int().positive() }).nullish(),
  added_tokens: z.array(z.object({ id: z.int(), content: z.string(), special: z.boolean() })).default([]),
  normalizer: z.object({
    type: z.literal('BertNormalizer'),
    clean_text: z.boolean().default(true),
    handle_chinese_chars: z.boolean().default(true),
    strip_accents: z.boolean().nullish(),
    lowercase: z.boolean().default(true),
  }),
  pre_tokenizer: z.object({ type: z.literal('BertPreTokenizer') }),
  model: z.object({
    type: z.literal('WordPiece').default('WordPiece'),
    unk_token: z.string().default('[UNK]'),
    continuing_subword_prefix: z.literal('##').default('##'),
    max_input_chars_per_word: z.literal(100).default(100),
    vocab: z.record(z.string(), z.int().nonnegative()),
  }),
});

interface LoadedTokenizer {
  readonly tokenizer: WordPiece;
  /** Where the file says to cut a text, its framing tokens included. */
  readonly maxLength: number | undefined;
}

function parseTokenizerJson(text: string, file: string): LoadedTokenizer {
  const parsed = TOKENIZER_JSON.safeParse(readJson(text, file));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const where = issue === undefined ? '' : ` (${issue.path.join('.')}: ${issue.message})`;
    throw unsupported(file, `does not describe a BERT WordPiece tokeniser${where}`);
  }
  const { added_tokens: added, normalizer, model, truncation } = parsed.data;
  const vocabulary: string[] = [];
  for (const [piece, id] of Object.entries(model.vocab)) vocabulary[id] = piece;
  for (const { id, content } of added) vocabulary[id] = content;
  const pieces = new PieceIndex(buildPieceArrays(Array.from(vocabulary, (piece) => piece ?? '')));
  const tokenizer = new WordPiece(pieces, {
    unknownToken: model.unk_token,
    specialTokens: added.filter((token) => token.special).map((token) => token.content),
    rules: {
      cleanText: normalizer.clean_text,
      spaceChinese: normalizer.handle_chinese_chars,
      stripAccents: normalizer.strip_accents ?? normalizer.lowercase,
      lowercase: normalizer.lowercase,
    },
  });
  return { tokenizer, maxLength: truncation?.max_length };
}

function readJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw unsupported(file, 'is not JSON', error);
  }
}

function unsupported(file: string, why: string, cause?: unknown): MnemeError {
  return new MnemeError('failure', `${file} ${why}.`, {
    hint: 'Choose a BERT-like model (all-MiniLM, bge, gte, e5 in English); others can be served by Ollama.',
    cause,
  });
}

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
