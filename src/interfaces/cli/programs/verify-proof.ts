import { z } from 'zod';
import { verifyProofFile } from '../../../operations/chain/verify-proof.ts';
import { renderVerdict } from '../../../operations/chain/render-chain.ts';
import { EXIT_CODES } from '../cli.ts';
import { defineProgram } from '../derive/program.ts';

export const verifyProof = defineProgram({
  name: 'chain verify-proof',
  summary: 'Check a proof, offline.',
  description:
    'Check a proof, offline. Exit code 7 when it proves nothing: without a key only a proof of this home’s own chain does.',
  examples: ['mneme chain verify-proof proof.json --key agent.pub'],
  input: z.strictObject({
    file: z.string().min(1).describe('The proof.'),
    key: z.string().optional().describe('The public key or chain that you trust: digits, or a PEM file.'),
  }),
  args: ['file'],
  cli: { options: { key: { value: 'key' } } },
  start({ cli, options, input: { file, key } }) {
    const verdict = verifyProofFile(file, key, cli.home(options));
    cli.print(options, verdict, (shown) => renderVerdict(cli, shown));
    if (!verdict.isValid) cli.exitCode = EXIT_CODES.integrity;
    return Promise.resolve();
  },
});
