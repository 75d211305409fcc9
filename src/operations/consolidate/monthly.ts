import { periodOf } from '../../maintain/consolidate/periods.ts';
import { renderReview, reviewEntities, REVIEWED_TYPES, reviewPath } from '../../maintain/consolidate/review.ts';
import { findContradictions } from '../../memory/graph/contradictions.ts';
import { momentOf } from '../graph/open-graph.ts';
import { lookAt } from '../reflect/take-survey.ts';
import { rollUp } from './journals.ts';
import { CONSOLIDATOR, report, type Step, type StepReport } from './step.ts';

/** A page about every project and person in whose file something should be looked at. Nothing else is changed. */
const review: Step = {
  name: 'review',
  async run(context, { last, isDryRun }): Promise<StepReport> {
    const { graph } = await context.parts.graph();
    const records = graph.network
      .records()
      .filter(
        ({ type, scope, mergedInto }) => REVIEWED_TYPES.has(type) && scope === 'shared' && mergedInto === undefined,
      );
    const looked = lookAt(context.workspace.root, records);
    const reviews = reviewEntities(looked, findContradictions(graph, momentOf(context, {})), last);
    const month = periodOf('month', last);
    const path = reviewPath(month);
    const text = renderReview(month, looked.length, reviews);
    const summary = `${looked.length} projects and people, ${reviews.length} to look at`;
    if (isDryRun)
      return report(summary, {
        notes: reviews.flatMap(({ name, findings }) => findings.map((finding) => `${name}: ${finding}`)),
      });
    const { mutation } = await context.workspace.commit({
      actor: CONSOLIDATOR,
      approval: 'auto',
      trigger: 'consolidate month',
      summary: `review of ${month}`,
      changes: [{ path, edit: () => text }],
    });
    return report(summary, { mutations: mutation === undefined ? [] : [mutation], files: [path] });
  },
};

export const MONTHLY_STEPS: readonly Step[] = [rollUp, review];
