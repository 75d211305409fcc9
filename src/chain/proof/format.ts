import { z } from 'zod';

/*
 * A proof is one small JSON file that anybody can check with nothing but it and the chain's first public key. Entries are
 * kept as plain objects here; they are read strictly when the proof is verified.
 */

export const PROOF_FORMAT = 'mneme-proof-1';

const hashText = z.string().regex(/^[0-9a-f]{64}$/u);
const hashes = z.array(hashText).max(64);
const entry = z.record(z.string(), z.unknown());
const included = z.strictObject({ entry, path: hashes });

export const proofSchema = z.strictObject({
  format: z.literal(PROOF_FORMAT),
  /** The fingerprint of the first key. */
  chain: z.string().regex(/^[0-9a-f]{32}$/u),
  /** Every entry that brought in a key, the first one first. */
  keys: z.array(entry).min(1).max(1000),
  /** The entry that is proved, and its way to the checkpoint's root. */
  entry: included,
  /** The words and their salt, or for what was erased only the hash; absent for entries about the chain itself. */
  opening: z
    .union([
      z.strictObject({
        leaf: z.int().min(0),
        salt: z.string().regex(/^[0-9a-f]{32}$/u),
        text: z.string(),
        path: hashes,
      }),
      z.strictObject({ leaf: z.int().min(0), hash: hashText, path: hashes }),
    ])
    .optional(),
  /** The entry that says the piece was erased. */
  erasure: included.optional(),
  /** The signed sum of everything before it. */
  checkpoint: entry,
});

export type Proof = Readonly<z.infer<typeof proofSchema>>;
