import type { OperationContext } from '../context.ts';
import type { Remembered, RememberInput } from '../remember.ts';
import { agentsPropose } from './propose.ts';

/** Where another machine writes: what would have been kept waits as a proposal, in a file of its own. */
export async function proposeMemory(
  context: OperationContext,
  { text, session, scope }: RememberInput,
  reason: string,
): Promise<Remembered> {
  const filed = await agentsPropose.run(context, agentsPropose.input.parse({ text, session, scope }));
  return {
    id: filed.id,
    mutation: filed.mutation ?? '',
    store: 'meta',
    path: filed.path,
    startLine: 1,
    endLine: 1,
    commit: null,
    redacted: filed.redacted,
    warnings: [`${reason} It waits there as a proposal.`, ...filed.warnings],
  };
}
