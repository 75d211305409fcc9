import path from 'node:path';
import { z } from 'zod';
import { defineProgram } from '../derive/program.ts';
import { serveInput, serveShapes } from './serve-options.ts';

export const daemon = defineProgram({
  name: 'daemon',
  summary: 'Run in the foreground: notice edits, run jobs at their times.',
  description:
    'Run in the foreground until Ctrl-C or SIGTERM: notices edits, makes vectors, runs jobs at their times. One for each home. `mneme daemon service install` lets the operating system run it.',
  input: z.object({
    serve: z
      .boolean()
      .optional()
      .describe('Serve the HTTP API, MCP and the dashboard as well; daemon.serve when not given.'),
    port: serveInput.port,
    host: serveInput.host,
  }),
  cli: { section: 'upkeep', options: serveShapes },
  async start({ cli, options, input }) {
    // Help lists these commands too, and must not load what they do.
    const { startDaemon } = await import('./run-daemon.ts');
    await startDaemon(cli, { ...options, ...input });
  },
});

export const daemonStatus = defineProgram({
  name: 'daemon status',
  summary: 'Show whether a daemon runs on the home, and what it is doing.',
  description: 'Show whether a daemon runs on the home, and what it is doing. Exit code 3 when none runs.',
  input: z.object({}),
  async start({ cli, options }) {
    const { showDaemon } = await import('./run-daemon.ts');
    showDaemon(cli, options);
  },
});

export const daemonStop = defineProgram({
  name: 'daemon stop',
  summary: 'Ask the daemon to end and wait until it has.',
  input: z.object({}),
  async start({ cli, options }) {
    const { endDaemon } = await import('./run-daemon.ts');
    await endDaemon(cli, options);
  },
});

export const daemonWorker = defineProgram({
  name: 'daemon worker',
  summary: 'Do background work until nothing is left. Started by other commands.',
  input: z.object({}),
  cli: { isHidden: true, formerly: ['worker'] },
  async start({ cli, options }) {
    const { doBackgroundWork } = await import('./work-in-background.ts');
    await doBackgroundWork(path.resolve(cli.home(options)));
  },
});
