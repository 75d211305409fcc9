import type { Diagnosis } from '../setup/check-setup.ts';
import { findClient } from './clients.ts';
import { findConnections, probeConnection, type Connection, type Probed } from './connections.ts';
import { findFaults } from './faults.ts';
import { isSameHome } from './homes.ts';
import type { ClientPlaces } from './client.ts';

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
