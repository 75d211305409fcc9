import fs from 'node:fs';
import path from 'node:path';
import { isMnemeError } from '../../model/errors.ts';
import { CONFIG_FILE } from '../../workspace/config/file.ts';
import type { Diagnosis } from '../setup/check-setup.ts';
import { findClient } from './clients.ts';
import { findConnections, probeConnection, type Connection, type Probed } from './connections.ts';
import { type Client, type ClientPlaces, ENTRY_NAME, type Target } from './client.ts';
import { hookAgent } from './hook-agents.ts';
import { distinct, eventsOf, findHooks, homesIn, isSameHome } from './hook-entries.ts';
import { findNode, parseSettings } from './json/edit.ts';
import { valueOf } from './json/tree.ts';
import { naming } from './plan.ts';
import { findPlugin } from './plugin-entry.ts';
import { findServer } from './server-entry.ts';
import { readSettings } from './settings-file.ts';

/** Checks of `doctor` for the programs on this machine: whether they are connected, and whether that works. */
export async function diagnoseClients(places: ClientPlaces, home: string): Promise<Diagnosis[]> {
  const connections = findConnections(places);
  // One after the other: several servers starting at once would make each look slow.
  const diagnoses: Diagnosis[] = [];
  const probed: Probed = new Map();
  for (const connection of connections) diagnoses.push(await diagnose(connection, { places, home, probed }));
  return diagnoses;
}

const PROJECT_WORDS: Readonly<Record<Connection['project'], string>> = {
  'not-connected': '',
  connected: '; connected in this project',
  unreadable: '; its settings in this project cannot be understood',
};

interface Surroundings {
  readonly places: ClientPlaces;
  /** The home that `doctor` looks at. */
  readonly home: string;
  readonly probed: Probed;
}

async function diagnose(connection: Connection, around: Surroundings): Promise<Diagnosis> {
  const { client: name, state, project, problem } = connection;
  const here = PROJECT_WORDS[project];
  const install = `mneme install ${name}`;
  switch (state) {
    case 'absent':
      return { name, isOk: true, message: `not installed here${here}` };
    case 'not-connected':
      return { name, isOk: true, message: `installed, not connected (${install})${here}` };
    case 'unreadable':
      return { name, isOk: false, message: problem ?? 'its settings cannot be read' };
    case 'occupied':
      return {
        name,
        isOk: false,
        message: `not connected: ${problem ?? ''}. Rename that entry or take it out, then \`${install}\`.`,
      };
    default:
      return diagnoseConnected(connection, around);
  }
}

async function diagnoseConnected(connection: Connection, around: Surroundings): Promise<Diagnosis> {
  const { client: name, state, project } = connection;
  const { places, home, probed } = around;
  const client = findClient(name);
  const faults = client === undefined ? [] : findFaults(client, places);
  const results = await probeConnection(name, places, probed);
  const failed = results.find((result) => !result.isOk);
  // Where the home is gone nothing can start, and that was said.
  if (failed !== undefined && !failed.isOk && !faults.some((fault) => fault.includes('no memory home'))) {
    faults.push(`${failed.problem}. \`mneme install ${name}\` repairs the entry`);
  }
  const here = PROJECT_WORDS[project];
  const connected = state === 'partly' ? 'connected in part' : 'connected';
  if (faults.length > 0) return { name, isOk: false, message: `${connected}, but ${faults.join('; ')}.${here}` };
  const tested = results.length === 0 ? 'not tested: it is reached over the network' : 'starts and answers';
  const other = connection.homes.find((one) => !isSameHome(one, home));
  const elsewhere = other === undefined ? '' : ` to another home, ${other} (mneme install ${name} connects this one)`;
  return { name, isOk: true, message: `connected${elsewhere}, ${tested}${here}` };
}

/** Faults that keep a connected program from using the memory although its settings name it; each says what to do. */
function findFaults(client: Client, places: ClientPlaces): string[] {
  const targets = client.targets(places, 'user') ?? [];
  const install = `\`mneme install ${client.name}\``;
  return [
    ...targets.flatMap((target) => naming(target.file, () => missingParts(target, install))),
    ...targets.flatMap((target) => naming(target.file, () => switchedOff(target))),
    ...(client.name === 'claude-code' ? disabledHooks(places) : []),
    ...homeFaults(targets, places, install),
  ];
}

