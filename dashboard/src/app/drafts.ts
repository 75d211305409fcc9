import { useState } from 'preact/hooks';

/** Half-written texts, by what they belong to: they outlive leaving the view and reloading the page, not the tab. */
const PREFIX = 'draft:';

export function readDraft(key: string): string | undefined {
  return window.sessionStorage.getItem(PREFIX + key) ?? undefined;
}

export function keepDraft(key: string, text: string | undefined): void {
  if (text === undefined) window.sessionStorage.removeItem(PREFIX + key);
  else window.sessionStorage.setItem(PREFIX + key, text);
}

/** The text typed under this key; `initial` again once it is dropped or sent. */
export function useDraft(key: string, initial = ''): readonly [string, (text: string) => void, () => void] {
  const [text, setText] = useState(() => readDraft(key) ?? initial);
  const change = (next: string): void => {
    setText(next);
    keepDraft(key, next === initial ? undefined : next);
  };
  return [text, change, () => change(initial)];
}
