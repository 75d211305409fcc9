import { computed, signal } from '@preact/signals';
import { ApiError, client, type Me } from './call.ts';
import { connect, disconnect } from './live.ts';

export type Login = 'checking' | 'in' | 'out' | 'unreachable';
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
  if (token !== undefined) window.history.replaceState(null, '', '#/today');
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
  me.value = undefined;
  login.value = 'out';
}

async function attempt(ask: () => Promise<Me>): Promise<void> {
  try {
    me.value = await ask();
    login.value = 'in';
    loginProblem.value = undefined;
    connect();
  } catch (error) {
    const isRefused = error instanceof ApiError && (error.status === 401 || error.status === 403);
    login.value = isRefused ? 'out' : 'unreachable';
    loginProblem.value = error instanceof Error ? error.message : String(error);
  }
}
