import { coreTokensIn, renderWeekReport, reportPath } from '../../maintain/consolidate/review.ts';
import { daysAround, periodOf } from '../../maintain/consolidate/periods.ts';
import { readEpisodes } from '../../memory/episodes/read-episodes.ts';
import { CORE_FILE } from '../../memory/stores/core-bullets.ts';
import { addDays } from '../../model/time.ts';
import { coreUsage } from '../../workspace/formats/core.ts';
import { parseDocument } from '../../workspace/markdown/document.ts';
import { counted } from '../../model/text.ts';
import { findDuplicates } from '../../memory/graph/duplicates.ts';
import { proposeToMerge } from '../graph/duplicates.ts';
import { momentOf } from '../graph/open-graph.ts';
import { refineProcedures } from '../procedures/refine.ts';
import { reflect } from '../reflect/reflect.ts';
import { readText } from '../reflect/take-survey.ts';
import { readDay, rollUp } from './journals.ts';
import { CONSOLIDATOR, report, type Step, type StepReport } from './step.ts';

const refine: Step = {
  name: 'procedures',
  async run(context, { isDryRun }): Promise<StepReport> {
    const given = refineProcedures.input.parse({ dryRun: isDryRun });
    const { procedures, problems } = await refineProcedures.run({ ...context, actor: CONSOLIDATOR }, given);
    const filed = procedures.filter(({ outcome }) => outcome === 'filed');
    return report(`${counted(procedures.length, 'procedure')} could be better, ${filed.length} newly proposed`, {
      proposals: filed.flatMap(({ proposal }) => proposal ?? []),
      notes: problems,
    });
  },
};

/** More than these at once nobody reads. */
const MAX_MERGES = 5;

/** Proposes merges of certain duplicates; entities without new entries since the last run were compared then. */
const duplicates: Step = {
  name: 'duplicates',
  async run(context, { doneUpTo, isDryRun }, { onProgress }): Promise<StepReport> {
    const by = { ...context, actor: CONSOLIDATOR };
    const open = await context.parts.graph({ isThorough: true });
    const { pairs } = await findDuplicates(open.graph, {
      scope: 'shared',
      moment: momentOf(context, {}),
      since: doneUpTo,
      onProgress: (done, total) => onProgress?.(`entity ${done} of ${total}`),
    });
    const sure = pairs.filter(({ verdict }) => verdict === 'same').slice(0, MAX_MERGES);
    const notes: string[] = [];
    const proposals: string[] = [];
    for (const pair of isDryRun ? [] : sure) {
      const proposal = await proposeToMerge(by, open, pair, notes);
      if (proposal !== null) proposals.push(proposal);
    }
    const verb = isDryRun ? 'would be proposed' : 'proposed';
    return report(`${counted(isDryRun ? sure.length : proposals.length, 'merge')} ${verb}`, { proposals, notes });
  },
};

const weekReport: Step = {
  name: 'report',
  async run(context, { last, isDryRun }): Promise<StepReport> {
    const { root } = context.workspace;
    const week = periodOf('week', last);
    const path = reportPath(week);
    const dates = daysAround('week', last).filter((day) => day <= last);
    const episodes = readEpisodes(root, { since: dates[0], until: last });
    const caps = context.config.core;
    const before = readText(context, reportPath(periodOf('week', addDays(dates[0] ?? last, -1))));
    const text = renderWeekReport({
      week,
      days: dates.map((date) => ({
        date,
        entries: episodes.filter((entry) => entry.date === date).length,
        conversations: readDay(root, date)?.sessions.length ?? 0,
      })),
      core: {
        tokens: coreUsage(parseDocument(readText(context, CORE_FILE) ?? ''), caps).tokens,
        maxTokens: caps.max_tokens,
      },
      coreBefore: before === undefined ? undefined : coreTokensIn(before),
      proposals: context.proposals.list().proposals,
    });
    if (isDryRun) return report(`the report of ${week} would be written`, { files: [path] });
    const { mutation } = await context.workspace.commit({
      actor: CONSOLIDATOR,
      approval: 'auto',
      trigger: 'consolidate week',
      summary: `report of ${week}`,
      changes: [{ path, edit: () => text }],
    });
    return report(`figures of ${week}`, { mutations: mutation === undefined ? [] : [mutation], files: [path] });
  },
};

/** Core memory is distilled by a reflection: it waits as a proposal, within the cap. */
const distil: Step = {
  name: 'core',
  async run(context, { isDryRun }): Promise<StepReport> {
    if (context.config.scheduler.reflect === null) return report('scheduler.reflect is null');
    const given = reflect.input.parse({ trigger: 'schedule', dryRun: isDryRun });
    const { outcome, number, proposal, notes } = await reflect.run(context, given);
    const said = {
      proposed: 'waits for a decision',
      'already-waiting': 'still waits',
      'nothing-new': '',
      'dry-run': 'would be proposed',
    };
    const summary = outcome === 'nothing-new' ? 'nothing is new' : `reflection #${number} ${said[outcome]}`;
    return report(summary, { proposals: outcome === 'proposed' && proposal !== null ? [proposal] : [], notes });
  },
};

export const WEEKLY_STEPS: readonly Step[] = [rollUp, refine, duplicates, distil, weekReport];
