import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { MnemeError } from '../../../model/errors.ts';
import { start } from '../../../platform/process.ts';
import { EXIT_CODES, type Cli, type GlobalOptions } from '../cli.ts';
import { defineProgram } from '../derive/program.ts';
import { selfCommand } from '../version.ts';

const TIERS = ['static', 'onnx'] as const;

export const indexBench = defineProgram({
  name: 'index bench',
  summary: 'Measure how well and how fast search finds things; needs a checkout.',
  description:
    'Measure how much of the evidence search finds within a budget, against plain word search. It needs a checkout: an installed package does not carry the measurements.',
  input: z.object({
    data: z
      .string()
      .optional()
      .describe('Conversations with labelled questions; those of the repository when not given.'),
    tier: z
      .enum(TIERS, { error: ({ input }) => `"${String(input)}" is not a tier: use ${TIERS.join(' or ')}` })
      .optional()
      .describe('The embeddings; static when not given.'),
  }),
  cli: { formerly: ['bench retrieval', 'bench'], options: { data: { value: 'dir' }, tier: { value: 'name' } } },
  start: ({ cli, options, input }) => runBench(cli, 'retrieval', { ...options, ...input }),
});

interface BenchOptions extends GlobalOptions {
  readonly data?: string | undefined;
  readonly tier?: string | undefined;
}

async function runBench(cli: Cli, name: string, { json, data, tier }: BenchOptions): Promise<void> {
  const script = benchScript(name);
  const args = [
    script,
    ...(data === undefined ? [] : ['--data', path.resolve(data)]),
    ...(tier === undefined ? [] : ['--tier', tier]),
    ...(json === true ? ['--json'] : []),
  ];
  const { code, out } = await follow(cli, args, json === true);
  // The measurements end in one line of JSON, whatever they say before.
  if (json === true) cli.io.out(`${out.trimEnd().split('\n').at(-1) ?? ''}\n`);
  if (code !== 0)
    throw new MnemeError('failure', `The benchmark ended with ${code}.`, { hint: 'What it said stands above.' });
  cli.exitCode = EXIT_CODES.ok;
}

function benchScript(name: string): string {
  const [, launcher] = selfCommand();
  const script = launcher === undefined ? undefined : path.resolve(path.dirname(launcher), '..', 'bench', `${name}.ts`);
  if (script !== undefined && fs.existsSync(script)) return script;
  throw new MnemeError('not-found', `bench/${name}.ts is not here: benchmarks need a checkout of the repository.`, {
    hint: 'Clone it, run `npm install` in it, and then `bin/mneme index bench` there.',
  });
}

/** Runs a script with this Node; what it says is shown as it comes, or kept for the end. */
function follow(
  cli: Cli,
  args: readonly string[],
  isKept: boolean,
): Promise<{ readonly code: number; readonly out: string }> {
  return new Promise((resolve, reject) => {
    const child = start(process.execPath, args);
    let out = '';
    child.stdin.end();
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (isKept) out += text;
      else cli.io.out(text);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => cli.io.err(text));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? EXIT_CODES.failure, out }));
  });
}
