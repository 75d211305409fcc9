import { createHash, timingSafeEqual } from 'node:crypto';
import type { Config } from '../../model/config/schema.ts';
import { MnemeError } from '../../model/errors.ts';
import type { Actor, Role } from '../../model/mutation.ts';
import { modeOf, narrower, type Access } from './access.ts';

interface KnownToken {
  readonly digest: Buffer;
  readonly name: string;
  readonly access: Access;
}

/** The clients that may connect over HTTP: holders of these tokens, with the token's role. */
export class TokenTable {
  readonly #tokens: readonly KnownToken[];

  constructor(tokens: readonly { readonly name: string; readonly token: string; readonly access: Access }[]) {
    this.#tokens = tokens.map(({ name, token, access }) => ({ name, access, digest: digest(token) }));
  }

  /** Finds the client of an `Authorization` header. Compared in constant time. */
  find(authorization: string | undefined): { readonly name: string; readonly access: Access } | undefined {
    const given = /^Bearer +(\S+) *$/iu.exec(authorization ?? '')?.[1];
    if (given === undefined) return undefined;
    const own = digest(given);
    return this.#tokens.find((known) => timingSafeEqual(known.digest, own));
  }

  byName(name: string): Access | undefined {
    return this.#tokens.find((known) => known.name === name)?.access;
  }
}

/** Digests have one length, whatever was sent. */
function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

const ACTORS: Readonly<Record<Role, (name: string) => Actor>> = {
  // The same token is a person's over HTTP's API; whoever speaks MCP is a program.
  human: (name) => `bot:${name}`,
  main: (name) => `bot:${name}`,
  subagent: (name) => `subagent:${name}`,
  reader: (name) => `reader:${name}`,
};

/** The tokens of `server.tokens`; a variable that is not set is said, because its holder would only see "401". */
export function configuredTokens(
  { tokens }: Config['server'],
  most: Access['mode'],
  readVariable: (name: string) => string | undefined,
): { readonly name: string; readonly token: string; readonly access: Access }[] {
  return tokens.map(({ name, role, token_env: variable, scope }) => {
    const token = readVariable(variable);
    if (token === undefined) {
      throw new MnemeError('usage', `The token of ${name} is missing: ${variable} is not set.`, {
        hint: 'Set the variable, or take the entry out of server.tokens in mneme.yaml.',
      });
    }
    const actor = ACTORS[role](name.replaceAll(/[^\w.@-]+/gu, '-'));
    return { name, token, access: { actor, mode: narrower(most, modeOf(actor)), scope } };
  });
}
