import fs from 'node:fs';
import path from 'node:path';
import type { ClientPlaces, Target } from './client.ts';
import { hookAgent } from './hook-agents.ts';
import { findHooks } from './hook-entries.ts';
import { findPlugin } from './plugin-entry.ts';
import { homeOfHook } from './program.ts';
import { findServer } from './server-entry.ts';

/** The home that is used where none is named. */
export function usualHome({ userHome }: ClientPlaces): string {
  return path.join(userHome, '.mneme');
}

/** The homes a settings file leads to; none for one that does not name Mneme, or reaches it over the network. */
export function homesIn(text: string | undefined, target: Target, places: ClientPlaces): string[] {
  if (text === undefined) return [];
  const usual = usualHome(places);
  if (target.kind === 'hooks')
    return distinct(findHooks(text, hookAgent(target.agent)).map(({ start }) => homeOfHook(start) ?? usual));
  if (target.kind === 'plugin') {
    const plugin = findPlugin(text, target);
    return plugin === undefined ? [] : [plugin.home ?? usual];
  }
  const entry = findServer(text, target);
  return entry.kind === 'own' ? [entry.home ?? usual] : [];
}

export function isSameHome(one: string, other: string): boolean {
  return resolved(one) === resolved(other);
}

export function distinct(homes: readonly string[]): string[] {
  return homes.filter((home, at) => homes.findIndex((other) => isSameHome(home, other)) === at);
}

function resolved(home: string): string {
  const full = path.resolve(home);
  return fs.existsSync(full) ? fs.realpathSync(full) : full;
}
