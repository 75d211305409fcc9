import { errorMessage } from '../../model/errors.ts';
import { type TokenCounter, estimateCounter } from './estimate.ts';

/** A counter, and what whoever asked for it should know. */
export interface OpenedCounter {
  readonly counter: TokenCounter;
  readonly notes: readonly string[];
}

type Encoding = 'o200k_base' | 'cl100k_base';

const LOADERS: Readonly<Record<Encoding, () => Promise<{ readonly countExactly: (text: string) => number }>>> = {
  // Several megabytes each: loaded when somebody names a model that counts so, and never by a hook that does not.
  o200k_base: () => import('./o200k.ts'),
  cl100k_base: () => import('./cl100k.ts'),
};

/** The first that fits decides. Names may carry their provider: `openai/gpt-5`. */
const ENCODINGS: readonly (readonly [RegExp, Encoding])[] = [
  [/^o200k/u, 'o200k_base'],
  [/^cl100k/u, 'cl100k_base'],
  [/^gpt-(?:4o|4\.[1-9]|[5-9]|oss|image|audio|realtime)/u, 'o200k_base'],
  [/^chatgpt-|^o\d\b|^codex/u, 'o200k_base'],
  [/^gpt-(?:4|3\.5)|^text-embedding-(?:3|ada)/u, 'cl100k_base'],
];

/**
 * The factor by which a family may count above the estimate. Claude's vocabulary is not public: on the same English and code
 * its counts come out some ten to twenty-five per cent above OpenAI's, where the estimate is already a tenth above.
 */
const MARGINS: readonly (readonly [RegExp, number])[] = [
  [/claude|anthropic/u, 1.2],
  [/./u, 1.1],
];

/** For hooks, which add to a window of unknown size: what the agents themselves count by, and no vocabulary to load. */
export const CHARACTERS = 'characters';
const CHARACTERS_PER_TOKEN = 4;
const characterCounter: TokenCounter = {
  id: `characters ÷ ${CHARACTERS_PER_TOKEN}`,
  count: (text) => Math.ceil(text.length / CHARACTERS_PER_TOKEN),
};

/** Counts as a model does: exactly for OpenAI's, by the estimate with a margin for others, by the estimate for none. */
export async function openCounter(model: string | null): Promise<OpenedCounter> {
  if (model === null) return { counter: estimateCounter, notes: [] };
  if (model === CHARACTERS) return { counter: characterCounter, notes: [] };
  const name = model.trim().toLowerCase().split('/').at(-1) ?? '';
  const encoding = ENCODINGS.find(([pattern]) => pattern.test(name))?.[1];
  if (encoding === undefined) {
    return { counter: withMargin(MARGINS.find(([pattern]) => pattern.test(model.toLowerCase()))?.[1] ?? 1), notes: [] };
  }
  try {
    const { countExactly } = await LOADERS[encoding]();
    return { counter: { id: encoding, count: (text) => countInPieces(text, countExactly) }, notes: [] };
  } catch (error) {
    const why = `The vocabulary ${encoding} of ${model} could not be loaded, so tokens are estimated: ${errorMessage(error)}`;
    return { counter: withMargin(1.1), notes: [why] };
  }
}

/** By line, so that a text still costs what its lines cost. */
function withMargin(margin: number): TokenCounter {
  const count = (text: string): number =>
    text.split('\n').reduce((sum, line) => sum + Math.ceil(estimateCounter.count(line) * margin) + 1, -1);
  return { id: `${estimateCounter.id} × ${margin}`, count };
}

/** Vocabularies take time in the square of a word’s length, and nobody writes words of this length. */
const MAX_RUN = 200;
/** Runs that a vocabulary takes for one word: letters, signs or blanks without a break. */
const LONG_RUN = String.raw`[\p{L}\p{M}]{N,}|[^\s\p{L}\p{N}]{N,}|\s{N,}`.replaceAll('{N,}', `{${MAX_RUN + 1},}`);
const HAS_LONG_RUN = new RegExp(LONG_RUN, 'u');
const LONG_RUNS = new RegExp(LONG_RUN, 'gu');
/** By code point, so that no character is cut in two. */
const PIECES = new RegExp(String.raw`[\s\S]{1,${MAX_RUN}}`, 'gu');

/** Exact for what people write; longer runs are counted piece by piece, which costs at most a token more for each. */
export function countInPieces(text: string, count: (text: string) => number): number {
  if (!HAS_LONG_RUN.test(text)) return count(text);
  let sum = 0;
  let from = 0;
  for (const match of text.matchAll(LONG_RUNS)) {
    sum += count(text.slice(from, match.index));
    for (const [piece] of match[0].matchAll(PIECES)) sum += count(piece);
    from = match.index + match[0].length;
  }
  return sum + count(text.slice(from));
}
