import { signal } from '@preact/signals';
import { go, linkTo } from './route.ts';

export const VIEWS = [
  { view: 'today', key: 't', label: 'Today' },
  { view: 'approvals', key: 'a', label: 'Approvals' },
  { view: 'search', key: 's', label: 'Search' },
  { view: 'history', key: 'h', label: 'History' },
  { view: 'timeline', key: 'l', label: 'Timeline' },
  { view: 'files', key: 'f', label: 'Core & files' },
  { view: 'graph', key: 'g', label: 'Graph' },
  { view: 'topics', key: 'o', label: 'Topics' },
  { view: 'health', key: 'e', label: 'Health' },
] as const;

export const isHelpOpen = signal(false);

/** After `g`, so long a letter is waited for. */
const CHORD_MS = 1200;
let chordUntil = 0;

export function listenToKeys(): void {
  document.addEventListener('keydown', onKey);
}

function onKey(event: KeyboardEvent): void {
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
    const found = VIEWS.find((view) => view.key === key);
    if (found !== undefined) go(linkTo(found.view));
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
  return false;
}

function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('[data-search-field]');
  if (field === null) go(linkTo('search'));
  else field.focus();
  return true;
}

/** Through whatever the view marks as its list. */
function moveInList(step: number): boolean {
  const items = [...document.querySelectorAll<HTMLElement>('[data-list-item]')].filter(
    (item) => item.offsetParent !== null,
  );
  if (items.length === 0) return false;
  const at = items.findIndex((item) => item === document.activeElement || item.contains(document.activeElement));
  const next =
    items[Math.max(0, Math.min(items.length - 1, at === -1 ? (step > 0 ? 0 : items.length - 1) : at + step))];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
  return true;
}
