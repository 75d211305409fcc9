import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

/** Treats a remembered control token as plain text: nothing is special about a quotation. */
const NOTHING_SPECIAL = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() };

export function countExactly(text: string): number {
  return countTokens(text, NOTHING_SPECIAL);
}
