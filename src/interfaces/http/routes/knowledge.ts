import { graphPage } from '../../../operations/browse/graph-page.ts';
import { graphAdd } from '../../../operations/graph/add.ts';
import { graphAlias } from '../../../operations/graph/alias.ts';
import { graphContradictions } from '../../../operations/graph/contradictions.ts';
import { graphDuplicates } from '../../../operations/graph/duplicates.ts';
import { graphExport } from '../../../operations/graph/export.ts';
import { graphFact } from '../../../operations/graph/fact.ts';
import { graphIndex } from '../../../operations/graph/index-file.ts';
import { graphInfer } from '../../../operations/graph/infer.ts';
import { graphLink, graphUnlink } from '../../../operations/graph/link.ts';
import { graphList } from '../../../operations/graph/list.ts';
import { graphMerge, graphSplit } from '../../../operations/graph/merge.ts';
import { graphQuery } from '../../../operations/graph/query.ts';
import { graphRename } from '../../../operations/graph/rename.ts';
import { graphSet } from '../../../operations/graph/set.ts';
import { graphShow } from '../../../operations/graph/show.ts';
import { graphDecision, graphTask } from '../../../operations/graph/tasks.ts';
import { graphTimeline } from '../../../operations/graph/timeline.ts';
import { graphVerify } from '../../../operations/graph/verify.ts';
import { graphNeighbours, graphPath } from '../../../operations/graph/walk.ts';
import { patterns } from '../../../operations/patterns/patterns.ts';
import { learnProcedures } from '../../../operations/procedures/learn.ts';
import { listProcedures } from '../../../operations/procedures/list.ts';
import { findProcedures } from '../../../operations/procedures/match.ts';
import { refineProcedures } from '../../../operations/procedures/refine.ts';
import { resumeRun } from '../../../operations/procedures/resume.ts';
import { runDueProcedures } from '../../../operations/procedures/run-due.ts';
import { runProcedure } from '../../../operations/procedures/run.ts';
import { procedureRuns } from '../../../operations/procedures/runs.ts';
import { showProcedure } from '../../../operations/procedures/show.ts';
import { procedureStats } from '../../../operations/procedures/stats.ts';
import { cancelRun, pauseRun } from '../../../operations/procedures/stop.ts';
import { limitedTo, route } from '../route.ts';

/** What can be looked at without writing anything down or asking a model. */
const inferOnly = limitedTo(graphInfer, graphInfer.input.omit({ keep: true, ask: true }), (given) => given);
const duplicatesOnly = limitedTo(
  graphDuplicates,
  graphDuplicates.input.omit({ propose: true, onProgress: true }),
  (given) => given,
);
const proposeDuplicates = limitedTo(
  graphDuplicates,
  graphDuplicates.input.omit({ propose: true, onProgress: true }),
  (given) => ({ ...given, propose: true }),
);

/** People, projects, things; how things are done; what keeps happening. */
export const KNOWLEDGE_ROUTES = {
  'graph show': route(graphShow),
  'graph list': route(graphList),
  'graph page': route(graphPage),
  'graph neighbours': route(graphNeighbours),
  'graph path': route(graphPath),
  'graph timeline': route(graphTimeline),
  'graph query': route(graphQuery, { method: 'POST' }),
  'graph infer': route(inferOnly),
  'graph infer keep': route(graphInfer, { method: 'POST', needs: 'write', isLong: true }),
  'graph contradictions': route(graphContradictions),
  'graph duplicates': route(duplicatesOnly, { isLong: true }),
  'graph duplicates propose': route(proposeDuplicates, { method: 'POST', needs: 'write', isLong: true }),
  'graph export': route(graphExport),
  'graph add': route(graphAdd),
  'graph set': route(graphSet),
  'graph fact': route(graphFact),
  'graph task': route(graphTask),
  'graph decision': route(graphDecision),
  'graph alias': route(graphAlias),
  'graph link': route(graphLink),
  'graph unlink': route(graphUnlink),
  'graph rename': route(graphRename),
  'graph merge': route(graphMerge),
  'graph split': route(graphSplit),
  'graph verify': route(graphVerify),
  'graph index': route(graphIndex),
  'procedure list': route(listProcedures),
  'procedure show': route(showProcedure),
  'procedure match': route(findProcedures, { method: 'POST' }),
  'procedure runs': route(procedureRuns),
  'procedure stats': route(procedureStats),
  'procedure run': route(runProcedure, { isLong: true }),
  'procedure run due': route(runDueProcedures, { isLong: true }),
  'procedure resume': route(resumeRun, { isLong: true }),
  'procedure pause': route(pauseRun),
  'procedure cancel': route(cancelRun),
  'procedure refine': route(refineProcedures, { isLong: true }),
  'procedure learn': route(learnProcedures, { isLong: true }),
  patterns: route(patterns, { isLong: true }),
};
