import type { Growth } from '../../operations/browse/growth.ts';
import type { Status } from '../../operations/status.ts';
import type { GateDecisions } from '../../operations/topics/gate-log.ts';
import type { JobList } from '../../runtime/jobs/job-operations.ts';
import { header } from './metrics.ts';

/** Decisions about topics that are counted: the latest. */
const MAX_DECISIONS = 1000;

/** Answers of an operation; undefined where whoever asks may not have it. */
export type AskOperation = (name: string, input?: object) => Promise<unknown>;

type Sample = readonly [labels: Readonly<Record<string, string>>, value: number];

/** Counts of a memory's contents and of what waits in it, as far as the operations tell them to the caller. */
export async function renderMemoryMetrics(ask: AskOperation): Promise<string> {
  const status = (await ask('status')) as Status | undefined;
  const growth = (await ask('growth')) as Growth | undefined;
  const jobs = (await ask('jobs list')) as JobList | undefined;
  const topics = (await ask('topics log', { limit: MAX_DECISIONS })) as GateDecisions | undefined;
  return [
    ...(growth === undefined ? [] : storeMetrics(growth)),
    ...(status === undefined ? [] : statusMetrics(status)),
    ...(jobs === undefined ? [] : jobMetrics(jobs)),
    ...(topics === undefined ? [] : topicMetrics(topics)),
  ].join('');
}

function storeMetrics({ stores }: Growth): string[] {
  return [
    gauge(
      'mneme_memory_files',
      'Files of the memory by store.',
      ...stores.map(({ store, files }): Sample => [{ store }, files]),
    ),
    gauge(
      'mneme_memory_bytes',
      'Bytes of the memory by store.',
      ...stores.map(({ store, bytes }): Sample => [{ store }, bytes]),
    ),
  ];
}

function statusMetrics(status: Status): string[] {
  const { index, background, waiting, git, core, proposals, alerts, externalEdits } = status;
  const learned = background.done.conversations;
  return [
    gauge('mneme_index_passages', 'Passages in the index.', [{}, index.passages]),
    gauge('mneme_index_documents', 'Files in the index.', [{}, index.documents]),
    gauge('mneme_index_fresh', 'Whether everything acknowledged is in the index.', [{}, index.isFresh ? 1 : 0]),
    gauge('mneme_passages_to_embed', 'Passages without a vector.', [{}, background.left.passages]),
    gauge('mneme_conversations_learned', 'Conversations learned from since the background work began.', [{}, learned]),
    gauge('mneme_conversations_waiting', 'Conversations to learn from.', [{}, waiting.own + waiting.imported]),
    gauge('mneme_proposals_waiting', 'Proposals that wait for a decision.', [{}, proposals.length]),
    gauge('mneme_alerts', 'Alerts about critical files.', [{}, alerts.length]),
    gauge('mneme_external_edits', 'Edits from outside that were not acknowledged.', [{}, externalEdits.length]),
    gauge('mneme_git_behind', 'Repositories that lack acknowledged changes.', [{}, git.waiting.length]),
    ...(core === null ? [] : [gauge('mneme_core_share', 'How full core memory is; 1 is full.', [{}, core.share])]),
  ];
}

function jobMetrics({ hasDaemon, jobs }: JobList): string[] {
  const runs = jobs.flatMap(({ name, last }) => (last === null ? [] : [{ job: name, last }]));
  const ended = runs.map(({ job, last }): Sample => [{ job, state: last.state }, Date.parse(last.started) / 1000]);
  return [
    gauge('mneme_jobs_scheduled', 'Whether a daemon runs the jobs at their times.', [{}, hasDaemon ? 1 : 0]),
    gauge('mneme_job_started_seconds', 'When a job last started, with how that went.', ...ended),
  ];
}

function topicMetrics({ decisions }: GateDecisions): string[] {
  const counts = new Map<string, number>();
  for (const { outcome, gate } of decisions) {
    const key = JSON.stringify({ outcome, gate: gate === null ? 'not asked' : gate ? 'yes' : 'no' });
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const samples = Array.from(counts, ([key, count]): Sample => [JSON.parse(key) as Record<string, string>, count]);
  return [
    gauge(
      'mneme_topic_decisions',
      `The latest ${MAX_DECISIONS} decisions about topics, and what the gate said.`,
      ...samples,
    ),
  ];
}

function gauge(name: string, help: string, ...samples: readonly Sample[]): string {
  const lines = samples.map(([labels, value]) => {
    const shown = Object.entries(labels).map(([label, text]) => `${label}=${JSON.stringify(text)}`);
    return `${name}${shown.length === 0 ? '' : `{${shown.join(',')}}`} ${value}`;
  });
  return `${[...header(name, 'gauge', help), ...lines].join('\n')}\n`;
}
