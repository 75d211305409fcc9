import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';

const WORKER = path.resolve(import.meta.dirname, 'job-worker.ts');

export interface JobTask {
  readonly home: string;
  readonly job: string;
  readonly nowMs: number;
}

export interface JobEnd {
  /** Killed while it was at work. */
  readonly isKilled: boolean;
  /** From the moment it could begin. */
  readonly tookMs: number;
  /** What it said at its end. */
  readonly said: { readonly state: string; readonly summary: string } | undefined;
  readonly errors: string;
}

/** Runs a job in a process of its own; with a delay it is killed so long after it could begin, and git with it. */
export function runInProcess({ home, job, nowMs }: JobTask, killAfterMs?: number): Promise<JobEnd> {
  const child = spawn(process.execPath, [WORKER, home, job, String(nowMs)], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const heard = { out: '', errors: '', readyMs: 0 };
  child.stderr.on('data', (bytes: Buffer) => void (heard.errors += bytes.toString('utf8')));
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    child.stdout.on('data', (bytes: Buffer) => {
      heard.out += bytes.toString('utf8');
      if (heard.readyMs !== 0 || !heard.out.startsWith('ready\n')) return;
      heard.readyMs = performance.now();
      if (killAfterMs !== undefined) timer = setTimeout(() => kill(child, job), killAfterMs);
    });
    child.once('close', (_code, signal) => {
      clearTimeout(timer);
      const tookMs = heard.readyMs === 0 ? 0 : performance.now() - heard.readyMs;
      resolve({ isKilled: signal === 'SIGKILL', tookMs, said: parseEnd(heard.out), errors: heard.errors });
    });
  });
}

/** With its git children, but for those that serve as the remote: that would be a machine of its own. */
function kill({ pid = 0 }: ChildProcess, job: string): void {
  process.kill(job === 'push' ? pid : -pid, 'SIGKILL');
}

function parseEnd(out: string): JobEnd['said'] {
  const line = out.split('\n')[1];
  return line === undefined || line === '' ? undefined : (JSON.parse(line) as NonNullable<JobEnd['said']>);
}
