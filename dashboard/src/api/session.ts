import { computed, effect, signal } from '@preact/signals';
import { ApiError, client, refusals, type Me } from './call.ts';
import { connect, connection, disconnect, pulseAll } from './live.ts';
import { forgetAnswers } from './query.ts';

/** `expired`: let in once, and not any more; what is on the page stays, behind a question for a token. */
export type Login = 'checking' | 'in' | 'out' | 'unreachable' | 'expired';
export const login = signal<Login>('checking');
export const me = signal<Me | undefined>(undefined);
export const loginProblem = signal<string | undefined>(undefined);

/** Why nothing can be changed from here; undefined when it can. */
export const readOnlyReason = computed(() => {
  const known = me.value;
  if (known === undefined || known.canWrite) return undefined;
  return known.canPropose
    ? 'This token may only propose changes. Open the page with an owner’s token to make them: mneme dashboard'
    : 'This token may only read. Open the page with an owner’s token to change something: mneme dashboard';
});

/** A token in the address is used once and taken out of it, so that it stays in no history and no bookmark. */
export async function enter(): Promise<void> {
  const [, token] = /^#token=([^&]+)/u.exec(window.location.hash) ?? [];
  if (token !== undefined) window.history.replaceState(null, '', '#/now');
  await attempt(() => (token === undefined ? client.me() : client.logIn(decodeURIComponent(token))));
}

export async function enterWith(token: string): Promise<void> {
  await attempt(() => client.logIn(tokenIn(token)));
}

/** People paste the whole address. */
function tokenIn(text: string): string {
  return /#token=([^&\s]+)/u.exec(text)?.[1] ?? text.trim();
}

export async function leave(): Promise<void> {
  await client.logOut();
  disconnect();
  forgetAnswers();
  me.value = undefined;
  login.value = 'out';
}

/** Another tab may be let in again, and shares its cookie with this one. */
const RECHECK_MS = 4000;

/** Asks whether this browser is still let in, after the server refused or the connection broke. */
export async function recheck(): Promise<void> {
  if (login.value !== 'in' && login.value !== 'expired') return;
  try {
    me.value = await client.me();
    if (login.value !== 'expired') return;
    login.value = 'in';
    connect();
    pulseAll();
  } catch (error) {
    // A server that does not answer has refused nobody; the connection is tried again anyway.
    if (isRefusal(error)) expire();
  }
}

function expire(): void {
  if (login.value === 'in') {
    login.value = 'expired';
    loginProblem.value = undefined;
    disconnect();
    // The server answers: it is this browser that is not let in.
    connection.value = 'connecting';
  }
  if (login.value === 'expired') window.setTimeout(() => void recheck(), RECHECK_MS);
}

export function listenToRefusals(): void {
  effect(() => {
    if (refusals.value > 0 && login.peek() === 'in') expire();
  });
}

function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 401 || error.status === 403);
}

async function attempt(ask: () => Promise<Me>): Promise<void> {
  try {
    me.value = await ask();
    const isBack = login.value === 'expired';
    login.value = 'in';
    loginProblem.value = undefined;
    connect();
    if (isBack) pulseAll();
  } catch (error) {
    if (login.value !== 'expired') login.value = isRefusal(error) ? 'out' : 'unreachable';
    loginProblem.value = error instanceof Error ? error.message : String(error);
  }
}
