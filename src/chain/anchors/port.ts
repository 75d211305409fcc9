import type { AnchorKind, EntryOf, Head } from '../entry.ts';

/** What is left with somebody else: a signed checkpoint and its hash. */
export interface SignedHead extends Head {
  readonly checkpoint: EntryOf<'checkpoint'>;
}

/** That a head was left somewhere, as this machine remembers it. */
export interface AnchorReceipt {
  readonly kind: AnchorKind;
  /** A file, a repository, an address: where to look. */
  readonly place: string;
  readonly seq: number;
  readonly head: string;
  /** The commit or transaction; null where the place has none. */
  readonly receipt: string | null;
  readonly time: string;
}

/** A head as the place gives it back. */
export interface HeldHead extends Head {
  /** When the place took it, by its own clock; null when it does not say. */
  readonly heldSince: string | null;
}

export interface Recalled {
  readonly heads: readonly HeldHead[];
  /** What should be there and is not, or cannot be read, in words. */
  readonly problems: readonly string[];
}

/** Somebody else who holds heads of a chain. What they hold is the most that can ever be proved against us. */
export interface AnchorPlace {
  readonly kind: AnchorKind;
  readonly place: string;
  leave(head: SignedHead): Promise<{ readonly receipt: string | null }>;
  /** Every head of the chain that the place has, and those that the receipts say it should have. */
  recall(chain: string, receipts: readonly AnchorReceipt[]): Promise<Recalled>;
}
