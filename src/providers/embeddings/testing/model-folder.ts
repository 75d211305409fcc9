import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const PIECES = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', 'bees', 'zebras', 'a', 'cat', 'query', 'passage', ':', '##s'];
const SPECIALS = ['[PAD]', '[UNK]', '[CLS]', '[SEP]'];

/** A tokenizer.json as Hugging Face writes it, with a very small vocabulary that spells any word of small letters. */
export function tinyTokenizerJson(): Record<string, unknown> {
  const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(97 + index)).filter((l) => l !== 'a');
  const continuations = ['a', ...letters].map((letter) => `##${letter}`).filter((piece) => piece !== '##s');
  const vocabulary = [...PIECES, ...letters, ...continuations];
  return {
    version: '1.0',
    truncation: { direction: 'Right', max_length: 32, strategy: 'LongestFirst', stride: 0 },
    padding: null,
    added_tokens: SPECIALS.map((content, id) => ({ id, content, special: true, normalized: false })),
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(vocabulary.map((piece, id) => [piece, id])),
    },
  };
}

/** Writes files (objects as JSON) into a new folder of the given name. */
export function writeModelFolder(files: Readonly<Record<string, unknown>>, name = 'tiny-model'): string {
  const folder = path.join(mkdtempSync(path.join(os.tmpdir(), 'mneme-model-')), name);
  for (const [file, content] of Object.entries(files)) {
    const full = path.join(folder, file);
    mkdirSync(path.dirname(full), { recursive: true });
    writeFileSync(full, typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
}

export function tinyModelFiles(): Record<string, unknown> {
  return { 'model.onnx': 'not a real graph', 'tokenizer.json': tinyTokenizerJson() };
}
