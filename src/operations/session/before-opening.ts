import type { SessionsHome } from '../../capture/sessions.ts';
import { systemClock } from '../../platform/clock.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import { systemRandom } from '../../platform/random.ts';
import type { Home } from '../../workspace/home.ts';
import { createRedactor } from '../../workspace/safety/redact.ts';
import type { OperationContext } from '../context.ts';

/**
 * The conversations of a home that is not open: a hook appends to live logs, for which settings suffice, and only a finished
 * transcript opens the home to be written.
 */
export function sessionsBeforeOpening({ config, paths }: Home, open: () => Promise<OperationContext>): SessionsHome {
  return {
    paths,
    fs: nodeFileSystem,
    redactor: createRedactor(config.redaction),
    clock: systemClock,
    random: systemRandom,
    timeZone: config.time_zone,
    commit: async (request) => (await open()).workspace.commit(request),
  };
}
