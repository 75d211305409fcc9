import fs from 'node:fs';
import path from 'node:path';
import { MnemeError } from '../../../model/errors.ts';
import { readVariable } from '../../../platform/environment.ts';
import type { OperationContext } from '../../context.ts';

/** Beside the workspace and never in it: what is sealed with a key must not travel with the key. */
const KEY_FILE = path.join('keys', 'remote.agekey');
const IDENTITY = /^AGE-SECRET-KEY-(?:PQ-)?1[0-9A-Z]+$/u;

export interface NewKey {
  /** Where the key lies; whoever loses it cannot read the remote any more. */
  readonly file: string;
  /** The public half: seals, and opens nothing. */
  readonly recipient: string;
}

function keyFile({ home }: Pick<OperationContext, 'home'>): string {
  return path.join(home, KEY_FILE);
}

/** Makes the key that seals what goes to remotes, once. */
export async function makeKey(context: OperationContext): Promise<NewKey> {
  const file = keyFile(context);
  if (fs.existsSync(file)) {
    throw new MnemeError('conflict', `There is a key already: ${file}.`, {
      hint: 'Copy that file to the other machine; another key could not open what was sealed with it.',
    });
  }
  const { generateX25519Identity, identityToRecipient } = await import('./age-library.ts');
  const identity = await generateX25519Identity();
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  fs.writeFileSync(file, `${identity}\n`, { mode: 0o600, flag: 'wx' });
  return { file, recipient: await identityToRecipient(identity) };
}

/** The key from the environment, or from the home. */
export function getKey(context: OperationContext): string {
  const { encryption_key_env: variable } = context.config.git;
  const file = keyFile(context);
  const given = readVariable(variable) ?? (fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : undefined);
  const identity = given
    ?.split('\n')
    .find((line) => line.startsWith('AGE-SECRET-KEY-'))
    ?.trim();
  if (identity !== undefined && IDENTITY.test(identity)) return identity;
  const problem =
    given === undefined ? 'There is no key to seal the memory with.' : 'The key to seal the memory with is no age key.';
  throw new MnemeError('usage', problem, {
    hint: `Make one once: \`mneme sync --new-key\`. On another machine copy it to ${file}, or set ${variable}.`,
  });
}

export async function seal(identity: string, bytes: Uint8Array): Promise<Uint8Array> {
  const { Encrypter, identityToRecipient } = await import('./age-library.ts');
  const encrypter = new Encrypter();
  encrypter.addRecipient(await identityToRecipient(identity));
  return encrypter.encrypt(bytes);
}

export async function open(identity: string, bytes: Uint8Array, name: string): Promise<Uint8Array> {
  const { Decrypter } = await import('./age-library.ts');
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  try {
    return await decrypter.decrypt(bytes);
  } catch (error) {
    throw new MnemeError(
      'integrity',
      `${name} at the remote cannot be opened: it was sealed with another key, or damaged.`,
      {
        hint: 'Use the key of the machine that sealed it.',
        cause: error,
      },
    );
  }
}
