import { hash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { MnemeError, systemCode } from '../../../model/errors.ts';
import { parseActor, type Actor, type Role } from '../../../model/mutation.ts';
import { isScope, type Scope } from '../../../model/provenance.ts';
import { replaceFile } from '../../../platform/fs.ts';
import { ProcessLock } from '../../../platform/process-lock.ts';
import type { Random } from '../../../platform/random.ts';
import { API_ROLES, type ApiRole } from '../route.ts';

/** The client behind a request. */
export interface ApiClient {
  readonly name: string;
  readonly role: ApiRole;
  readonly actor: Actor;
  /** Set where a client is confined: it sees what is shared and what belongs to this scope. */
  readonly scope: Scope | undefined;
}

const ACTOR_KINDS: Readonly<Record<ApiRole, string>> = {
  owner: 'human',
  viewer: 'human',
  main: 'bot',
  proposer: 'subagent',
  reader: 'reader',
};

/** The roles as `server.tokens` calls them. */
export const ROLE_OF_SETTING: Readonly<Record<Role, ApiRole>> = {
  human: 'owner',
  main: 'main',
  subagent: 'proposer',
  reader: 'reader',
};

export function createClient(name: string, role: ApiRole, scope?: string): ApiClient {
  if (scope !== undefined && !isScope(scope)) {
    throw new MnemeError('usage', `"${scope}" is no scope.`, {
      hint: 'Use shared, or user:NAME, project:NAME, channel:NAME, agent:NAME.',
    });
  }
  const actor = parseActor(`${ACTOR_KINDS[role]}:${name.replaceAll(/[^\w.@-]+/gu, '-')}`);
  return { name, role, actor, scope };
}

const storedToken = z.object({
  name: z.string().min(1),
  role: z.enum(API_ROLES),
  scope: z.string().optional(),
  /** SHA-256 of the token, in hexadecimal: the token itself is nowhere. */
  digest: z.string().regex(/^[0-9a-f]{64}$/u),
  created: z.string(),
});
const storedTokens = z.object({ tokens: z.array(storedToken) });

export type StoredToken = z.output<typeof storedToken>;

export interface NewToken {
  readonly name: string;
  readonly role: ApiRole;
  readonly scope?: string | undefined;
}

const FILE = 'tokens.json';
const TOKEN_BYTES = 32;
const NAME = /^[\w.@-]{1,60}$/u;
/** Adding one takes milliseconds; whoever holds it longer hangs. */
const LOCK_TRIES = 100;
const LOCK_PAUSE_MS = 20;

/** A new secret. The letters in front tell people and secret scanners what it is. */
export function makeToken(random: Random): string {
  return `mneme_${Buffer.from(random.bytes(TOKEN_BYTES)).toString('base64url')}`;
}

/** The tokens of a home: `state/tokens.json`, readable by its owner only. Read anew when it has changed. */
export class TokenFile {
  readonly #file: string;
  #read: { readonly stamp: string; readonly tokens: readonly StoredToken[] } | undefined;

  constructor(state: string) {
    this.#file = path.join(state, FILE);
  }

  list(): readonly StoredToken[] {
    const stat = fs.statSync(this.#file, { throwIfNoEntry: false });
    const stamp = stat === undefined ? '' : `${stat.mtimeMs} ${stat.size} ${stat.ino}`;
    if (this.#read?.stamp !== stamp) this.#read = { stamp, tokens: stat === undefined ? [] : this.#parse() };
    return this.#read.tokens;
  }

  /** Returns the token, which nobody can be shown again. */
  async add({ name, role, scope }: NewToken, random: Random, created: string): Promise<string> {
    if (!NAME.test(name)) {
      throw new MnemeError('usage', `"${name}" cannot be the name of a token.`, {
        hint: 'Use letters, digits, dot, dash and underscore, at most 60 of them.',
      });
    }
    createClient(name, role, scope);
    const token = makeToken(random);
    await this.#change((tokens) => {
      if (tokens.some((known) => known.name === name)) {
        throw new MnemeError('conflict', `There is a token called ${name} already.`, {
          hint: `Choose another name, or take it back first: mneme serve tokens revoke ${name}`,
        });
      }
      return [
        ...tokens,
        { name, role, ...(scope === undefined ? {} : { scope }), digest: hash('sha256', token), created },
      ];
    });
    return token;
  }

  async revoke(name: string): Promise<StoredToken> {
    let revoked: StoredToken | undefined;
    await this.#change((tokens) => {
      revoked = tokens.find((known) => known.name === name);
      return tokens.filter((known) => known !== revoked);
    });
    if (revoked !== undefined) return revoked;
    throw new MnemeError('not-found', `There is no token called ${name}.`, {
      hint: '`mneme serve tokens list` shows them.',
    });
  }

  clients(): readonly (StoredToken & { readonly client: ApiClient })[] {
    return this.list().map((token) =>
      Object.assign({ client: createClient(token.name, token.role, token.scope) }, token),
    );
  }

  async #change(change: (tokens: readonly StoredToken[]) => readonly StoredToken[]): Promise<void> {
    const lock = await this.#takeLock();
    try {
      const next = change(fs.existsSync(this.#file) ? this.#parse() : []);
      replaceFile(this.#file, `${JSON.stringify({ tokens: next }, undefined, 2)}\n`);
      this.#read = undefined;
    } finally {
      lock.release();
    }
  }

  async #takeLock(): Promise<ProcessLock> {
    for (let tries = 0; tries < LOCK_TRIES; tries += 1) {
      const lock = ProcessLock.tryTake(`${this.#file}.lock`);
      if (lock !== undefined) return lock;
      await setTimeout(LOCK_PAUSE_MS);
    }
    throw new MnemeError('locked', 'Somebody else is changing the tokens.', { hint: 'Try again.' });
  }

  #parse(): readonly StoredToken[] {
    try {
      return storedTokens.parse(JSON.parse(fs.readFileSync(this.#file, 'utf8'))).tokens;
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return [];
      if (!(error instanceof SyntaxError) && !(error instanceof z.ZodError)) throw error;
      throw new MnemeError('integrity', `${this.#file} cannot be read.`, {
        hint: 'Delete it and add the tokens again with `mneme serve tokens add`; until then none of them opens anything.',
        cause: error,
      });
    }
  }
}
