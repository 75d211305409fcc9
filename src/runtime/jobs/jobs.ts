import type { Job } from './job.ts';

/** Every job there is; to add one, add it here and its time to `JOB_TIMES`. What it does is loaded when it first runs. */
export const JOBS: readonly Job[] = [
  {
    name: 'index',
    summary: 'Compare the index with the files and make missing vectors.',
    schedule: 'index',
    run: async (context, controls) => (await import('./work/index-job.ts')).runIndexJob(context, controls),
  },
  {
    name: 'extract',
    summary: 'End quiet sessions and turn what waits into knowledge.',
    schedule: 'extract',
    whyOff: ({ config }) => (config.extract.trigger === 'manual' ? 'extract.trigger is manual' : undefined),
    run: async (context, controls) => (await import('./work/extract-job.ts')).runExtractJob(context, controls),
  },
  {
    name: 'checkpoint',
    summary: 'Learn from long conversations that still go on.',
    schedule: 'checkpoint',
    whyOff: ({ config }) => (config.extract.trigger === 'manual' ? 'extract.trigger is manual' : undefined),
    run: async (context, controls) =>
      (await import('./work/consolidation-jobs.ts')).runCheckpointJob(context, controls),
  },
  {
    name: 'daily',
    summary: 'Condense the days: journal, patterns, facts, graph.',
    schedule: 'daily',
    run: async (context, controls) =>
      (await import('./work/consolidation-jobs.ts')).runConsolidationJob(context, 'day', controls),
  },
  {
    name: 'weekly',
    summary: 'Condense the week: roll-up, procedures, core memory, report.',
    schedule: 'weekly',
    run: async (context, controls) =>
      (await import('./work/consolidation-jobs.ts')).runConsolidationJob(context, 'week', controls),
  },
  {
    name: 'monthly',
    summary: 'Condense the month, and review every project and person.',
    schedule: 'monthly',
    run: async (context, controls) =>
      (await import('./work/consolidation-jobs.ts')).runConsolidationJob(context, 'month', controls),
  },
  {
    name: 'reflect',
    summary: 'Look back when enough has happened; what follows from it is proposed.',
    schedule: 'reflect',
    run: async (context) => (await import('./work/consolidation-jobs.ts')).runReflectionJob(context),
  },
  {
    name: 'tags',
    summary: 'Tag the days and weeks that have ended.',
    schedule: 'tags',
    run: async (context) => (await import('./work/tags-job.ts')).runTagsJob(context),
  },
  {
    name: 'backup',
    summary: 'Put the whole memory into one file.',
    schedule: 'backup',
    run: async (context, controls) => (await import('./work/backup-job.ts')).runBackupJob(context, controls),
  },
  {
    name: 'decay',
    summary: 'Write down what was used, and propose to archive what nobody needs.',
    schedule: 'decay',
    run: async (context) => (await import('./work/forgetting-jobs.ts')).runDecayJob(context),
  },
  {
    name: 'archive',
    summary: 'Pack old archived files and transcripts.',
    schedule: 'archive',
    run: async (context, controls) => (await import('./work/forgetting-jobs.ts')).runArchiveJob(context, controls),
  },
  {
    name: 'chain',
    summary: 'Verify the provable history, and anchor its head.',
    schedule: 'chain',
    whyOff: ({ config }) => (config.chain.enabled ? undefined : 'chain.enabled is off'),
    run: async (context, controls) => (await import('./work/chain-job.ts')).runChainJob(context, controls),
  },
  {
    name: 'explore-prune',
    summary: 'Drop the explorations nobody came back to.',
    schedule: 'explore_prune',
    run: async (context) => (await import('./work/history-jobs.ts')).runExplorePruneJob(context),
  },
  {
    name: 'maintenance',
    summary: 'Keep the histories packed and fast.',
    schedule: 'maintenance',
    run: async (context) => (await import('./work/history-jobs.ts')).runMaintenanceJob(context),
  },
  {
    name: 'triggers',
    summary: 'Run the procedures and activate the topics whose time has come.',
    schedule: 'triggers',
    // Asked every minute: a run that finds nothing would fill the log.
    whyOff: async (context) => (await import('./work/triggers-job.ts')).whyNothingIsDue(context),
    run: async (context, controls) => (await import('./work/triggers-job.ts')).runTriggersJob(context, controls),
  },
  {
    name: 'push',
    summary: 'Exchange the memory with its remote.',
    schedule: 'push',
    whyOff: async (context) => (await import('./work/push-job.ts')).whyNotPushed(context),
    run: async (context) => (await import('./work/push-job.ts')).runPushJob(context),
  },
];
