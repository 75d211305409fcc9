import { signal } from '@preact/signals';
import {
  ApiError,
  MnemeClient,
  type AnswerOf,
  type InputOf,
  type Me,
  type RouteName,
} from '../../../src/client/client.ts';

export { ApiError, type Me };
export type Name = RouteName;
export type Input<N extends Name> = InputOf<N>;
export type Output<N extends Name> = AnswerOf<N>;

/** The page comes from the server it asks. */
export const client = new MnemeClient();

/** Counts the answers that said this browser is not let in any more. */
export const refusals = signal(0);

/** Calls an operation. The page never shows the answer to an older question: its signal aborts that. */
export function call<N extends Name>(name: N, input: Input<N>, signal?: AbortSignal): Promise<Output<N>> {
  const options = signal === undefined ? undefined : { signal };
  // The client leaves the input out where an operation takes none; here it is always given.
  const ask = client.call.bind(client) as (
    name: N,
    input: Input<N>,
    options?: { signal: AbortSignal },
  ) => Promise<Output<N>>;
  return ask(name, input, options).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 401) refusals.value += 1;
    throw error;
  });
}