function missingParts(target: Target, install: string): string[] {
  const text = readSettings(target.file) ?? '';
  if (target.kind === 'server') {
    return findServer(text, target).kind === 'none' ? [`its MCP server is missing (${install} adds it)`] : [];
  }
  if (target.kind === 'plugin') {
    if (findPlugin(text, target) !== undefined) return [];
    return [`its plugin is missing, so nothing is recalled or captured by itself (${install} adds it)`];
  }
  const present = new Set(findHooks(text, hookAgent(target.agent)).map(({ event }) => event));
  const wanted = eventsOf(hookAgent(target.agent));
  const missing = wanted.filter((event) => !present.has(event));
  if (missing.length === 0) return [];
  const which = missing.length === wanted.length ? 'its hooks are' : `its hooks for ${missing.join(', ')} are`;
  return [`${which} missing, so nothing is recalled or captured by itself (${install} adds them)`];
}

/** Lists of server names that some programs keep beside the entries; a server in the first, or not in the second, is off. */
const OFF_LISTS = [['mcp', 'excluded'], ['excludeMCPServers']];
const ON_LISTS = [['mcp', 'allowed'], ['allowMCPServers']];

function switchedOff(target: Target): string[] {
  const text = readSettings(target.file);
  if (text === undefined || target.kind !== 'server') return [];
  const entry = findServer(text, target);
  const name = target.path.join('.');
  if ((entry.kind === 'own' || entry.kind === 'remote') && entry.isOff) {
    return [`${name} is switched off in ${target.file}: take out "disabled" or "enabled" there`];
  }
  if (target.format === 'toml') return [];
  const listAt = (at: readonly string[]): unknown => valueAt(text, at);
  const off = OFF_LISTS.find((at) => isListed(listAt(at)));
  if (off !== undefined) return [`"${off.join('.')}" in ${target.file} names ${ENTRY_NAME}: take it out there`];
  const on = ON_LISTS.find((at) => Array.isArray(listAt(at)) && !isListed(listAt(at)));
  return on === undefined ? [] : [`"${on.join('.')}" in ${target.file} does not name ${ENTRY_NAME}: add it there`];
}

/** Any of Claude Code's settings files, also a project's, can switch all hooks off, and a project its servers. */
function disabledHooks(places: ClientPlaces): string[] {
  const user = places.claudeConfig ?? path.join(places.userHome, '.claude');
  const files = [
    path.join(user, 'settings.json'),
    path.join(places.project, '.claude', 'settings.json'),
    path.join(places.project, '.claude', 'settings.local.json'),
  ];
  const faults = [...new Set(files)].flatMap((file) => disablingHooks(file));
  const state = path.join(places.claudeConfig ?? places.userHome, '.claude.json');
  const off = naming(state, () =>
    valueAt(readSettings(state) ?? '', ['projects', places.project, 'disabledMcpServers']),
  );
  return [
    ...faults,
    ...(isListed(off) ? [`its server is switched off in this folder: \`/mcp\` in Claude Code switches it on`] : []),
  ];
}

function disablingHooks(file: string): string[] {
  try {
    const isOff = naming(file, () => valueAt(readSettings(file) ?? '', ['disableAllHooks']) === true);
    return isOff ? [`"disableAllHooks" in ${file} switches its hooks off: set it to false`] : [];
  } catch (error) {
    // A project's file; what else is wrong is still to be told.
    if (isMnemeError(error)) return [error.message.replace(/\.$/u, '')];
    throw error;
  }
}

function homeFaults(targets: readonly Target[], places: ClientPlaces, install: string): string[] {
  const homes = distinct(
    targets.flatMap((target) => naming(target.file, () => homesIn(readSettings(target.file), target, places))),
  );
  if (homes.length > 1) return [`it uses several homes, ${homes.join(' and ')} (${install} makes that one)`];
  const gone = homes.find((home) => !fs.existsSync(path.join(home, CONFIG_FILE)));
  return gone === undefined ? [] : [`there is no memory home in ${gone} (${install} connects this one)`];
}

function valueAt(text: string, at: readonly string[]): unknown {
  if (text.trim() === '') return undefined;
  const node = findNode(parseSettings(text), at);
  return node === undefined ? undefined : valueOf(node);
}

function isListed(list: unknown): boolean {
  return Array.isArray(list) && list.includes(ENTRY_NAME);
}
