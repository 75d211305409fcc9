import { z } from 'zod';
import { MnemeError } from '../../model/errors.ts';
import { buildPieceArrays, PieceIndex } from './piece-index.ts';
import { WordPiece } from './wordpiece.ts';

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

export interface LoadedTokenizer {
  readonly tokenizer: WordPiece;
  /** Where the file says to cut a text, its framing tokens included. */
  readonly maxLength: number | undefined;
}

export function parseTokenizerJson(text: string, file: string): LoadedTokenizer {
  const parsed = TOKENIZER_JSON.safeParse(parseJson(text, file));
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

function parseJson(text: string, file: string): unknown {
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
