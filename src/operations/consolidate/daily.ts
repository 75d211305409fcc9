import { graphIndex } from '../graph/index-file.ts';
import { counted } from '../../model/counted.ts';
import { patterns } from '../patterns/patterns.ts';
import { importantEpisodes } from './facts.ts';
import { dayJournals } from './journals.ts';
import { CONSOLIDATOR, report, type Step, type StepReport } from './step.ts';

/** Files and facts of what keeps happening; what no longer does is retired. */
const learnPatterns: Step = {
  name: 'patterns',
  async run(context, { isDryRun }): Promise<StepReport> {
    const given = patterns.input.parse({ learn: !isDryRun });
    const found = await patterns.run({ ...context, actor: CONSOLIDATOR }, given);
    const facts = found.patterns.flatMap(({ fact }) => fact ?? []);
    return report(`${counted(found.patterns.length, 'pattern')}, ${found.retired.length} retired`, {
      mutations: found.mutation === null ? [] : [found.mutation],
      proposals: facts.filter(({ action }) => action === 'proposed').flatMap(({ id }) => id ?? []),
      files: found.patterns.flatMap(({ path }) => path ?? []),
    });
  },
};

const indexGraph: Step = {
  name: 'graph',
  async run(context, { isDryRun }): Promise<StepReport> {
    const { mutation, entities, path, isCurrent, warnings } = await graphIndex.run(
      context,
      graphIndex.input.parse({ check: isDryRun }),
    );
    const state = isCurrent
      ? 'the list of entities is up to date'
      : `${counted(entities, 'entity', 'entities')} listed`;
    return report(state, {
      mutations: mutation === null ? [] : [mutation],
      files: mutation === null ? [] : [path],
      notes: warnings,
    });
  },
};

export const DAILY_STEPS: readonly Step[] = [dayJournals, learnPatterns, importantEpisodes, indexGraph];
