import { fork } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { makeTemporaryFolder } from '../home.ts';

export interface WarmCli {
  /** For shells that find `mneme` on their path. */
  readonly environment: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Puts `mneme` into a folder of programs, answered by one process that stays (`server.ts`). */
export async function startWarmCli(): Promise<WarmCli> {
  const work = makeTemporaryFolder();
  const socket = path.join(work, 's');
  const programs = path.join(work, 'bin');
  fs.mkdirSync(programs);
  fs.symlinkSync(path.join(import.meta.dirname, 'client.mjs'), path.join(programs, 'mneme'));
  const server = fork(path.join(import.meta.dirname, 'server.ts'), [socket]);
  await once(server, 'message');
  return {
    environment: {
      PATH: `${programs}:${path.dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
      MNEME_TEST_BIN: path.resolve(import.meta.dirname, '../../../bin/mneme'),
      MNEME_TEST_SOCKET: socket,
    },
    stop: async () => {
      const ended = once(server, 'exit');
      server.kill();
      await ended;
    },
  };
}
