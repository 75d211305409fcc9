import fs from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { errorMessage, MnemeError, systemCode } from '../../../model/errors.ts';

export async function seal(recipients: readonly string[], bytes: Uint8Array): Promise<Uint8Array> {
  return (await encrypterFor(recipients)).encrypt(bytes);
}

export async function open(identities: readonly string[], bytes: Uint8Array, name: string): Promise<Uint8Array> {
  const decrypter = await decrypterWith(identities);
  try {
    return await decrypter.decrypt(bytes);
  } catch (error) {
    throw closed(name, error);
  }
}

/** As `seal`, for what is too large to be held in memory. */
export async function sealFile(recipients: readonly string[], source: string, target: string): Promise<void> {
  const encrypter = await encrypterFor(recipients);
  const sealed = await encrypter.encrypt(streamOf(source));
  await pipeline(Readable.fromWeb(sealed as ReadableStream), fs.createWriteStream(target, NEW_FILE));
}

export async function openFile(identities: readonly string[], source: string, target: string): Promise<void> {
  const decrypter = await decrypterWith(identities);
  try {
    const opened = await decrypter.decrypt(streamOf(source));
    await pipeline(Readable.fromWeb(opened as ReadableStream), fs.createWriteStream(target, NEW_FILE));
  } catch (error) {
    const code = systemCode(error);
    // A file that was there before belongs to another program.
    if (code !== 'EEXIST') fs.rmSync(target, { force: true });
    throw code === undefined ? closed(source, error) : error;
  }
}

const NEW_FILE = { flags: 'wx', mode: 0o600, flush: true } as const;

function streamOf(file: string): globalThis.ReadableStream<Uint8Array> {
  return Readable.toWeb(fs.createReadStream(file)) as globalThis.ReadableStream<Uint8Array>;
}

async function encrypterFor(recipients: readonly string[]) {
  const { Encrypter } = await import('./age-library.ts');
  const encrypter = new Encrypter();
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  return encrypter;
}

async function decrypterWith(identities: readonly string[]) {
  const { Decrypter } = await import('./age-library.ts');
  const decrypter = new Decrypter();
  for (const identity of identities) decrypter.addIdentity(identity);
  return decrypter;
}

function closed(name: string, error: unknown): MnemeError {
  const isForOthers = /no identity matched/iu.test(errorMessage(error));
  const why = isForOthers ? 'it was sealed for other keys' : 'it is damaged, or no age file';
  return new MnemeError('integrity', `${name} cannot be opened: ${why}.`, {
    hint: isForOthers
      ? 'Bring the key of the machine that sealed it, or let that one add this machine’s (`mneme sync keys add`, then `mneme sync keys reseal`).'
      : 'Take another copy of it.',
    cause: error,
  });
}
