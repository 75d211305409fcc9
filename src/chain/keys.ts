import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hash,
  sign,
  verify,
  type KeyObject,
} from 'node:crypto';
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

export function parsePrivateKey(pem: string): SigningKey {
  return describeKey(createPrivateKey(pem));
}

export function serializePrivateKey({ privateKey }: SigningKey): string {
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
