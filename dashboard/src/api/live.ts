import { signal, type Signal } from '@preact/signals';

/** Events that the server sends on its own. */
export const EVENTS = ['mutation', 'proposal', 'alert', 'job', 'receipt', 'session'] as const;
export type LiveEvent = (typeof EVENTS)[number];

export type Connection = 'connecting' | 'live' | 'reconnecting' | 'offline';
export const connection = signal<Connection>('connecting');

/** Counts up whenever something of the kind happened; what shows it then asks again. */
export const pulses: Readonly<Record<LiveEvent, Signal<number>>> = {
  mutation: signal(0),
  proposal: signal(0),
  alert: signal(0),
  job: signal(0),
  receipt: signal(0),
  session: signal(0),
};

export interface Mutation {
  readonly mutation: string;
  readonly actor: string;
  readonly summary: string;
  readonly files: readonly string[];
}
export const lastMutation = signal<Mutation | undefined>(undefined);

/** An agent that writes a hundred lines should not make the page ask a hundred times. */
const COALESCE_MS = 250;
/** The server says something every 15 seconds. */
const SILENT_MS = 40_000;
const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 10_000;
/** Shorter interruptions are not worth a word. */
const OFFLINE_AFTER_TRIES = 3;

let source: EventSource | undefined;
let retries = 0;
let silence: number | undefined;
let retry: number | undefined;
const waiting = new Set<LiveEvent>();

export function connect(): void {
  disconnect();
  source = new EventSource('/api/v1/events');
  for (const name of EVENTS) source.addEventListener(name, (event) => receive(name, event));
  source.addEventListener('hello', (event) => greet(event));
  source.addEventListener('heartbeat', keepAlive);
  source.addEventListener('reset', pulseAll);
  source.onerror = () => lose();
  keepAlive();
}

export function disconnect(): void {
  source?.close();
  source = undefined;
  window.clearTimeout(silence);
  window.clearTimeout(retry);
}

/** Everything on the page is asked for again. */
export function pulseAll(): void {
  for (const name of EVENTS) pulses[name].value += 1;
}

function greet(event: MessageEvent<string>): void {
  const { resumed } = JSON.parse(event.data) as { resumed: boolean };
  const wasLost = connection.value !== 'connecting';
  retries = 0;
  connection.value = 'live';
  keepAlive();
  if (wasLost && !resumed) pulseAll();
}

function receive(name: LiveEvent, event: MessageEvent<string>): void {
  keepAlive();
  if (name === 'mutation') lastMutation.value = JSON.parse(event.data) as Mutation;
  if (waiting.size === 0) window.setTimeout(flush, COALESCE_MS);
  waiting.add(name);
}

function flush(): void {
  const names = [...waiting];
  waiting.clear();
  for (const name of names) pulses[name].value += 1;
}

function keepAlive(): void {
  window.clearTimeout(silence);
  silence = window.setTimeout(lose, SILENT_MS);
}

let onLost = (): void => undefined;

function lose(): void {
  disconnect();
  retries += 1;
  connection.value = retries >= OFFLINE_AFTER_TRIES || !window.navigator.onLine ? 'offline' : 'reconnecting';
  retry = window.setTimeout(connect, Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** (retries - 1)));
  onLost();
}

/** `lost` is called each time the connection breaks: it may be that this browser is not let in any more. */
export function listenToNetwork(lost: () => void): void {
  onLost = lost;
  window.addEventListener('online', connect);
  window.addEventListener('offline', lose);
}
