import type { OperationContext } from '../../operations/context.ts';
import type { ExtractControls } from '../../operations/extract/extract.ts';
import type { JournalPeriod } from '../../model/schemas/time.ts';
import { runVerb, type Job, type JobControls } from './job.ts';
import * as say from './reports.ts';

/**
 * Every job there is: when it runs, the verb it runs, and what keeps it from running. To add one, add it here and its time
 * to `JOB_TIMES`.
 */
export const JOBS: readonly Job[] = [
  {
    name: 'index',
    summary: 'Compare the index with the files and make missing vectors.',
    schedule: 'index',
    queue: 'unwritten',
    run: runVerb({
      verb: async () => (await import('../../operations/search/index-operations.ts')).indexSync,
      // Every hour, so that what an erasure had to leave is tried again also where nothing opens the home anew.
      given: async (context) => ({ input: {}, notes: await finishErasures(context) }),
      controls: ({ signal, onProgress, occurrenceMs }, { worker }) => ({
        signal,
        vectors: occurrenceMs !== undefined && worker !== undefined ? ('instant' as const) : ('all' as const),
        onProgress: ({ done, total }) => onProgress(`indexing ${done} of ${total}`),
        onEmbedding: ({ done }) => onProgress(`${done} vectors made`),
      }),
      report: say.ofIndex,
    }),
  },
  {
    name: 'extract',
    summary: 'End quiet sessions and turn what waits into knowledge.',
    schedule: 'extract',
    queue: 'own',
    whyOff: needsLearning,
    run: runVerb({
      verb: async () => (await import('../../operations/extract/extract.ts')).extract,
      given: async (context, controls) => (await import('./conversations.ts')).endQuietSessions(context, controls),
      controls: extracting,
      report: say.ofExtraction,
    }),
  },
  {
    name: 'checkpoint',
    summary: 'Learn from conversations that still go on, once they are long or pause.',
    schedule: 'checkpoint',
    queue: 'own',
    whyOff: needsLearning,
    run: runVerb({
      verb: async () => (await import('../../operations/extract/extract.ts')).extract,
      given: async (context) => (await import('./conversations.ts')).findLongSessions(context),
      controls: extracting,
      report: say.ofCheckpoint,
    }),
  },
  condensing('daily', 'day', 'Condense the days: journal, patterns, facts, graph.'),
  condensing('weekly', 'week', 'Condense the week: roll-up, procedures, duplicate entities, core memory, report.'),
  condensing('monthly', 'month', 'Condense the month, and review every project and person.'),
  {
    name: 'reflect',
    summary: 'Look back when enough has happened; what follows from it is proposed.',
    schedule: 'reflect',
    queue: 'shared',
    run: runVerb({
      verb: async () => (await import('../../operations/reflect/reflect.ts')).reflect,
      // Only when enough has happened: somebody has to read it.
      given: async (context) => {
        const trigger = (await import('../../operations/reflect/due.ts')).dueTrigger(context);
        return trigger === undefined ? { nothing: 'too little is new' } : { input: { trigger } };
      },
      report: say.ofReflection,
    }),
  },
  {
    name: 'tags',
    summary: 'Tag the days and weeks that have ended.',
    schedule: 'tags',
    run: runVerb({
      verb: async () => (await import('../../operations/history/tag-days.ts')).tagDays,
      report: say.ofTags,
    }),
  },
  {
    name: 'backup',
    summary: 'Put the whole memory into one file.',
    schedule: 'backup',
    run: runVerb({
      verb: async () => (await import('../../operations/backup/create.ts')).createBackup,
      given: ({ config: { backup } }) => ({ input: { incremental: !backup.encrypt } }),
      controls: ({ signal, onProgress }) => ({ signal, onProgress }),
      report: say.ofBackup,
    }),
  },
  {
    name: 'decay',
    summary: 'Write down what was used, and propose to archive what nobody needs.',
    schedule: 'decay',
    queue: 'shared',
    run: runVerb({
      verb: async () => (await import('../../operations/decay/run.ts')).runDecay,
      report: say.ofDecay,
    }),
  },
  {
    name: 'archive',
    summary: 'Pack old archived files and transcripts.',
    schedule: 'archive',
    run: runVerb({
      verb: async () => (await import('../../operations/archive/pack.ts')).archivePack,
      controls: ({ signal, onProgress }) => ({ signal, onProgress }),
      report: say.ofPacking,
    }),
  },
  {
    name: 'chain',
    summary: 'Verify the provable history, and anchor its head.',
    schedule: 'chain',
    whyOff: ({ config }) => (config.chain.enabled ? undefined : 'chain.enabled is off'),
    run: runVerb({
      verb: async () => (await import('../../operations/chain/keep.ts')).keepChain,
      controls: ({ signal, onProgress }) => ({ signal, onProgress }),
      report: say.ofChain,
    }),
  },
  {
    name: 'explore-prune',
    summary: 'Drop the explorations nobody came back to.',
    schedule: 'explore_prune',
    run: runVerb({
      verb: async () => (await import('../../operations/history/explore.ts')).pruneExplorations,
      report: say.ofPrunedExplorations,
    }),
  },
  {
    name: 'maintenance',
    summary: 'Keep the histories packed and fast.',
    schedule: 'maintenance',
    run: runVerb({
      verb: async () => (await import('../../operations/history/maintain.ts')).maintain,
      given: () => ({ input: { level: 'grown' as const } }),
      report: say.ofMaintenance,
    }),
  },
  {
    name: 'triggers',
    summary: 'Run the procedures and activate the topics whose time has come.',
    schedule: 'triggers',
    // Asked every minute: a run that finds nothing would fill the log.
    whyOff: async (context) => (await import('../../operations/procedures/run-triggers.ts')).whyNothingIsDue(context),
    run: runVerb({
      verb: async () => (await import('../../operations/procedures/run-triggers.ts')).runTriggers,
      controls: ({ signal }) => ({ signal }),
      report: say.ofTriggers,
    }),
  },
  {
    name: 'push',
    summary: 'Exchange the memory with its remote.',
    schedule: 'push',
    whyOff: async ({ config, workspace }) => {
      if (config.git.remote !== null) return undefined;
      const { listRemotes } = await import('../../workspace/git/remote.ts');
      return (await listRemotes(workspace.git.workspace)).length === 0 ? 'no remote is set (git.remote)' : undefined;
    },
    run: runVerb({
      verb: async () => (await import('../../operations/history/sync.ts')).sync,
      given: () => ({ input: { remote: null } }),
      report: say.ofSync,
    }),
  },
];

function condensing(name: 'daily' | 'weekly' | 'monthly', period: JournalPeriod, summary: string): Job {
  return {
    name,
    summary,
    schedule: name,
    queue: 'shared',
    run: runVerb({
      verb: async () => (await import('../../operations/consolidate/consolidate.ts')).consolidate,
      given: () => ({ input: { period } }),
      controls: ({ signal, onProgress }) => ({ signal, onProgress }),
      report: say.ofConsolidation,
    }),
  };
}

function needsLearning({ config }: Pick<OperationContext, 'config'>): string | undefined {
  return config.extract.trigger === 'manual' ? 'extract.trigger is manual' : undefined;
}

function extracting({ signal, onProgress }: JobControls): ExtractControls {
  return { signal, isUnasked: true, onProgress: ({ done, total }) => onProgress(`session ${done + 1} of ${total}`) };
}

async function finishErasures(context: OperationContext): Promise<readonly string[]> {
  return (await import('../../operations/forget/finish.ts')).finishErasures(context, 'job');
}
