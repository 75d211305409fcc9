import { z } from 'zod';
import { parseJson } from '../../model/records.ts';
import { type AnchorKind, type EntryOf, type Head, hashLine, serializeEntry } from '../entry.ts';
import { findEntry } from '../parse-entry.ts';

/** The data left at an anchor: a signed checkpoint and its hash. */
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
  /** Descriptions of items that are missing or unreadable. */
  readonly problems: readonly string[];
}

/** A third party that holds heads of a chain. Their copy limits what can ever be proved against us. */
export interface AnchorPlace {
  readonly kind: AnchorKind;
  readonly place: string;
  leave(head: SignedHead): Promise<{ readonly receipt: string | null }>;
  /** Every head of the chain that the place has, and those that the receipts say it should have. */
  recall(chain: string, receipts: readonly AnchorReceipt[]): Promise<Recalled>;
}

const statementSchema = z.object({
  format: z.literal('mneme-head-1'),
  chain: z.string().regex(/^[0-9a-f]{32}$/u),
  checkpoint: z.unknown(),
});

/** One line of JSON: which chain, and its checkpoint as it is signed. */
export function serializeHead({ chain, checkpoint }: Pick<SignedHead, 'chain' | 'checkpoint'>): string {
  return JSON.stringify({ format: 'mneme-head-1', chain, checkpoint });
}

/** Undefined for a text that is not a chain head. The signature is checked when the head is found in the chain. */
export function parseHead(text: string): HeldHead | undefined {
  const { chain, checkpoint } = statementSchema.safeParse(parseJson(text)).data ?? {};
  const entry = findEntry(checkpoint);
  if (chain === undefined || entry?.type !== 'checkpoint') return undefined;
  return { chain, seq: entry.seq, head: hashLine(serializeEntry(entry)), heldSince: null };
}
