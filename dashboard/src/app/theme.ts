import { effect, signal } from '@preact/signals';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEY = 'mneme.theme';
const system = window.matchMedia('(prefers-color-scheme: dark)');
const systemIsDark = signal(system.matches);

export const theme = signal<Theme>(THEMES.find((name) => name === window.localStorage.getItem(KEY)) ?? 'system');

export function nextTheme(): void {
  theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'system';
}

export function applyTheme(): void {
  system.addEventListener('change', ({ matches }) => {
    systemIsDark.value = matches;
  });
  effect(() => {
    const isDark = theme.value === 'system' ? systemIsDark.value : theme.value === 'dark';
    document.documentElement.dataset['theme'] = isDark ? 'dark' : 'light';
    window.localStorage.setItem(KEY, theme.value);
  });
}
