import { act } from './act.ts';
import { ApiError, call } from './call.ts';

/** Keeps something from fading; what has no mark of its own in its file is kept with the whole file. */
export async function keepFromFading(id: string, path: string): Promise<void> {
  await act(
    async () => {
      try {
        return await call('pin', { target: id });
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return call('pin', { target: path });
        throw error;
      }
    },
    ({ target, mutation }) => ({ text: target === path ? `${path} will not fade.` : 'It will not fade.', mutation }),
  );
}
