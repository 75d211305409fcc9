/** A fault in a chain, and its place. */
export interface ChainFinding {
  readonly code: ChainFindingCode;
  /** The entry it was found at; null when it is about the whole. */
  readonly seq: number | null;
  /** Its line in chain.jsonl, from 1; null when it is not about a line. */
  readonly line: number | null;
  readonly message: string;
}

export type ChainFindingCode =
  /** The line is no entry: damaged, torn, spelled differently. */
  | 'unreadable'
  | 'torn'
  /** The signature does not fit what stands there. */
  | 'signature'
  /** The entry does not follow the one before it. */
  | 'sequence'
  | 'link'
  | 'time'
  | 'key'
  | 'checkpoint'
  /** Less than was there before, or something else: against a head noted earlier, git, or an anchor. */
  | 'truncated'
  | 'rewritten'
  /** The current content differs from the content the entry committed to. */
  | 'content'
  | 'opening'
  | 'anchor'
  | 'other-chain';
