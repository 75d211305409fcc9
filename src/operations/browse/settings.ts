import { z } from 'zod';
import { unknownKeyError } from '../../model/config/keys.ts';
import { readConfig } from '../../workspace/config/file.ts';
import { listConfig, type ConfigEntry } from '../../workspace/config/list.ts';
import { changeSetting, type ConfigChange } from '../home/configure.ts';
import { defineOperation } from '../operation.ts';

const key = z.string().trim().min(1).max(200);

export interface ConfigValues {
  readonly values: readonly ConfigEntry[];
}

export const getSettings = defineOperation({
  name: 'config get',
  summary: 'Settings with their values and meaning.',
  input: z.strictObject({ key: key.optional().describe('One setting, or the beginning of several.') }),
  effect: 'read',
  async run({ home }, { key: wanted = '' }): Promise<ConfigValues> {
    const { config, text } = await readConfig(home);
    const values = listConfig(config, text).filter((entry) => entry.key.startsWith(wanted));
    if (values.length === 0) throw unknownKeyError(wanted);
    return { values };
  },
});

export const setSetting = defineOperation({
  name: 'config set',
  summary: 'Change one setting.',
  input: z.strictObject({ key, value: z.string().max(10_000).describe('As it would be typed.') }),
  effect: 'write',
  by: 'person',
  run: (context, given): Promise<ConfigChange> => changeSetting(context, given.key, given.value, false),
});

export const unsetSetting = defineOperation({
  name: 'config unset',
  summary: 'Go back to the default.',
  input: z.strictObject({ key }),
  effect: 'write',
  by: 'person',
  run: (context, given): Promise<ConfigChange> => changeSetting(context, given.key, undefined, false),
});
