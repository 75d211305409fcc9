import { randomBytes as cryptoRandomBytes } from 'node:crypto';

export interface Random {
  bytes(length: number): Uint8Array;
  /** Uniform in [0, 1). */
  number(): number;
}

export const systemRandom: Random = {
  bytes: (length) => cryptoRandomBytes(length),
  number: () => Math.random(),
};
