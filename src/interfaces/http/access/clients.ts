import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '../../../platform/clock.ts';
import type { Random } from '../../../platform/random.ts';
import { HttpProblem } from '../problem.ts';
import type { ApiRole } from '../route.ts';
import { type ApiClient, type TokenFile, createClient, makeToken } from './token-file.ts';

interface KnownToken {
  readonly digest: string;
  readonly client: ApiClient;
}

interface Login {
  /** Of the token it was opened with: revoked, it opens nothing any more. */
  readonly digest: string;
  readonly endsMs: number;
}

/** A browser sends a cookie to every port of a machine: under one name two dashboards would log each other out. */
export function sessionCookie(host: string | undefined): string {
  return `mneme_session_${/:(\d{1,5})$/u.exec(host ?? '')?.[1] ?? 'here'}`;
}

/** A day's work; then the token is asked for again. */
const LOGIN_MS = 12 * 3_600_000;
const MAX_LOGINS = 1000;
const SECRET_BYTES = 32;

/** The clients with access: holders of a token of the home, of its settings, or one made for this process only. */
export class ApiClients {
  readonly #file: TokenFile;
  readonly #configured: readonly KnownToken[];
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #issued: KnownToken[] = [];
  /** By the digest of the cookie's value. */
  readonly #logins = new Map<string, Login>();

  constructor(parts: {
    readonly file: TokenFile;
    readonly configured: readonly { readonly token: string; readonly client: ApiClient }[];
    readonly clock: Clock;
    readonly random: Random;
  }) {
    this.#file = parts.file;
    this.#configured = parts.configured.map(({ token, client }) => ({ digest: hash('sha256', token), client }));
    this.#clock = parts.clock;
    this.#random = parts.random;
  }

  /** Whether anybody could connect at all without a token of this process. */
  get hasLastingTokens(): boolean {
    return this.#configured.length > 0 || this.#file.list().length > 0;
  }

  /** A token that ends with the process. */
  issue(name: string, role: ApiRole): string {
    const token = makeToken(this.#random);
    this.#issued.push({ digest: hash('sha256', token), client: createClient(name, role) });
    return token;
  }

  findByHeader(authorization: string): ApiClient | undefined {
    const token = /^Bearer +(\S+) *$/iu.exec(authorization)?.[1];
    return token === undefined ? undefined : this.#find(hash('sha256', token));
  }

  findByCookie(value: string): ApiClient | undefined {
    const login = this.#logins.get(hash('sha256', value));
    if (login === undefined || login.endsMs < this.#clock.now()) return undefined;
    return this.#find(login.digest);
  }

  /** The value of the cookie that stands for the token from now on. */
  logIn(token: string): { readonly cookie: string; readonly client: ApiClient; readonly maxAgeSeconds: number } {
    const digest = hash('sha256', token);
    const client = this.#find(digest);
    if (client === undefined) {
      throw new HttpProblem('unauthorized', 'This token opens nothing here.', {
        hint: '`mneme dashboard` prints a fresh address; `mneme serve tokens add` makes a token that lasts.',
      });
    }
    const cookie = Buffer.from(this.#random.bytes(SECRET_BYTES)).toString('base64url');
    this.#dropOldLogins();
    this.#logins.set(hash('sha256', cookie), { digest, endsMs: this.#clock.now() + LOGIN_MS });
    return { cookie, client, maxAgeSeconds: LOGIN_MS / 1000 };
  }

  logOut(cookie: string): void {
    this.#logins.delete(hash('sha256', cookie));
  }

  /** Every digest is looked at, each in constant time: how long it takes tells nothing. */
  #find(digest: string): ApiClient | undefined {
    const given = Buffer.from(digest, 'hex');
    let found: ApiClient | undefined;
    for (const known of [...this.#issued, ...this.#configured, ...this.#file.clients()]) {
      if (timingSafeEqual(Buffer.from(known.digest, 'hex'), given)) found ??= known.client;
    }
    return found;
  }

  #dropOldLogins(): void {
    const nowMs = this.#clock.now();
    for (const [key, { endsMs }] of this.#logins) if (endsMs < nowMs) this.#logins.delete(key);
    const [oldest] = this.#logins.keys();
    if (this.#logins.size >= MAX_LOGINS && oldest !== undefined) this.#logins.delete(oldest);
  }
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

export interface SiteRules {
  /** Names that requests may call this machine by, as a `Host` header writes them. */
  readonly hosts: ReadonlySet<string>;
  /** Pages elsewhere that may ask, with a token of their own. */
  readonly origins: ReadonlySet<string>;
}

export function siteRules(host: string, hosts: readonly string[], origins: readonly string[]): SiteRules {
  const own = host.includes(':') ? `[${host}]` : host;
  return {
    hosts: new Set([...LOOPBACK, own, ...hosts].map((name) => name.toLowerCase())),
    origins: new Set(origins.map((origin) => origin.toLowerCase().replace(/\/$/u, ''))),
  };
}

/**
 * A page in somebody's browser can reach a loopback port: by a name of its own that leads here (DNS rebinding, so `Host`
 * counts), or directly (so `Origin` counts). Returns the foreign origin that is allowed, if the request has one.
 */
export function checkSite(headers: IncomingHttpHeaders, rules: SiteRules): string | undefined {
  const host = headers.host?.toLowerCase() ?? '';
  if (!rules.hosts.has(host.replace(/:\d+$/u, ''))) {
    throw new HttpProblem('refused', `This server does not go by the name ${JSON.stringify(host.slice(0, 100))}.`, {
      hint: 'Names besides localhost go into server.allowed_hosts.',
    });
  }
  const origin = headers.origin?.toLowerCase();
  if (origin === undefined || origin === `http://${host}` || origin === `https://${host}`) return undefined;
  if (rules.origins.has(origin)) return origin;
  throw new HttpProblem('refused', `Pages of ${JSON.stringify(origin.slice(0, 100))} may not ask this server.`, {
    hint: 'Pages that may are listed in server.allowed_origins.',
  });
}

/** A cookie comes along whoever sent the browser here, also a page on another port of this machine. */
export function isFromOwnPage(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  return site === undefined || site === 'same-origin' || site === 'none';
}
