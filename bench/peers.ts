/**
 * Mneme beside others: the same conversations and questions through each, evidence recall at 1 000, 2 000 and 4 000 tokens,
 * time to take the conversations in, time of a search, memory and disk.
 *
 *   npm run bench:peers -- [--data FOLDER|FILE]… [--questions N] [--only NAME]… [--write] [--json]
 *
 * Installs the others from npm, as their lockfiles pin them, into a folder of its own (MNEME_PEERS; about 1.6 GB), and runs
 * those that need no key. --data takes folders in our form, LoCoMo's locomo10.json or LongMemEval's longmemeval_*.json; without it
 * our own conversations. --questions takes at most so many of each conversation, evenly. --write renews docs/peers.md.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { PEERS } from './peers/all.ts';
import { install, versionOf } from './peers/install.ts';
import type { Measured } from './peers/measure.ts';
import type { Peer } from './peers/peer.ts';
import { renderPeers, type PeerRow } from './peers/render.ts';
import { progress } from './support.ts';

const LIMIT_MS = 1_800_000;
const OURS = ['coding', 'daily'].map((name) => path.join(import.meta.dirname, 'data', name));

const { values } = parseArgs({
  options: {
    data: { type: 'string', multiple: true, default: OURS },
    questions: { type: 'string', default: 'Infinity' },
    only: { type: 'string', multiple: true, default: [] },
    write: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});

function run(peer: Peer): PeerRow {
  const { name, settings, package: folder, module } = peer;
  progress(name);
  const failure = folder === undefined ? undefined : install(folder);
  const version = folder === undefined || failure !== undefined ? '' : versionOf(folder, module ?? folder);
  if (failure !== undefined) return { name, version, settings, failure: `could not be installed: ${failure}` };
  const program = [path.join(import.meta.dirname, 'peers/measure.ts'), name, values.questions, ...values.data];
  const { status, stdout, stderr } = spawnSync(process.execPath, program, {
    encoding: 'utf8',
    timeout: LIMIT_MS,
    maxBuffer: 1e8,
  });
  const last = stdout.trim().split('\n').at(-1) ?? '';
  if (status !== 0 || !last.startsWith('{')) {
    const why = /^\w*Error.*$/mu.exec(stderr)?.[0] ?? stderr.trim().split('\n').at(-1);
    return { name, version, settings, failure: `did not run: ${why ?? `ended with ${String(status)}`}` };
  }
  return { name, version, settings, measured: JSON.parse(last) as Measured };
}

const chosen = PEERS.filter(({ name }) => values.only.length === 0 || values.only.some((one) => name.includes(one)));
const rows = chosen.map(run);
const page = renderPeers(rows, {
  date: new Date().toISOString().slice(0, 10),
  machine: `${os.availableParallelism()} cores, ${os.type()}, Node ${process.versions.node}`,
  data:
    values.data === OURS
      ? 'bench/data/coding and bench/data/daily'
      : values.data.map((one) => path.basename(one)).join(', '),
});
if (values.write) fs.writeFileSync(path.resolve(import.meta.dirname, '../docs/peers.md'), page);
if (!values.json) process.stdout.write(page);
process.stdout.write(`${JSON.stringify({ peers: rows })}\n`);
