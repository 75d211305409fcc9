import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { decryptKey, encryptKey, fingerprintOf, serializePublicKey } from '../../chain/key-files.ts';
import { readEntries, readTip } from '../../chain/file.ts';
import { MnemeError } from '../../model/errors.ts';
import { readVariable } from '../../platform/environment.ts';
import type { Terminal } from '../command-line/style.ts';
import type { OperationContext } from '../context.ts';
import { defineVerb } from '../verb.ts';
import { openChain } from './note-memories.ts';

export interface ChainKey {
  readonly fingerprint: string;
  readonly publicKey: string;
  readonly reason: string;
  readonly seq: number;
  readonly since: string;
  /** Whether it signs now, and its private half is here. */
  readonly isCurrent: boolean;
  readonly isHere: boolean;
}

export interface ChainKeys {
  readonly chain: string | null;
  readonly keys: readonly ChainKey[];
  /** The current public key as others can keep it. */
  readonly pem: string | null;
  readonly notes: readonly string[];
}

export const chainKeys = defineVerb({
  name: 'chain keys',
  summary: 'Show the keys that sign the chain.',
  input: z.strictObject({}),
  effect: 'read',
  run: (context): Promise<ChainKeys> => listKeys(context),
  http: false,
  cli: { path: 'chain keys show', isDefault: true },
  render: async (view, output) => (await import('./render-chain.ts')).renderKeys(view, output),
});

async function listKeys(context: OperationContext, more: readonly string[] = []): Promise<ChainKeys> {
  const { chain, notes } = await openChain(context);
  const entries = [...readEntries(chain.read())].flatMap(({ entry }) => (entry.type === 'key' ? [entry] : []));
  const here = chain.keys.read()?.fingerprint;
  const keys = entries.map(({ body, seq, time }, index): ChainKey => {
    const fingerprint = fingerprintOf(body.publicKey);
    return {
      fingerprint,
      publicKey: body.publicKey,
      reason: body.reason,
      seq,
      since: time,
      isCurrent: index === entries.length - 1,
      isHere: here === fingerprint,
    };
  });
  const last = keys.at(-1);
  const pem = last === undefined ? null : serializePublicKey(last.publicKey);
  return { chain: keys[0]?.fingerprint ?? null, keys, pem, notes: [...more, ...notes, ...chain.keys.problems()] };
}

export const chainRotateKey = defineVerb({
  name: 'chain keys rotate',
  summary: 'Go on with a new key; the old one signs for it.',
  input: z.strictObject({}),
  effect: 'write',
  by: 'person',
  async run(context): Promise<ChainKeys> {
    const { chain } = await openChain(context);
    assertExists(chain.exists);
    await chain.exclusively((writer) => writer.changeKey('rotation'));
    return listKeys(context, [
      'The old key signs nothing any more; make a backup of the new one (`mneme chain keys backup`).',
    ]);
  },
  http: false,
  library: { name: 'chain.rotateKey' },
  render: async (view, output) => (await import('./render-chain.ts')).renderKeys(view, output),
});

export const chainReplaceKey = defineVerb({
  name: 'chain keys replace',
  summary: 'Go on with a new key although the old one is lost; everybody can see that.',
  input: z.strictObject({}),
  effect: 'write',
  by: 'person',
  async run(context): Promise<ChainKeys> {
    const { chain } = await openChain(context);
    assertExists(chain.exists);
    const { key } = readTip(chain.read());
    if (key !== undefined && chain.keys.find(key) !== undefined) {
      throw new MnemeError('refused', 'The key is not lost: it is here.', {
        hint: '`mneme chain keys rotate` changes it.',
      });
    }
    const { fingerprint } = await chain.exclusively((writer) => writer.changeKey('lost'));
    return listKeys(context, [
      `\`mneme chain verify\` reports the change until you accept the key: mneme config set chain.accepted_keys '["${fingerprint}"]'`,
    ]);
  },
  http: false,
  library: { name: 'chain.replaceKey' },
  render: async (view, output) => (await import('./render-chain.ts')).renderKeys(view, output),
});

