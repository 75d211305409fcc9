import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { countPacks, hasGrown, maintainRepository, type MaintenanceReport } from '../../workspace/git/maintenance.ts';
import { REPOSITORIES, type RepositoryName } from '../../workspace/journal/record.ts';
import { defineVerb } from '../verb.ts';

/** Each drain leaves a pack; looking something up in this many begins to be felt. */
const TOO_MANY_PACKS = 50;

export interface Maintained extends MaintenanceReport {
  readonly repository: RepositoryName;
}

export const maintain = defineVerb({
  name: 'maintain',
  summary: 'Keep a long history fast.',
  input: z.object({
    level: z
      .enum(['when-needed', 'quick', 'grown', 'full'])
      .default('when-needed')
      .describe(
        'Only where packs have piled up, everywhere, as one pack where the history has grown by half, or everything anew.',
      ),
  }),
  effect: 'write',
  withoutLease: 'own',
  async run(context, { level }): Promise<Maintained[]> {
    await context.workspace.drain();
    const reports: Maintained[] = [];
    for (const repository of REPOSITORIES) {
      const git = context.workspace.git[repository];
      if (!fs.existsSync(path.join(git.location.gitDir, 'HEAD'))) continue;
      if (level === 'when-needed' && countPacks(git) <= TOO_MANY_PACKS) continue;
      const thorough = level === 'full' ? 'full' : level === 'grown' && hasGrown(git) ? 'whole' : 'quick';
      const report = await maintainRepository(git, { level: thorough });
      reports.push({ repository, ...report });
    }
    return reports;
  },
  http: { isLong: true },
  library: false,
  cli: false,
});
