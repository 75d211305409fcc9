import { createHash } from 'node:crypto';

/**
 * The id git gives a blob. The door uses it as its content hash, so that what a file is known to contain can be read
 * off a tree without hashing anything again.
 */
export function blobId(bytes: Uint8Array): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}
