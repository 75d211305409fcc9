import type { z } from 'zod';
import { MnemeError } from '../../model/errors.ts';

/** Parses the answer of a service, and rejects it where it breaks the protocol. */
export function parseAnswer<T>(service: string, schema: z.ZodType<T>, answer: unknown): T {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue === undefined ? '' : ` (${issue.path.join('.')}: ${issue.message})`;
  throw new MnemeError('failure', `${service} sent an answer that is not of its protocol${where}.`, {
    hint: 'Check the address in the embedding section of mneme.yaml: another kind of server may be there.',
  });
}
