import { z } from 'zod';
import { unknownKeyError } from '../../model/config/keys.ts';
import { readConfig } from '../../workspace/config/file.ts';
import { listConfig, type ConfigEntry } from '../../workspace/config/parse.ts';
import { changeSetting, type ConfigChange } from '../home/configure.ts';
import { defineVerb } from '../verb.ts';

const key = z.string().trim().min(1).max(200);

export interface ConfigValues {
  readonly values: readonly ConfigEntry[];
}

export const getSettings = defineVerb({
  name: 'config get',
  summary: 'List settings with their values and meaning.',
  input: z.strictObject({ key: key.optional().describe('One setting, or the beginning of several.') }),
  effect: 'read',
  async run({ home }, { key: wanted = '' }): Promise<ConfigValues> {
    const { config, text } = await readConfig(home);
    const values = listConfig(config, text).filter((entry) => entry.key.startsWith(wanted));
    if (values.length === 0) throw unknownKeyError(wanted);
    return { values };
  },
  args: ['key'],
  // A program: a home with broken settings cannot be opened.
  cli: false,
});

const force = z.boolean().default(false).describe('Change what is normally fixed (time_zone, format).');

export const setSetting = defineVerb({
  name: 'config set',
  summary: 'Change one setting.',
  description: 'Change one setting; comments and everything else in the file stay as they are.',
  examples: ['mneme config set git.cadence 10m'],
  input: z.strictObject({
    key: key.describe('Its name, such as git.cadence.'),
    value: z.string().max(10_000).describe('As it would be typed.'),
    force,
  }),
  args: ['key', 'value'],
  effect: 'write',
  by: 'person',
  run: (context, given): Promise<ConfigChange> => changeSetting(context, given.key, given.value, given.force),
  http: { omit: ['force'] },
  render: (_view, _change, { key: name, value }) => `${name} = ${value}\n`,
});

export const unsetSetting = defineVerb({
  name: 'config unset',
  summary: 'Go back to the default.',
  input: z.strictObject({ key: key.describe('Its name.'), force }),
  args: ['key'],
  effect: 'write',
  by: 'person',
  run: (context, given): Promise<ConfigChange> => changeSetting(context, given.key, undefined, given.force),
  http: { omit: ['force'] },
  render: (_view, _change, { key: name }) => `${name} is back to its default.\n`,
});
