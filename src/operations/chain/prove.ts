import { z } from 'zod';
import { findCheckpoint, findErasure, getEntry, makeProof, readForProof } from '../../chain/proof/make-proof.ts';
import type { Proof } from '../../chain/proof/format.ts';
import { MnemeError, must } from '../../model/errors.ts';
import type { Chain } from '../../chain/chain.ts';
import { defineOperation } from '../operation.ts';
import { openChain } from './open-chain.ts';

const input = z.strictObject({
  seq: z.number().int().min(0).describe('The entry to prove.'),
  turn: z.number().int().min(0).optional().describe('For a transcript: which turn; 0 is what stands before the first.'),
});

export type ChainProveInput = z.input<typeof input>;

export const chainProve = defineOperation({
  name: 'chain prove',
  summary: 'Make a small file that proves an entry to anybody.',
  input,
  effect: 'write',
  withoutLease: 'own',
  async run(context, { seq, turn }): Promise<Proof> {
    const { chain } = await openChain(context);
    const read = readForProof(chain.read());
    const entry = getEntry(read, seq);
    if (entry.type === 'transcript' && turn === undefined) {
      throw new MnemeError('usage', `Entry ${seq} is a transcript of ${entry.content.leaves - 1} turns; which one?`, {
        hint: 'Name it with --turn; `mneme chain show SEQ` lists them.',
      });
    }
    const request = { seq, leaf: turn ?? 0 };
    const behind = findErasure(read, request)?.seq ?? seq;
    const known = findCheckpoint(read, behind);
    if (known !== undefined) return makeProof(read, known, request, chain);
    await addCheckpoint(chain);
    const again = readForProof(chain.read());
    return makeProof(again, must(findCheckpoint(again, behind), 'the checkpoint'), request, chain);
  },
});

/** Nothing sums the entry up yet. */
async function addCheckpoint(chain: Chain): Promise<void> {
  await chain.exclusively((writer) => writer.append([{ type: 'checkpoint' }]));
}
