import type { EmbeddingKind } from './port.ts';

/** The prefix a model expects before a text, by the kind of text. */
export type Prompts = Readonly<Record<EmbeddingKind, string>>;

export const NO_PROMPTS: Prompts = { query: '', document: '' };

/** Model families whose cards ask for prompts; without them their vectors are measurably worse. */
const FAMILIES: readonly (readonly [pattern: RegExp, prompts: Prompts])[] = [
  [/embeddinggemma/iu, { query: 'task: search result | query: ', document: 'title: none | text: ' }],
  [/nomic-embed-text/iu, { query: 'search_query: ', document: 'search_document: ' }],
  [/(^|[/-])e5-/iu, { query: 'query: ', document: 'passage: ' }],
];

export function promptsOf(model: string): Prompts {
  return FAMILIES.find(([pattern]) => pattern.test(model))?.[1] ?? NO_PROMPTS;
}

/** Part of a vector's tag: the same model with other prompts gives other vectors. */
export function promptsTag(prompts: Prompts): string {
  return prompts === NO_PROMPTS ? '' : '+prompts';
}
