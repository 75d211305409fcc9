import fs from 'node:fs';
import path from 'node:path';
import { MnemeError } from '../../model/errors.ts';
import type { ClientPlaces, Target } from './client.ts';
import { findNode, insertLast, parseSettings, removeEntry, replaceValue, type JsonPath } from './json/edit.ts';
import { valueOf } from './json/tree.ts';
import { type HookAgent, type HookEvent, hookAgent } from './hook-agents.ts';
import { findPlugin } from './plugin-entry.ts';
import { type Program, homeOfHook, hookCommand, ownHookStart } from './program.ts';
import { type Edited, addMember, findServer, removeEmpty } from './server-entry.ts';

/**
 * After how many seconds an agent gives up. Mneme answers or gives up by itself within `hooks.timeout_ms`; these are for
 * the day it cannot even do that. Who waits for a prompt must not wait long.
 */
const TIMEOUTS: Readonly<Record<HookEvent, number>> = {
  SessionStart: 5,
  UserPromptSubmit: 5,
  Stop: 10,
  PreCompact: 10,
  SessionEnd: 5,
};

/** A hook of Mneme's in an agent's settings. */
export interface HookEntry {
  readonly event: string;
  readonly path: JsonPath;
  readonly command: string;
  /** The part of the command that starts Mneme. */
  readonly start: string;
}

/** The events an agent can be connected to, by its own names. */
export function eventsOf({ events }: HookAgent): string[] {
  return Object.values(events);
}

export function findHooks(text: string, agent: HookAgent): HookEntry[] {
  const root = parseSettings(text);
  return eventsOf(agent).flatMap((event) => {
    const node = findNode(root, ['hooks', event]);
    const groups: unknown = node === undefined ? undefined : valueOf(node);
    if (!Array.isArray(groups)) return [];
    return groups.flatMap((group: unknown, groupIndex) =>
      commandsOf(group).flatMap((command, index) => {
        const start = ownHookStart(command, agent.name, event);
        if (start === undefined) return [];
        return [{ event, path: ['hooks', event, groupIndex, 'hooks', index], command: String(command), start }];
      }),
    );
  });
}

export function connectHooks(text: string, program: Program, platform: NodeJS.Platform, agent: HookAgent): Edited {
  let result = text;
  const made: JsonPath[] = [];
  for (const [own, event] of Object.entries(agent.events)) {
    const seconds = TIMEOUTS[own as HookEvent];
    const timeout = agent.timeoutUnit === 'seconds' ? seconds : seconds * 1000;
    const command = hookCommand(program, agent.name, event, platform);
    const present = findHooks(result, agent).find((entry) => entry.event === event);
    if (present !== undefined) {
      if (present.command !== command) result = replaceValue(result, [...present.path, 'command'], command);
      continue;
    }
    const group = { hooks: [{ type: 'command', command, timeout }] };
    const groups = findNode(parseSettings(result), ['hooks', event]);
    if (groups === undefined) {
      const edited = addMember(result, ['hooks', event], [group]);
      made.push(...edited.made, ['hooks', event]);
      result = edited.text;
    } else if (groups.kind === 'array') result = insertLast(result, ['hooks', event], group);
    else throw new MnemeError('conflict', `"hooks.${event}" is no list.`);
  }
  return { text: result, made };
}

export function disconnectHooks(text: string, made: readonly JsonPath[], agent: HookAgent): string {
  let result = text;
  // From the last to the first, so that the places of those still to go stay right.
  for (const { path } of findHooks(text, agent).toReversed()) {
    const group = path.slice(0, 3);
    const node = findNode(parseSettings(result), group);
    const isAlone = node !== undefined && commandsOf(valueOf(node)).length === 1;
    result = removeEntry(result, isAlone ? group : path);
  }
  return removeEmpty(result, made);
}

function commandsOf(group: unknown): unknown[] {
  const hooks = typeof group === 'object' && group !== null ? (group as { hooks?: unknown }).hooks : undefined;
  if (!Array.isArray(hooks)) return [];
  return hooks.map((hook: unknown) =>
    typeof hook === 'object' && hook !== null ? (hook as { command?: unknown }).command : undefined,
  );
}

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
