import { MnemeError } from '../../model/errors.ts';
import type { OperationContext } from '../context.ts';

/** Names of tags and branches cannot be redacted, and stay in git for ever. */
export async function refuseSecretName({ workspace }: OperationContext, name: string): Promise<void> {
  const { findings } = await workspace.redactor.redact(name);
  const [first] = findings;
  if (first === undefined) return;
  throw new MnemeError('refused', `The name holds what looks like a secret (${first.rule}).`, {
    hint: 'Choose another name.',
  });
}
