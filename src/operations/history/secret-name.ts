import { refuseSecretId } from '../../workspace/safety/clean-name.ts';
import type { OperationContext } from '../context.ts';

/** Names of tags and branches cannot be redacted, and stay in git for ever. */
export function refuseSecretName({ workspace }: OperationContext, name: string): Promise<void> {
  return refuseSecretId(workspace.redactor, name, 'name');
}
