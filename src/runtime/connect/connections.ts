import { errorMessage, isMnemeError } from '../../model/errors.ts';
import type { Client, ClientName, ClientPlaces, ConnectScope, Target } from './client.ts';
import { CLIENTS, isHere } from './clients.ts';
import { hookAgent } from './hook-agents.ts';
import { distinct, findHooks, homesIn } from './hook-entries.ts';
import { isConnected, naming } from './plan.ts';
import { probeHook, probeServer, type ProbeResult } from './probe.ts';
import { findServer } from './server-entry.ts';
import { readSettings } from './settings-file.ts';

/** The connection of a program on this machine to Mneme. */
export interface Connection {
  readonly client: ClientName;
  readonly title: string;
  readonly state: 'absent' | 'not-connected' | 'occupied' | 'partly' | 'connected' | 'unreadable';
  /** The same for the project alone that somebody stands in. */
  readonly project: 'not-connected' | 'connected' | 'unreadable';
  /** The problem with a settings file. */
  readonly problem: string | null;
  /** The homes it uses; more than one is a mistake. */
  readonly homes: readonly string[];
}

export function findConnections(places: ClientPlaces): Connection[] {
  return CLIENTS.map((client) => {
    const { name, title } = client;
    const project = projectStateOf(client, places);
    try {
      const { state, problem } = stateOf(client, places);
      return { client: name, title, state, project, problem, homes: homesOf(client, places) };
    } catch (error) {
      return { client: name, title, state: 'unreadable', project, problem: errorMessage(error), homes: [] };
    }
  });
}

/**
 * Starts what a program's own settings would start. Settings inside a project are left alone: they may have come with a
 * clone, and looking at a folder must not run what it names.
 */
export async function probeConnection(name: ClientName, places: ClientPlaces, done: Probed): Promise<ProbeResult[]> {
  const client = CLIENTS.find((one) => one.name === name);
  const results: ProbeResult[] = [];
  for (const target of client?.targets(places, 'user') ?? []) {
    const text = readSettings(target.file);
    for (const { key, run } of text === undefined ? [] : probesOf(text, target)) {
      const result = done.get(key) ?? (await run());
      done.set(key, result);
      results.push(result);
    }
  }
  return results;
}

/** Probes already made: most programs start the very same command. */
export type Probed = Map<string, ProbeResult>;

interface Probe {
  readonly key: string;
  readonly run: () => Promise<ProbeResult>;
}

function probesOf(text: string, target: Target): Probe[] {
  if (target.kind === 'hooks') {
    const starts = new Set(findHooks(text, hookAgent(target.agent)).map((hook) => hook.start));
    return [...starts].map((start) => ({ key: start, run: () => probeHook(start) }));
  }
  // The plugin starts the same program as the server.
  if (target.kind === 'plugin') return [];
  const entry = findServer(text, target);
  if (entry.kind !== 'own') return [];
  const { command, args, env } = entry;
  return [{ key: JSON.stringify([command, args, env]), run: () => probeServer(command, args, env) }];
}

function stateOf(client: Client, places: ClientPlaces): Pick<Connection, 'state' | 'problem'> {
  const states = statesIn(client, places, 'user');
  if (states.every((state) => state === 'yes')) return { state: 'connected', problem: null };
  const problem = findForeign(client, places);
  if (problem !== undefined) return { state: 'occupied', problem };
  if (states.some((state) => state !== 'no')) return { state: 'partly', problem: null };
  return { state: isHere(client, places) ? 'not-connected' : 'absent', problem: null };
}

/** An entry of our name that is not ours: the program would start that, or try to. */
function findForeign(client: Client, places: ClientPlaces): string | undefined {
  for (const target of client.targets(places, 'user') ?? []) {
    const text = readSettings(target.file);
    if (text === undefined || target.kind !== 'server') continue;
    const entry = findServer(text, target);
    if (entry.kind !== 'foreign') continue;
    const starts = entry.command === undefined ? 'says nothing that starts Mneme' : `starts ${entry.command}`;
    return `${target.path.join('.')} in ${target.file} ${starts}, not by Mneme's installer`;
  }
  return undefined;
}

function homesOf(client: Client, places: ClientPlaces): string[] {
  const targets = client.targets(places, 'user') ?? [];
  return distinct(targets.flatMap((target) => homesIn(readSettings(target.file), target, places)));
}

function projectStateOf(client: Client, places: ClientPlaces): Connection['project'] {
  try {
    return statesIn(client, places, 'project').some((state) => state !== 'no') ? 'connected' : 'not-connected';
  } catch (error) {
    if (isMnemeError(error)) return 'unreadable';
    throw error;
  }
}

function statesIn(client: Client, places: ClientPlaces, scope: ConnectScope): ('yes' | 'partly' | 'no')[] {
  return (client.targets(places, scope) ?? []).map((target) =>
    naming(target.file, () => isConnected(readSettings(target.file), target)),
  );
}
