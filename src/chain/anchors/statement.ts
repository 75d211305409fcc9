import { z } from 'zod';
import { hashLine, serializeEntry } from '../entry.ts';
import { findEntry } from '../parse-entry.ts';
import type { HeldHead, SignedHead } from './port.ts';
import { parseJson } from '../../model/parse-json.ts';

const statementSchema = z.object({
  format: z.literal('mneme-head-1'),
  chain: z.string().regex(/^[0-9a-f]{32}$/u),
  checkpoint: z.unknown(),
});

/** One line of JSON: which chain, and its checkpoint as it is signed. */
export function serializeHead({ chain, checkpoint }: Pick<SignedHead, 'chain' | 'checkpoint'>): string {
  return JSON.stringify({ format: 'mneme-head-1', chain, checkpoint });
}

/** Undefined for what is no head. That it is signed by the chain's key is seen when it is found in the chain. */
export function parseHead(text: string): HeldHead | undefined {
  const { chain, checkpoint } = statementSchema.safeParse(parseJson(text)).data ?? {};
  const entry = findEntry(checkpoint);
  if (chain === undefined || entry?.type !== 'checkpoint') return undefined;
  return { chain, seq: entry.seq, head: hashLine(serializeEntry(entry)), heldSince: null };
}
