import { signal } from '@preact/signals';
import { go, linkTo } from './route.ts';
import { dropToast, toasts } from './toasts.ts';

export const PLACES = [
  { place: 'now', key: 'n', label: 'Now' },
  { place: 'inbox', key: 'i', label: 'Inbox' },
  { place: 'memory', key: 'm', label: 'Memory' },
  { place: 'time', key: 't', label: 'Time' },
  { place: 'system', key: 's', label: 'System' },
] as const;

export const isHelpOpen = signal(false);
export const isPaletteOpen = signal(false);

/** After `g`, so long a letter is waited for. */
const CHORD_MS = 1200;
let chordUntil = 0;

export function listenToKeys(): void {
  document.addEventListener('keydown', onKey);
}

function onKey(event: KeyboardEvent): void {
  if (event.key === 'k' && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    isPaletteOpen.value = !isPaletteOpen.value;
    return;
  }
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  if (document.querySelector('dialog[open]') !== null) return;
  if (handle(event.key, event.timeStamp)) event.preventDefault();
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null;
}

function handle(key: string, time: number): boolean {
  if (time < chordUntil) {
    chordUntil = 0;
    const found = PLACES.find((place) => place.key === key);
    if (found !== undefined) go(linkTo(found.place));
    return found !== undefined;
  }
  if (key === 'g') {
    chordUntil = time + CHORD_MS;
    return true;
  }
  if (key === '?') {
    isHelpOpen.value = true;
    return true;
  }
  if (key === '/') return focusSearch();
  if (key === 'j' || key === 'k') return moveInList(key === 'j' ? 1 : -1);
  if (key === 'z') return undoLast();
  return pressButton(key);
}

/** Undoes the change that the latest toast offers to undo. */
function undoLast(): boolean {
  const toast = toasts.value.findLast(({ action }) => action !== undefined);
  if (toast === undefined) return false;
  dropToast(toast.id);
  void toast.action?.run();
  return true;
}

/** The view's own field, or the memory's, which takes the focus when it is shown. */
function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('[data-search-field]');
  if (field === null) go(linkTo('memory'));
  else field.focus();
  return true;
}

/** Buttons that say which key presses them, such as those that decide a proposal. */
function pressButton(key: string): boolean {
  if (!/^[a-z]$/u.test(key)) return false;
  const button = document.querySelector<HTMLButtonElement>(`main button[data-key='${key}']:enabled`);
  button?.click();
  return button !== null;
}

/** Through whatever the view marks as its list. */
function moveInList(step: number): boolean {
  const items = [...document.querySelectorAll<HTMLElement>('[data-list-item]')].filter(
    (item) => item.offsetParent !== null,
  );
  if (items.length === 0) return false;
  const focused = items.findIndex((item) => item === document.activeElement || item.contains(document.activeElement));
  const at = focused === -1 ? items.findIndex((item) => item.getAttribute('aria-current') === 'true') : focused;
  const next =
    items[Math.max(0, Math.min(items.length - 1, at === -1 ? (step > 0 ? 0 : items.length - 1) : at + step))];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
  return true;
}
