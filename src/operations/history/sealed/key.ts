import fs from 'node:fs';
import path from 'node:path';
import { MnemeError } from '../../../model/errors.ts';
import { readVariable } from '../../../platform/environment.ts';
import { replaceFile } from '../../../platform/fs.ts';
import type { OperationContext } from '../../context.ts';

/** Variable with the key, for machines that keep secrets in the environment. */
export const KEY_VARIABLE = 'MNEME_ENCRYPTION_KEY';

/** Beside the workspace and never in it: what is sealed with a key must not travel with the key. */
const KEY_FILE = path.join('keys', 'remote.agekey');
const IDENTITY = /AGE-SECRET-KEY-(?:PQ-)?1[0-9A-Z]+/gu;

/** The owner of the keys: the environment may hold them instead of the home. */
export type KeyHolder = Pick<OperationContext, 'home' | 'config'>;

export interface NewKey {
  /** Where the key lies; whoever loses it cannot read what was sealed any more. */
  readonly file: string;
  /** The public half: seals, and opens nothing. */
  readonly recipient: string;
}

export function keyFile({ home }: Pick<KeyHolder, 'home'>): string {
  return path.join(home, KEY_FILE);
}

/** The secret keys in a text: the newest first, behind it those it took the place of, which still open what they sealed. */
export function parseIdentities(text: string): readonly string[] {
  return text.match(IDENTITY) ?? [];
}

/** Makes the key that seals what goes to remotes and into backups, once. */
export async function makeKey(context: KeyHolder): Promise<NewKey> {
  const file = keyFile(context);
  if (fs.existsSync(file)) {
    throw new MnemeError('conflict', `There is a key already: ${file}.`, {
      hint: '`mneme sync keys rotate` goes on with a new one. On another machine copy this file, or add its public half: `mneme sync keys add`.',
    });
  }
  const { generateX25519Identity, identityToRecipient } = await import('./age-library.ts');
  const identity = await generateX25519Identity();
  writeKeys(file, [identity], 'wx');
  return { file, recipient: await identityToRecipient(identity) };
}

/** A new key for what is sealed from now on; the old ones stay, because they open what was. */
export async function rotateKey(context: KeyHolder): Promise<NewKey> {
  if (readVariable(KEY_VARIABLE) !== undefined) {
    throw new MnemeError('refused', `The key stands in ${KEY_VARIABLE}, where nothing can be written.`, {
      hint: 'Make a new one there, in front of the old one, with a blank between them.',
    });
  }
  const known = getIdentities(context);
  const file = keyFile(context);
  const { generateX25519Identity, identityToRecipient } = await import('./age-library.ts');
  const identity = await generateX25519Identity();
  const fresh = `${file}.new`;
  fs.rmSync(fresh, { force: true });
  writeKeys(fresh, [identity, ...known], 'wx');
  fs.renameSync(fresh, file);
  return { file, recipient: await identityToRecipient(identity) };
}

function writeKeys(file: string, identities: readonly string[], flag: 'wx'): void {
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  fs.writeFileSync(file, `${identities.join('\n')}\n`, { mode: 0o600, flag, flush: true });
}

/** The secret keys from the environment, or from the home; the first one is in use. */
export function findIdentities(context: KeyHolder): readonly string[] {
  const file = keyFile(context);
  const given = readVariable(KEY_VARIABLE) ?? (fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : undefined);
  const found = given === undefined ? [] : parseIdentities(given);
  if (given === undefined || found.length > 0) return found;
  throw noKey(context, 'The key to seal the memory with is no age key.');
}

export function getIdentities(context: KeyHolder): readonly string[] {
  const found = findIdentities(context);
  if (found.length > 0) return found;
  throw noKey(context, 'There is no key to seal the memory with.');
}

function noKey(context: KeyHolder, problem: string): MnemeError {
  return new MnemeError('usage', problem, {
    hint: `Make one once: \`mneme sync --new-key\`. On another machine copy it to ${keyFile(context)}, or set ${KEY_VARIABLE}.`,
  });
}

/** The public half of the key in use. */
export async function recipientOf([identity]: readonly string[]): Promise<string | undefined> {
  const { identityToRecipient } = await import('./age-library.ts');
  return identity === undefined ? undefined : identityToRecipient(identity);
}

/** Beside the key, in the home: a file of the workspace may come from elsewhere, and would let its writer read along. */
const RECIPIENTS_FILE = path.join('keys', 'recipients.txt');
const RECIPIENT = /^age1(?:pq1)?[0-9a-z]{20,4000}$/u;
const LINE = /^(?<key>age1\S+)(?:\s+#\s*(?<name>.*))?$/u;

/** Another recipient who can decrypt data from here: another machine, a person. */
export interface SealRecipient {
  readonly key: string;
  readonly name: string | null;
}

export function recipientsFile({ home }: Pick<KeyHolder, 'home'>): string {
  return path.join(home, RECIPIENTS_FILE);
}

export function readRecipients(context: KeyHolder): readonly SealRecipient[] {
  const file = recipientsFile(context);
  if (!fs.existsSync(file)) return [];
  const lines = fs.readFileSync(file, 'utf8').split('\n');
  return lines.flatMap((line, at): SealRecipient[] => {
    const text = line.trim();
    if (text === '' || text.startsWith('#')) return [];
    const { key, name } = LINE.exec(text)?.groups ?? {};
    // Passing over a line would shut somebody out, or hide that somebody was let in.
    if (key === undefined || !RECIPIENT.test(key)) {
      throw new MnemeError('integrity', `Line ${at + 1} of ${file} is not a public key.`, {
        hint: 'Write age1… with a name after #, or remove the line.',
      });
    }
    return [{ key, name: name === undefined || name === '' ? null : name }];
  });
}

export function writeRecipients(context: KeyHolder, recipients: readonly SealRecipient[]): void {
  const file = recipientsFile(context);
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const lines = recipients.map(({ key, name }) => (name === null ? key : `${key} # ${name}`));
  replaceFile(file, lines.map((line) => `${line}\n`).join(''), { flush: true });
}

/** Fails for what cannot seal anything: one letter that was typed wrong would be found out only when somebody needs it. */
export async function assertRecipient(key: string): Promise<void> {
  try {
    if (!RECIPIENT.test(key)) throw new Error('its form is another');
    const { Encrypter } = await import('./age-library.ts');
    const encrypter = new Encrypter();
    encrypter.addRecipient(key);
    await encrypter.encrypt('x');
  } catch (error) {
    throw new MnemeError('usage', `"${key.slice(0, 80)}" is not an age public key.`, {
      hint: '`mneme sync keys show` on the other machine prints it: age1…',
      cause: error,
    });
  }
}

/** Everybody that what is sealed now is meant for: this home, and whom it was told of. */
export async function allRecipients(context: KeyHolder): Promise<readonly string[]> {
  const own = await recipientOf(getIdentities(context));
  return [...new Set([...(own === undefined ? [] : [own]), ...readRecipients(context).map(({ key }) => key)])];
}
