import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { replaceFile } from '../../platform/fs.ts';

const heartbeat = z.object({
  pid: z.int(),
  version: z.string(),
  started: z.string(),
  beat: z.string(),
  intervalSeconds: z.number(),
  /** The job that runs; null between jobs. */
  job: z.string().nullable(),
  progress: z.string().nullable(),
  metrics: z.object({
    jobsDone: z.int(),
    jobsFailed: z.int(),
    problems: z.int(),
    rssMb: z.number(),
    cpuSeconds: z.number(),
  }),
  /** The last thing that went wrong; null when nothing did. */
  lastProblem: z.string().nullable(),
});

export type Heartbeat = z.output<typeof heartbeat>;

function heartbeatFile(state: string): string {
  return path.join(state, 'daemon.json');
}

/** A sign of life, whole at any moment. */
export function writeHeartbeat(state: string, beat: Heartbeat): void {
  fs.mkdirSync(state, { recursive: true });
  replaceFile(heartbeatFile(state), `${JSON.stringify(beat)}\n`);
}

export function findHeartbeat(state: string): Heartbeat | undefined {
  const file = heartbeatFile(state);
  if (!fs.existsSync(file)) return undefined;
  try {
    return heartbeat.safeParse(JSON.parse(fs.readFileSync(file, 'utf8'))).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export function removeHeartbeat(state: string): void {
  fs.rmSync(heartbeatFile(state), { force: true });
}
