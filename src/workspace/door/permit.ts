import { AsyncLocalStorage } from 'node:async_hooks';
import type { CommitRequest } from './request.ts';

/** Leave to write a memory that machines share: given for a while, and asked for again at the moment of writing. */
export interface WritePermit {
  /** Throws when somebody else may have written since it was given. */
  assertHolds(): Promise<void>;
}

/** Follows the call that got it through whatever it calls: forty places write, and one that forgot it would be a hole. */
const permits = new AsyncLocalStorage<WritePermit | undefined>();

/** Whatever this writes is written only while the permit holds; without one, nobody is asked. */
export function underPermit<T>(permit: WritePermit | undefined, body: () => Promise<T>): Promise<T> {
  return permits.run(permit, body);
}

/** The permit a request is written with; transcripts and chain are this machine's own and need none. */
export function permitFor({ repository = 'workspace' }: CommitRequest): WritePermit | undefined {
  return repository === 'workspace' ? permits.getStore() : undefined;
}

/** For what is done later, by a timer that somebody else may have started. */
export function keepPermit<T>(body: () => Promise<T>): () => Promise<T> {
  const permit = permits.getStore();
  return () => permits.run(permit, body);
}
