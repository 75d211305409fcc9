import { z } from 'zod';
import { defineVerb, NOT_OFFERED } from '../verb.ts';

/** Live logs up to this size are read again in a few hundred milliseconds. */
const MAX_LIVE_BYTES = 2 * 1024 * 1024;

/** A question to an index that is not is answered after it was brought up to date. */
export const indexReady = defineVerb({
  name: 'index ready',
  summary: 'Say whether a question is answered at once.',
  input: z.strictObject({}),
  effect: 'read',
  reach: 'shared',
  ...NOT_OFFERED,
  async run({ homeIndex }): Promise<boolean> {
    const live = homeIndex.files.list(() => true, ['live']);
    const liveBytes = live.reduce((sum, { size }) => sum + size, 0);
    return liveBytes <= MAX_LIVE_BYTES && (await homeIndex.isFresh());
  },
});