const PASSPHRASE_ENV = 'MNEME_KEY_PASSPHRASE';

async function askPassphrase(terminal: Terminal, question: string): Promise<string> {
  const known = readVariable(PASSPHRASE_ENV);
  if (known !== undefined) return known;
  const typed = terminal.isTerminal ? await terminal.askSecret(question) : undefined;
  if (typed !== undefined && typed !== '') return typed;
  throw new MnemeError('usage', 'A passphrase is needed.', { hint: `Type it, or set ${PASSPHRASE_ENV}.` });
}

const backupInput = z.strictObject({
  file: z.string().min(1).describe('Where the backup goes.'),
  passphrase: z.string().describe('What opens it again.'),
});

export interface ChainKeyBackup {
  readonly file: string;
  readonly fingerprint: string;
}

export const chainBackupKey = defineVerb({
  name: 'chain keys backup',
  summary: 'Write the key to a file that only a passphrase opens.',
  input: backupInput,
  args: ['file', 'passphrase'],
  effect: 'write',
  by: 'person',
  async run(context, { file, passphrase }): Promise<ChainKeyBackup> {
    const { chain } = await openChain(context);
    const key = chain.keys.read();
    if (key === undefined)
      throw new MnemeError('not-found', 'There is no key here.', { hint: 'The first entry makes one.' });
    const full = path.resolve(file);
    if (fs.existsSync(full)) throw new MnemeError('conflict', `${full} exists.`, { hint: 'Name another file.' });
    fs.writeFileSync(full, encryptKey(key, passphrase, context.random), { mode: 0o600, flag: 'wx', flush: true });
    return { file: full, fingerprint: key.fingerprint };
  },
  http: false,
  library: { name: 'chain.backupKey' },
  cli: {
    args: ['file'],
    options: { passphrase: false },
    prepare: async ({ input: { file = '' } }, terminal) => ({
      file,
      passphrase: await askPassphrase(terminal, 'A passphrase for the backup: '),
    }),
  },
  render: ({ style }, { fingerprint, file }) =>
    `${style.green('Backed up')} key ${fingerprint} to ${file}\n` +
    `${style.dim('Without the passphrase nobody can open it, you included.')}\n`,
});

export const chainRestoreKey = defineVerb({
  name: 'chain keys restore',
  summary: 'Bring the key back from its backup.',
  input: backupInput,
  args: ['file', 'passphrase'],
  effect: 'write',
  by: 'person',
  async run(context, { file, passphrase }): Promise<ChainKeyBackup> {
    const chain = await context.chain.open();
    const full = path.resolve(file);
    const text = fs.existsSync(full) ? fs.readFileSync(full, 'utf8') : undefined;
    if (text === undefined) throw new MnemeError('not-found', `There is no file ${full}.`);
    const key = decryptKey(text, passphrase);
    const { key: wanted } = readTip(chain.read());
    if (wanted !== undefined && wanted !== key.fingerprint) {
      throw new MnemeError('conflict', `That is the key ${key.fingerprint}; the chain is signed by ${wanted} now.`, {
        hint: 'Take the backup that was made after the last rotation.',
      });
    }
    await chain.exclusively(() => {
      chain.keys.promote(key);
      return Promise.resolve();
    });
    return { file: full, fingerprint: key.fingerprint };
  },
  http: false,
  library: { name: 'chain.restoreKey' },
  cli: {
    args: ['file'],
    options: { passphrase: false },
    prepare: async ({ input: { file = '' } }, terminal) => ({
      file,
      passphrase: await askPassphrase(terminal, 'The passphrase of the backup: '),
    }),
  },
  render: ({ style }, { fingerprint }) => `${style.green('Restored')} key ${fingerprint}\n`,
});

function assertExists(exists: boolean): void {
  if (exists) return;
  throw new MnemeError('not-found', 'The chain has no entry yet, and no key.', {
    hint: '`mneme chain add "…"` enters something and makes one.',
  });
}
