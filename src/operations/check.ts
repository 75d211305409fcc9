import { z } from 'zod';
import { checkHome, repairHome } from '../check/check.ts';
import type { CheckFinding } from '../check/finding.ts';
import { readHome } from '../workspace/home.ts';
import { setAsideRefused } from '../workspace/journal/set-aside.ts';
import type { OperationContext } from './context.ts';
import { describeErasedRemotes, describeUnfinished } from './forget/unfinished.ts';
import { assertMayWrite, defineOperation } from './operation.ts';
import { repairMissingHistory } from './history/missing.ts';
import { visibleTo } from './visible-to.ts';

export interface CheckResult {
  readonly findings: readonly CheckFinding[];
  readonly repaired: readonly string[];
}

export const check = defineOperation({
  name: 'check',
  summary: 'Do files, git, journal, audit, proposals, graph and chain agree?',
  input: z.object({
    repair: z.boolean().default(false).describe('Put right what is derived.'),
    onProgress: z.custom<(area: string) => void>().optional(),
  }),
  // Only --repair writes, and says so itself.
  effect: 'read',
  reach: 'filtered',
  async run(context, { repair, onProgress }): Promise<CheckResult> {
    if (repair) assertMayWrite(context.actor, 'check --repair');
    const report = onProgress ?? (() => undefined);
    const findings = await findVisible(context, report);
    if (!repair || !findings.some((finding) => finding.isRepairable)) return { findings, repaired: [] };
    const repaired = await repairHome(context, findings, context.config.git.branch);
    return { findings: await findVisible(context, report), repaired };
  },
});

/** Repairs what keeps a home from being opened at all. Returns what was done, in words. */
export async function repairUnopened(home: string): Promise<string[]> {
  const { paths, settings } = await readHome(home);
  const journal = settings.mode === 'read' ? [] : await setAsideRefused(paths);
  return [...journal, ...(await repairMissingHistory(home))];
}

/** Findings quote paths and lines of every scope; who does not see the home hears only that there are some. */
async function findVisible(context: OperationContext, report: (area: string) => void): Promise<CheckFinding[]> {
  const { workspace } = context;
  const unfinished = [...describeUnfinished(workspace.paths.journal), ...(await describeErasedRemotes(workspace))];
  const erasures = unfinished.map(({ message, hint }): CheckFinding => ({
    area: 'erasure',
    severity: 'error',
    message,
    hint,
    isRepairable: false,
  }));
  const findings = [...erasures, ...(await checkHome(context, report))];
  if (visibleTo(context).seesHome) return findings;
  return findings.map(({ area, severity, isRepairable }) => ({
    area,
    severity,
    message: `Something about ${area} does not agree.`,
    hint: 'A person or the main agent sees more: `mneme check`.',
    isRepairable,
  }));
}
