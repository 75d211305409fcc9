import { signal } from '@preact/signals';
import { showToast } from '../app/toasts.ts';
import { act } from './act.ts';
import { call, type Input } from './call.ts';

/**
 * Decisions that are kept on record for good, such as a rejection. There is no taking them back afterwards, so that they are
 * sent a little later: until then an Undo really undoes.
 */
type Recorded = 'reject' | 'audit ack';

interface Held<N extends Recorded> {
  /** Items that the page hides meanwhile. */
  readonly ids: readonly string[];
  /** So many entries of the inbox are settled by it; one file among many is none. */
  readonly decisions: number;
  readonly name: N;
  readonly input: Input<N>;
  readonly text: string;
  readonly hint?: string | undefined;
}

export const heldIds = signal<ReadonlySet<string>>(new Set());
export const heldDecisions = signal(0);

const HOLD_MS = 7000;
const sendNow = new Set<() => void>();

export function decideLater<N extends Recorded>({ ids, decisions, name, input, text, hint }: Held<N>): void {
  heldDecisions.value += decisions;
  heldIds.value = new Set([...heldIds.value, ...ids]);
  const release = (): void => {
    window.clearTimeout(timer);
    sendNow.delete(sendBeacon);
    heldDecisions.value -= decisions;
    heldIds.value = new Set([...heldIds.value].filter((id) => !ids.includes(id)));
  };
  const send = async (): Promise<void> => {
    await act(
      () => call(name, input),
      () => undefined,
    );
    release();
  };
  // A page that is being closed can still hand over a request, but not wait for it.
  const sendBeacon = (): void => {
    const body = new Blob([JSON.stringify(input)], { type: 'application/json' });
    window.navigator.sendBeacon(`/api/v1/${name.replaceAll(' ', '/')}`, body);
    release();
  };
  const timer = window.setTimeout(() => void send(), HOLD_MS);
  sendNow.add(sendBeacon);
  const undo = (): Promise<void> => {
    release();
    showToast('Taken back.');
    return Promise.resolve();
  };
  showToast(text, { hint, action: { label: 'Undo', run: undo }, shownMs: HOLD_MS });
}

export function listenToLeaving(): void {
  window.addEventListener('pagehide', () => {
    for (const send of sendNow) send();
  });
}
