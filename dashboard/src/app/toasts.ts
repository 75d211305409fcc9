import { signal } from '@preact/signals';

export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly hint?: string | undefined;
  readonly isBad: boolean;
  readonly shownMs: number;
  readonly action?: { readonly label: string; readonly run: () => Promise<void> } | undefined;
}

export const toasts = signal<readonly Toast[]>([]);

/** Long enough to read and to decide whether it was meant. */
const SHOWN_MS = 9000;
const MAX_SHOWN = 4;
let lastId = 0;

export function showToast(text: string, options: Partial<Omit<Toast, 'id' | 'text'>> = {}): void {
  lastId += 1;
  const toast: Toast = { id: lastId, text, isBad: false, shownMs: SHOWN_MS, ...options };
  toasts.value = [...toasts.value, toast].slice(-MAX_SHOWN);
  window.setTimeout(() => dropToast(toast.id), toast.shownMs);
}

export function dropToast(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}
