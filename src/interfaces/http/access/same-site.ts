import type { IncomingHttpHeaders } from 'node:http';
import { HttpProblem } from '../problem.ts';

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
