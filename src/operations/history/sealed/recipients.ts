import fs from 'node:fs';
import path from 'node:path';
import { MnemeError } from '../../../model/errors.ts';
import { replaceFile } from '../../../platform/fs.ts';
import { getIdentities, recipientOf, type KeyHolder } from './key.ts';

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
      throw new MnemeError('integrity', `Line ${at + 1} of ${file} is no public key.`, {
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
    throw new MnemeError('usage', `"${key.slice(0, 80)}" is no public key of age.`, {
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
