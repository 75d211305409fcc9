import type { Diagnosis } from '../../operations/doctor.ts';
import { findConnections, probeConnection, type Connection, type Probed } from './connections.ts';
import type { ClientPlaces } from './places.ts';

/** What `doctor` says about the programs on this machine: whether they are connected, and whether that works. */
export async function diagnoseClients(places: ClientPlaces): Promise<Diagnosis[]> {
  const connections = findConnections(places);
  // One after the other: several servers starting at once would make each look slow.
  const diagnoses: Diagnosis[] = [];
  const probed: Probed = new Map();
  for (const connection of connections) diagnoses.push(await diagnose(connection, places, probed));
  return diagnoses;
}

const PROJECT_WORDS: Readonly<Record<Connection['project'], string>> = {
  'not-connected': '',
  connected: '; connected in this project',
  unreadable: '; its settings in this project cannot be understood',
};

async function diagnose(connection: Connection, places: ClientPlaces, probed: Probed): Promise<Diagnosis> {
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
    default: {
      const results = await probeConnection(name, places, probed);
      const failed = results.find((result) => !result.isOk);
      if (failed !== undefined && !failed.isOk) {
        return { name, isOk: false, message: `connected, but ${failed.problem}. \`${install}\` repairs the entry.` };
      }
      const tested = results.length === 0 ? 'not tested: it is reached over the network' : 'starts and answers';
      const partly = state === 'partly' ? ` in part (${install} completes it)` : '';
      return { name, isOk: true, message: `connected${partly}, ${tested}${here}` };
    }
  }
}
