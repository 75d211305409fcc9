import { z } from 'zod';
import { checkHome, repairHome } from '../check/check.ts';
import type { CheckFinding } from '../check/finding.ts';
import { assertMayWrite, defineOperation } from './operation.ts';

export interface CheckResult {
  readonly findings: readonly CheckFinding[];
  readonly repaired: readonly string[];
}

export const check = defineOperation({
  name: 'check',
  summary: 'Do files, git, journal, audit and proposals agree?',
  input: z.object({
    repair: z.boolean().default(false).describe('Put right what is derived.'),
    onProgress: z.custom<(area: string) => void>().optional(),
  }),
  // Only --repair writes, and says so itself.
  effect: 'read',
  async run(context, { repair, onProgress }): Promise<CheckResult> {
    if (repair) assertMayWrite(context.actor, 'check --repair');
    const report = onProgress ?? (() => undefined);
    const findings = await checkHome(context, report);
    if (!repair || !findings.some((finding) => finding.isRepairable)) return { findings, repaired: [] };
    const repaired = await repairHome(context, findings, context.config.git.branch);
    return { findings: await checkHome(context, report), repaired };
  },
});
