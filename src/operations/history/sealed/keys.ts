import { z } from 'zod';
import { MnemeError } from '../../../model/errors.ts';
import { readVariable } from '../../../platform/environment.ts';
import { listRemotes } from '../../../workspace/git/remote.ts';
import type { OperationContext } from '../../context.ts';
import { defineVerb } from '../../verb.ts';
import { settleHistory } from '../open-history.ts';
import {
  KEY_VARIABLE,
  type NewKey,
  type SealRecipient,
  assertRecipient,
  findIdentities,
  keyFile,
  makeKey,
  readRecipients,
  recipientOf,
  recipientsFile,
  rotateKey,
  writeRecipients,
} from './key.ts';
import { resealRemote } from './sealed-sync.ts';

const nothing = z.strictObject({});

export const newSealKey = defineVerb({
  name: 'keys new',
  summary: 'Make the key that seals what goes to remotes and into encrypted backups.',
  input: nothing,
  effect: 'write',
  by: 'person',
  run: (context): Promise<NewKey> => makeKey(context),
  http: false,
  library: { name: 'keys.create' },
  cli: { path: 'sync keys new', formerly: ['keys new'] },
  render: async (view, output) => (await import('./render-keys.ts')).renderNewKey(view, output),
});

export interface SealKeys {
  /** Where the secret half lies: a file, or the name of a variable; null when there is none yet. */
  readonly place: string | null;
  /** The public half of the key in use: give it to whoever should seal for this machine. */
  readonly recipient: string | null;
  /** Keys before it, which only open what they sealed. */
  readonly older: number;
  /** Other recipients who can decrypt data from here. */
  readonly others: readonly SealRecipient[];
  readonly notes: readonly string[];
}

export const showSealKeys = defineVerb({
  name: 'keys show',
  summary: 'Show which key seals, and who else may open what it sealed.',
  input: nothing,
  effect: 'read',
  by: 'person',
  run: (context): Promise<SealKeys> => describe(context, []),
  http: false,
  cli: { path: 'sync keys show', isDefault: true, formerly: ['keys', 'keys show'] },
  render: async (view, output) => (await import('./render-keys.ts')).renderKeys(view, output),
});

export const rotateSealKey = defineVerb({
  name: 'keys rotate',
  summary: 'Seal with a new key from now on; the old ones stay, to open what they sealed.',
  input: nothing,
  effect: 'write',
  by: 'person',
  async run(context): Promise<SealKeys> {
    await rotateKey(context);
    return describe(context, [
      `Keep a copy of ${keyFile(context)} elsewhere, and give the new public half to your other machines.`,
      RESEAL,
    ]);
  },
  http: false,
  cli: { path: 'sync keys rotate', formerly: ['keys rotate'] },
  render: async (view, output) => (await import('./render-keys.ts')).renderKeys(view, output),
});

const RESEAL =
  'What was sent before is sealed as it was; `mneme sync keys reseal` sends it anew, sealed for those who are meant now. Whoever fetched it earlier still has it.';

const name = z
  .string()
  .trim()
  .min(1)
  .max(80)
  .regex(/^[^\n#]+$/u, 'is one line without #');

const addInput = z.strictObject({
  key: z.string().trim().min(1).describe('The public half of their key: age1…'),
  name: name.optional().describe('Whose it is, such as laptop.'),
});

export const addSealRecipient = defineVerb({
  name: 'keys add',
  summary: 'Let another machine or person open what is sealed from now on.',
  examples: ['mneme sync keys add age1… --name laptop'],
  input: addInput,
  args: ['key'],
  effect: 'write',
  by: 'person',
  async run(context, { key, name: whose = null }): Promise<SealKeys> {
    await assertRecipient(key);
    const known = readRecipients(context);
    if (known.some((one) => one.key === key)) {
      throw new MnemeError('conflict', `That key is there already: ${recipientsFile(context)}.`);
    }
    writeRecipients(context, [...known, { key, name: whose }]);
    return describe(context, [RESEAL]);
  },
  http: false,
  cli: { path: 'sync keys add', formerly: ['keys add'], options: { name: { value: 'name' } } },
  render: async (view, output) => (await import('./render-keys.ts')).renderKeys(view, output),
});

const removeInput = z.strictObject({ who: z.string().trim().min(1).describe('The public key, or the name it has.') });

export const removeSealRecipient = defineVerb({
  name: 'keys remove',
  summary: 'Seal nothing more for another machine or person.',
  input: removeInput,
  args: ['who'],
  effect: 'write',
  by: 'person',
  async run(context, { who }): Promise<SealKeys> {
    const known = readRecipients(context);
    const left = known.filter((one) => one.key !== who && one.name !== who);
    if (left.length === known.length) {
      throw new MnemeError('not-found', `There is no recipient ${who}.`, { hint: '`mneme sync keys` lists them.' });
    }
    writeRecipients(context, left);
    return describe(context, [RESEAL]);
  },
  http: false,
  cli: { path: 'sync keys remove', formerly: ['keys remove'] },
  render: async (view, output) => (await import('./render-keys.ts')).renderKeys(view, output),
});

export interface Resealed {
  readonly remote: string;
  /** For how many keys it is sealed now. */
  readonly recipients: number;
}

export const resealRemoteHistory = defineVerb({
  name: 'keys reseal',
  summary: 'Send everything anew, sealed for those who are meant now.',
  input: nothing,
  effect: 'write',
  by: 'person',
  async run(context): Promise<Resealed> {
    const git = await settleHistory(context);
    const remotes = await listRemotes(git);
    const { remote } = context.config.git;
    const chosen = remotes.find(({ name: own, url }) => url === remote || own === remote || own === 'origin');
    if (context.config.git.private_scopes !== 'encrypt' || chosen === undefined) {
      throw new MnemeError(
        'usage',
        'This home has no remote with encrypted content, so there is nothing to encrypt again.',
        {
          hint: '`mneme config set git.private_scopes encrypt`, then `mneme sync --remote ADDRESS`.',
        },
      );
    }
    // With the credentials it may hold, which the list leaves out.
    await resealRemote(context, await git.text(['remote', 'get-url', chosen.name]));
    return { remote: chosen.url, recipients: readRecipients(context).length + 1 };
  },
  http: false,
  cli: { path: 'sync keys reseal', formerly: ['keys reseal'] },
  render: async (view, output) => (await import('./render-keys.ts')).renderResealed(view, output),
});

async function describe(context: OperationContext, notes: readonly string[]): Promise<SealKeys> {
  const identities = findIdentities(context);
  const place = readVariable(KEY_VARIABLE) === undefined ? keyFile(context) : KEY_VARIABLE;
  return {
    place: identities.length === 0 ? null : place,
    recipient: (await recipientOf(identities)) ?? null,
    older: Math.max(0, identities.length - 1),
    others: readRecipients(context),
    notes,
  };
}
