import { z } from 'zod';
import { defineOperation } from '../../operation.ts';
import { makeKey, type NewKey } from './key.ts';

export const newSealKey = defineOperation({
  name: 'sync --new-key',
  summary: 'Make the key that seals what goes to remotes.',
  input: z.strictObject({}),
  effect: 'write',
  by: 'person',
  run: (context): Promise<NewKey> => makeKey(context),
});
