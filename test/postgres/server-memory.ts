import fs from 'node:fs';
import type { PostgresServer } from '../../src/search-index/postgres/server.ts';

export interface ServerUse {
  readonly processes: number;
  /** Shared buffers that were touched, counted once however many processes see them. */
  readonly sharedBytes: number;
  /** What the processes have for themselves, all together. */
  readonly privateBytes: number;
  /** Processor time since it was started, also of processes that have ended. */
  readonly cpuMs: number;
}

/** What the system counts processor time in. */
const TICK_MS = 10;

/** What a server on this machine has in memory; undefined for one elsewhere, or where the system does not tell. */
export async function readServerUse(server: PostgresServer): Promise<ServerUse | undefined> {
  const [row] = await server.administer('SELECT pg_backend_pid()');
  const backend = String(row?.[0]);
  if (readProcess(backend, 'comm')?.startsWith('postgres') !== true) return undefined;
  const parent = parentOf(backend);
  const family = fs
    .readdirSync('/proc')
    .filter((pid) => /^\d+$/u.test(pid) && (pid === parent || parentOf(pid) === parent));
  let [sharedBytes, privateBytes, ticks] = [0, 0, 0];
  for (const pid of family) {
    const rollup = readProcess(pid, 'smaps_rollup') ?? '';
    sharedBytes += kilobytes(rollup, 'Pss_Shmem') * 1024;
    privateBytes += kilobytes(rollup, 'Pss_Anon') * 1024;
    const [user = 0, system = 0, ended = 0, endedSystem = 0] = ticksOf(pid);
    ticks += user + system + (pid === parent ? ended + endedSystem : 0);
  }
  return { processes: family.length, sharedBytes, privateBytes, cpuMs: ticks * TICK_MS };
}

function parentOf(pid: string): string | undefined {
  return /^PPid:\s+(\d+)/mu.exec(readProcess(pid, 'status') ?? '')?.[1];
}

/** Its own in user and system mode, and that of its children that have ended. */
function ticksOf(pid: string): number[] {
  const afterName = readProcess(pid, 'stat')?.split(') ').at(-1)?.split(' ') ?? [];
  return afterName.slice(11, 15).map(Number);
}

function kilobytes(rollup: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'mu').exec(rollup)?.[1] ?? 0);
}

/** Undefined for one that has ended meanwhile, or is somebody else's. */
function readProcess(pid: string, file: string): string | undefined {
  try {
    return fs.readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return undefined;
  }
}
