import {
  type KeyObject,
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hash,
  scryptSync,
  sign,
  verify,
} from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { MnemeError, must, systemCode } from '../model/errors.ts';
import type { Random } from '../platform/random.ts';
import { parseJson } from '../model/records.ts';
import { canonical } from './entry.ts';

const KEY_DOMAIN = 'mneme chain key 1\n';

/** An Ed25519 key that signs. */
export interface SigningKey {
  readonly privateKey: KeyObject;
  /** 32 bytes, as hexadecimal digits. */
  readonly publicKey: string;
  readonly fingerprint: string;
}

export function generateKey(): SigningKey {
  return describeKey(generateKeyPairSync('ed25519').privateKey);
}

function parsePrivateKey(pem: string): SigningKey {
  return describeKey(createPrivateKey(pem));
}

function serializePrivateKey({ privateKey }: SigningKey): string {
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

export function serializePublicKey(publicKey: string): string {
  return keyObjectOf(publicKey).export({ type: 'spki', format: 'pem' }).toString();
}

/** Thirty-two hexadecimal digits that name a key; those of the first key name the chain. */
export function fingerprintOf(publicKey: string): string {
  return hash('sha256', Buffer.from(publicKey, 'hex'), 'hex').slice(0, 32);
}

/** The new key signs that it takes over a place in a chain. */
export function provePossession(key: SigningKey, chain: string, seq: number): string {
  return signBytes(key, possessionBytes(key.publicKey, chain, seq));
}

export function isPossessionProved(publicKey: string, proof: string, chain: string, seq: number): boolean {
  return isSignedBy(publicKey, possessionBytes(publicKey, chain, seq), proof);
}

function possessionBytes(publicKey: string, chain: string, seq: number): Buffer {
  return Buffer.from(KEY_DOMAIN + canonical({ chain, publicKey, seq }), 'utf8');
}

export function signBytes({ privateKey }: SigningKey, bytes: Uint8Array): string {
  return sign(null, bytes, privateKey).toString('hex');
}

export function isSignedBy(publicKey: string, bytes: Uint8Array, signature: string): boolean {
  return verify(null, bytes, keyObjectOf(publicKey), Buffer.from(signature, 'hex'));
}

/** Making a key object costs more than checking a signature with it; a chain has few keys. */
const known = new Map<string, KeyObject>();
const MAX_KNOWN = 64;

function keyObjectOf(publicKey: string): KeyObject {
  const found = known.get(publicKey);
  if (found !== undefined) return found;
  const x = Buffer.from(publicKey, 'hex').toString('base64url');
  const made = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(publicKey, made);
  return made;
}

function describeKey(privateKey: KeyObject): SigningKey {
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' });
  const publicKey = Buffer.from(x ?? '', 'base64url').toString('hex');
  return { privateKey, publicKey, fingerprint: fingerprintOf(publicKey) };
}

const PRIVATE_KEY = 'agent.key';
/** A new key before the chain has taken it over. */
const NEXT_KEY = 'agent.next.key';
const PUBLIC_KEY = 'agent.pub';

const OWNER_ONLY = 0o600;

/** The machine's key beside its chain; git ignores `*.key`, and backups leave it out. */
export class KeyFiles {
  readonly #folder: string;

  constructor(chainFolder: string) {
    this.#folder = chainFolder;
  }

  /** The key with this fingerprint; one that was about to take over when the process died takes over now. */
  find(fingerprint: string): SigningKey | undefined {
    const current = this.read();
    if (current?.fingerprint === fingerprint) return current;
    const next = this.#readKey(NEXT_KEY);
    if (next?.fingerprint !== fingerprint) return undefined;
    this.promote(next);
    return next;
  }

  read(): SigningKey | undefined {
    return this.#readKey(PRIVATE_KEY);
  }

  /** The key, made now where there is none: of several processes that make one at once, the first wins. */
  ensure(): SigningKey {
    const known = this.read();
    if (known !== undefined) return known;
    const temporary = this.#writeTemporary(PRIVATE_KEY, serializePrivateKey(generateKey()), OWNER_ONLY);
    try {
      fs.linkSync(temporary, this.privateKeyFile);
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error;
    } finally {
      fs.rmSync(temporary, { force: true });
    }
    return must(this.read(), 'the key that was just made');
  }

  get privateKeyFile(): string {
    return path.join(this.#folder, PRIVATE_KEY);
  }

  get publicKeyFile(): string {
    return path.join(this.#folder, PUBLIC_KEY);
  }

  /** Before the entry that brings it in is written: a key that signed and is lost would end the chain. */
  writeNext(key: SigningKey): void {
    this.#write(NEXT_KEY, serializePrivateKey(key), OWNER_ONLY);
  }

  promote(key: SigningKey): void {
    this.#write(PRIVATE_KEY, serializePrivateKey(key), OWNER_ONLY);
    this.#write(PUBLIC_KEY, serializePublicKey(key.publicKey), 0o644);
    fs.rmSync(path.join(this.#folder, NEXT_KEY), { force: true });
  }

  /** Describes the problems with the files. */
  problems(): string[] {
    if (process.platform === 'win32') return [];
    return [PRIVATE_KEY, NEXT_KEY].flatMap((name) => {
      const full = path.join(this.#folder, name);
      const mode = fs.statSync(full, { throwIfNoEntry: false })?.mode;
      if (mode === undefined || (mode & 0o077) === 0) return [];
      return [`${full} can be read by others (mode ${(mode & 0o777).toString(8)}); it should be 600`];
    });
  }

  #readKey(name: string): SigningKey | undefined {
    const full = path.join(this.#folder, name);
    try {
      return parsePrivateKey(fs.readFileSync(full, 'utf8'));
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return undefined;
      throw new MnemeError('integrity', `${full} is no key that can be read.`, {
        hint: 'Bring it back from its backup: `mneme chain keys restore FILE`.',
        cause: error,
      });
    }
  }

  #write(name: string, text: string, mode: number): void {
    fs.renameSync(this.#writeTemporary(name, text, mode), path.join(this.#folder, name));
  }

  #writeTemporary(name: string, text: string, mode: number): string {
    fs.mkdirSync(this.#folder, { recursive: true });
    const temporary = path.join(this.#folder, `${name}.${process.pid}.tmp`);
    fs.rmSync(temporary, { force: true });
    fs.writeFileSync(temporary, text, { mode, flag: 'wx', flush: true });
    return temporary;
  }
}

const backupSchema = z.strictObject({
  format: z.literal('mneme-key-backup-1'),
  fingerprint: z.string(),
  kdf: z.strictObject({
    name: z.literal('scrypt'),
    // Bounded, so that a made-up file cannot take all memory.
    N: z
      .int()
      .min(1024)
      .max(2 ** 20),
    r: z.int().min(1).max(32),
    p: z.int().min(1).max(16),
    salt: z.string(),
  }),
  cipher: z.strictObject({ name: z.literal('aes-256-gcm'), iv: z.string(), tag: z.string() }),
  data: z.string(),
});

/** A tenth of a second and 32 MB for whoever knows the passphrase; as much for each guess. */
const COST = { N: 2 ** 15, r: 8, p: 1 } as const;

const MIN_PASSPHRASE = 8;

export function encryptKey(key: SigningKey, passphrase: string, random: Random): string {
  if (passphrase.length < MIN_PASSPHRASE) {
    throw new MnemeError('usage', `A passphrase has at least ${MIN_PASSPHRASE} characters.`);
  }
  const salt = Buffer.from(random.bytes(16));
  const iv = Buffer.from(random.bytes(12));
  const cipher = createCipheriv('aes-256-gcm', deriveKey(passphrase, salt, COST), iv);
  cipher.setAAD(Buffer.from(key.fingerprint, 'utf8'));
  const data = Buffer.concat([cipher.update(serializePrivateKey(key), 'utf8'), cipher.final()]);
  const backup: z.infer<typeof backupSchema> = {
    format: 'mneme-key-backup-1',
    fingerprint: key.fingerprint,
    kdf: { name: 'scrypt', ...COST, salt: salt.toString('base64') },
    cipher: { name: 'aes-256-gcm', iv: iv.toString('base64'), tag: cipher.getAuthTag().toString('base64') },
    data: data.toString('base64'),
  };
  return `${JSON.stringify(backup, null, 2)}\n`;
}

export function decryptKey(text: string, passphrase: string): SigningKey {
  const backup = backupSchema.safeParse(parseJson(text)).data;
  if (backup === undefined) {
    throw new MnemeError('usage', 'That file is no backup of a key.', { hint: '`mneme chain keys backup` makes one.' });
  }
  const { kdf, cipher, data, fingerprint } = backup;
  try {
    const key = deriveKey(passphrase, Buffer.from(kdf.salt, 'base64'), kdf);
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(cipher.iv, 'base64'));
    decipher.setAAD(Buffer.from(fingerprint, 'utf8'));
    decipher.setAuthTag(Buffer.from(cipher.tag, 'base64'));
    const pem = Buffer.concat([decipher.update(Buffer.from(data, 'base64')), decipher.final()]).toString('utf8');
    return parsePrivateKey(pem);
  } catch (error) {
    throw new MnemeError('refused', 'The key cannot be opened: the passphrase is wrong, or the file is damaged.', {
      cause: error,
    });
  }
}

function deriveKey(passphrase: string, salt: Buffer, { N, r, p }: { N: number; r: number; p: number }): Buffer {
  return scryptSync(passphrase.normalize('NFKC'), salt, 32, { N, r, p, maxmem: 256 * N * r });
}
