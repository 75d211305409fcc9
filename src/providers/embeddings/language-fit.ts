import type { WordPiece } from './wordpiece.ts';
export function languageFit(text: string, tokenizer: WordPiece): number { void text; void tokenizer; return 1; }
