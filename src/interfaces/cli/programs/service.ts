import { z } from 'zod';
import { LOG_LEVELS } from '../../../runtime/daemon/daemon-log.ts';
import { defineProgram } from '../derive/program.ts';

const dryRun = z.boolean().default(false).describe('Only show what would be done.');
const yes = z.boolean().default(false).describe('Do it without asking.');
const options = { yes: { short: 'y' } };

export const serviceInstall = defineProgram({
  name: 'daemon service install',
  summary: 'Show the file and the commands, ask, then write and run them.',
  description: 'Show the file and the commands, ask, then write and run them. Run it again after an update or a move.',
  input: z.object({
    dryRun,
    start: z.boolean().default(true).describe('Set it up, but do not start the daemon now.'),
    yes,
  }),
  cli: { formerly: ['service install'], options },
  async start(call) {
    const { installService } = await import('./manage-service.ts');
    await installService(call.cli, { ...call.options, ...call.input });
  },
});

export const serviceStatus = defineProgram({
  name: 'daemon service status',
  summary: 'Show whether the service is set up, up to date and running.',
  input: z.object({}),
  cli: { formerly: ['service status', 'service'], isDefault: true },
  async start(call) {
    const { showService } = await import('./manage-service.ts');
    await showService(call.cli, call.options);
  },
});

export const serviceLogs = defineProgram({
  name: 'daemon service logs',
  summary: 'Show the last lines of the daemon’s log.',
  input: z.object({
    lines: z.int().min(0).default(50).describe('How many.'),
    level: z
      .enum(LOG_LEVELS, { error: ({ input }) => `"${String(input)}" is not a level: use ${LOG_LEVELS.join(', ')}` })
      .default('debug')
      .describe('That and what is more urgent.'),
  }),
  cli: { formerly: ['service logs'], options: { lines: { short: 'n', value: 'count' }, level: { value: 'level' } } },
  async start(call) {
    const { showLogs } = await import('./manage-service.ts');
    showLogs(call.cli, call.options, call.input);
  },
});

export const serviceUninstall = defineProgram({
  name: 'daemon service uninstall',
  summary: 'Stop the daemon and remove the service. The memory itself stays.',
  input: z.object({ dryRun, yes }),
  cli: { formerly: ['service uninstall'], options },
  async start(call) {
    const { uninstallService } = await import('./manage-service.ts');
    await uninstallService(call.cli, { ...call.options, ...call.input });
  },
});
