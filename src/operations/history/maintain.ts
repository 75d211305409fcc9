import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { countPacks, hasGrown, maintainRepository, type MaintenanceReport } from '../../workspace/git/maintenance.ts';
import { REPOSITORIES, type RepositoryName } from '../../workspace/journal/record.ts';
import { defineOperation } from '../operation.ts';

/** Each drain leaves a pack; looking something up in this many begins to be felt. */
const TOO_MANY_PACKS = 50;

export interface Maintained extends MaintenanceReport {
  readonly repository: RepositoryName;
}

export const maintain = defineOperation({
  name: 'maintain',
  summary: 'Keep a long history fast.',
  input: z.object({
    level: z
      .enum(['when-needed', 'quick', 'grown', 'full'])
      .default('when-needed')
      .describe(
        'Only where packs have piled up, everywhere, thoroughly where the history has grown by half, or everywhere and thoroughly.',
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
      const isThorough = level === 'full' || (level === 'grown' && hasGrown(git));
      const report = await maintainRepository(git, { level: isThorough ? 'full' : 'quick' });
      reports.push({ repository, ...report });
    }
    return reports;
  },
});
