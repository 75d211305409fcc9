import type { OperationContext } from '../context.ts';

/** Whether conversations are learned from without anybody asking. */
export function learnsByItself({ config }: Pick<OperationContext, 'config'>): boolean {
  return config.extract.trigger === 'on_session_end';
}
