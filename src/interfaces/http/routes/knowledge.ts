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
import { route } from '../route.ts';

/** People, projects, things; how things are done; what keeps happening. */
export const KNOWLEDGE_ROUTES = {
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
};
