import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { findCheckpoint, findErasure, getEntry, makeProof, readForProof } from '../../chain/proof/make-proof.ts';
import type { Proof } from '../../chain/proof/verify-proof.ts';
import { MnemeError, must, systemCode } from '../../model/errors.ts';
import type { Chain } from '../../chain/chain.ts';
import { callInstead, defineVerb } from '../verb.ts';
import type { OperationContext } from '../context.ts';
import { openChain } from './note-memories.ts';

const input = z.strictObject({
  seq: z.number().int().min(0).describe('The entry to prove.'),
  turn: z.number().int().min(0).optional().describe('For a transcript: which turn; 0 is what stands before the first.'),
});

export type ChainProveInput = z.input<typeof input>;

export const chainProve = defineVerb({
  name: 'chain prove',
  summary: 'Make a small file that proves an entry to anybody.',
  description:
    'Make a small file that proves an entry to anybody. It holds the words of that entry or turn, and no others.',
  examples: ['mneme chain prove 12 --out proof.json'],
  input,
  args: ['seq'],
  effect: 'write',
  withoutLease: 'own',
  run: prove,
  cli: {
    extra: { out: { flags: '--out <file>', help: 'where the proof goes (default: standard output)' } },
    instead: ({ input: given, extra: { out } }) =>
      typeof out === 'string' ? callInstead(chainProveToFile, { ...given, file: out }) : undefined,
  },
});

async function prove(context: OperationContext, { seq, turn }: z.output<typeof input>): Promise<Proof> {
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
}

/** Where a proof was written. */
interface ProofFile {
  readonly file: string;
  readonly seq: number;
  readonly chain: string;
}

export const chainProveToFile = defineVerb({
  name: 'chain prove to-file',
  summary: 'Write a proof to a new file.',
  input: input.extend({ file: z.string().min(1).describe('The file.') }),
  effect: 'write',
  withoutLease: 'own',
  async run(context, { file, ...given }): Promise<ProofFile> {
    const proof = await prove(context, given);
    return { file: writeNew(file, `${JSON.stringify(proof, null, 2)}\n`), seq: given.seq, chain: proof.chain };
  },
  http: false,
  library: false,
  cli: { path: false },
  render: ({ style }, { seq, file }) => `${style.green('Proof')} of entry ${seq} written to ${file}\n`,
});

function writeNew(name: string, text: string): string {
  const file = path.resolve(name);
  try {
    fs.writeFileSync(file, text, { flag: 'wx' });
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
    throw new MnemeError('conflict', `${file} exists.`, { hint: 'Name another file with --out.' });
  }
  return file;
}

/** Nothing sums the entry up yet. */
async function addCheckpoint(chain: Chain): Promise<void> {
  await chain.exclusively((writer) => writer.append([{ type: 'checkpoint' }]));
}
