import { z } from 'zod';
import { checkHome, repairHome } from '../check/check.ts';
import type { CheckFinding } from '../check/check-graph.ts';
import { readHome } from '../workspace/home.ts';
import { setAsideRefused } from '../workspace/journal/set-aside.ts';
import type { OperationContext } from './context.ts';
import { describeErasedRemotes, describeUnfinished } from './forget/unfinished.ts';
import type { View } from './command-line/style.ts';
import { assertMayWrite } from './operation.ts';
import { repairMissingHistory } from './history/missing.ts';
import { defineVerb } from './verb.ts';
import { visibleTo } from './visible-to.ts';
import { counted } from '../model/text.ts';

export interface CheckResult {
  readonly findings: readonly CheckFinding[];
  readonly repaired: readonly string[];
}

export interface CheckControls {
  readonly onProgress?: ((area: string) => void) | undefined;
}

const REPAIR = 'check --repair';

export const check = defineVerb({
  name: 'check',
  summary: 'Check whether files, git, journal, audit log, proposals, graph and chain agree.',
  description:
    'Check whether files, git, journal, audit log, proposals, graph and chain agree. Exit code 7 when something does not.',
  examples: ['mneme check', 'mneme check --repair'],
  input: z.object({
    repair: z
      .boolean()
      .default(false)
      .describe(
        'Put right what is derived and set hostile journal records aside; files and history are never touched.',
      ),
  }),
  // Only --repair writes, and says so itself.
  effect: 'read',
  reach: 'filtered',
  async run(context, { repair }, { onProgress }: CheckControls = {}): Promise<CheckResult> {
    if (repair) assertMayWrite(context.actor, REPAIR);
    const report = onProgress ?? (() => undefined);
    const findings = await findVisible(context, report);
    if (!repair || !findings.some((finding) => finding.isRepairable)) return { findings, repaired: [] };
    const repaired = await repairHome(context, findings, context.config.git.branch);
    return { findings: await findVisible(context, report), repaired };
  },
  http: [
    { fixed: { repair: false }, isLong: true },
    { name: 'check repair', fixed: { repair: true }, method: 'POST', needs: 'write', isLong: true },
  ],
  cli: {
    section: 'upkeep',
    controls: ({ report }) => ({ onProgress: (area) => report(`checking ${area} …`) }),
    // Without its history, or with a hostile journal, a home cannot be opened.
    beforeOpening: async ({ input: { repair } }, { home, actor, terminal }) => {
      if (repair !== true) return { repaired: [] };
      assertMayWrite(actor, REPAIR);
      const repaired = await repairUnopened(home);
      for (const done of repaired) terminal.warn(done);
      return { repaired };
    },
    around: async ({ input, extra }, { run }) => {
      const checked = await run(input);
      return { ...checked, repaired: [...(extra['repaired'] as readonly string[]), ...checked.repaired] };
    },
    exitCode: ({ findings }) => (findings.length === 0 ? 'ok' : 'integrity'),
  },
  render,
});

/** Repairs what keeps a home from being opened at all. Returns what was done, in words. */
async function repairUnopened(home: string): Promise<string[]> {
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

function render({ style }: View, { findings, repaired }: CheckResult): string {
  const lines = repaired.map((done) => `${style.green('repaired')} ${done}`);
  for (const { severity, message, hint, isRepairable } of findings) {
    const mark = severity === 'error' ? style.red('error  ') : style.yellow('warning');
    lines.push(`${mark} ${message}`, style.dim(`        ${hint}${isRepairable ? ' (--repair does it)' : ''}`));
  }
  if (findings.length === 0) lines.push(style.green('Everything agrees.'));
  else lines.push(`${counted(findings.length, 'finding')}.`);
  return `${lines.join('\n')}\n`;
}
