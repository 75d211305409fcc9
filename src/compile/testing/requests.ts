import { createRedactor } from '../../workspace/safety/redact.ts';
import { defaultConfig } from '../../model/config/schema.ts';
import { compile, type Compiled } from '../compiler.ts';
import { type TokenCounter, estimateCounter } from '../tokens/estimate.ts';
import type { CompileRequest, World } from '../world.ts';

export const PLAIN_REQUEST: CompileRequest = {
  receipt: '01TEST',
  message: '',
  system: undefined,
  event: undefined,
  preset: 'dense',
  budget: undefined,
  response: undefined,
  maxChars: undefined,
  session: undefined,
  source: undefined,
  project: undefined,
  told: undefined,
  scope: 'shared',
  isMainSession: true,
  isDry: true,
};

/** Compiles in a made-up world. */
export function compileWith(
  world: World,
  request: Partial<CompileRequest>,
  counter: TokenCounter = estimateCounter,
): Promise<Compiled> {
  const parts = { counter, redactor: createRedactor(defaultConfig().redaction) };
  return compile({ ...PLAIN_REQUEST, ...request }, world, parts, { mutation: null, journalEnd: '' });
}
