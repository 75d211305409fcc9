import path from 'node:path';
import { counted } from '../../model/text.ts';
import { MnemeError } from '../../model/errors.ts';
import type { ArchivePacked } from '../../operations/archive/pack.ts';
import type { BackupResult } from '../../operations/backup/create.ts';
import type { KeptChain } from '../../operations/chain/keep.ts';
import type { Consolidated } from '../../operations/consolidate/consolidate.ts';
import type { DecayRun } from '../../operations/decay/run.ts';
import type { ExtractResult } from '../../operations/extract/extract.ts';
import type { PrunedExplorations } from '../../operations/history/explore.ts';
import type { Maintained } from '../../operations/history/maintain.ts';
import type { Synced } from '../../operations/history/sync.ts';
import type { TaggedDays } from '../../operations/history/tag-days.ts';
import type { TriggersRun } from '../../operations/procedures/run-triggers.ts';
import type { Reflected } from '../../operations/reflect/reflect.ts';
import type { IndexReport } from '../../operations/search/index-operations.ts';
import type { JobReport } from './job.ts';

// Summaries of each verb's answer for the log of jobs.

export function ofIndex({ put, removed, embedding, problems }: IndexReport): JobReport {
  const vectors = embedding.reduce((sum, { done }) => sum + done, 0);
  const failed = embedding.flatMap(({ problem }) => (problem === undefined ? [] : [problem.message]));
  return {
    summary: `${counted(put, 'file')} taken over, ${removed} removed, ${counted(vectors, 'vector')} made`,
    notes: [...problems, ...failed],
  };
}

export function ofExtraction({ sessions, waiting }: ExtractResult): JobReport {
  const left = waiting === 0 ? '' : `, ${waiting} still wait`;
  return { summary: `${counted(sessions.length, 'session')} processed${left}` };
}

export function ofCheckpoint({ sessions }: ExtractResult): JobReport {
  return { summary: `${counted(sessions.length, 'open session')} looked at` };
}

export function ofConsolidation({ steps }: Consolidated): JobReport {
  const failed = steps.filter(({ state }) => state === 'failed');
  if (failed.length > 0) {
    throw new MnemeError('failure', `${failed.map(({ name, notes }) => `${name}: ${notes[0] ?? ''}`).join('; ')}`, {
      hint: 'The other steps were done; the next run tries these again.',
    });
  }
  const done = steps.filter(({ state }) => state === 'done');
  const waiting = steps.flatMap(({ proposals }) => proposals).length;
  const summary =
    done.length === 0 ? 'everything was done before' : done.map((step) => `${step.name}: ${step.summary}`).join('; ');
  const notes = waiting === 0 ? [] : [`${counted(waiting, 'proposal')} to look at: mneme proposals`];
  return { summary, notes: [...notes, ...steps.flatMap((step) => step.notes)] };
}

export function ofReflection({ outcome, number, notes }: Reflected): JobReport {
  if (outcome === 'nothing-new') return { summary: 'nothing is new', notes };
  return { summary: `reflection #${number} waits for a decision: mneme approve reflection`, notes };
}

export function ofTags({ made }: TaggedDays): JobReport {
  return { summary: `${counted(made.length, 'tag')} made` };
}

export function ofBackup({ file, files, removed, isVerified, notes }: BackupResult): JobReport {
  const checked = isVerified ? ', checked' : '';
  const gone = removed.length === 0 ? '' : `, ${counted(removed.length, 'older one')} removed`;
  return { summary: `${path.basename(file)}: ${counted(files, 'file')}${checked}${gone}`, notes };
}

export function ofDecay({ memories, transitions, outcome, count, proposal }: DecayRun): JobReport {
  const looked = `${counted(memories, 'memory', 'memories')} looked at, ${transitions} changed status`;
  const notes =
    outcome === 'waiting'
      ? [`${counted(count, 'memory', 'memories')} wait for a decision: mneme approve ${proposal ?? ''}`]
      : [];
  const what =
    outcome === 'proposed' || outcome === 'archived'
      ? `, ${count} ${outcome === 'archived' ? 'archived' : 'proposed for the archive'}`
      : '';
  return { summary: `${looked}${what}`, notes };
}

export function ofPacking({ packed, deleted, deletedTranscripts, transcripts, notes }: ArchivePacked): JobReport {
  const deletions = deleted.length + deletedTranscripts.length;
  const gone = deletions === 0 ? '' : `, ${deletions} deleted by age`;
  return {
    summary: `${counted(packed.length, 'archived file')} and ${counted(transcripts.length, 'transcript')} packed${gone}`,
    notes,
  };
}

export function ofChain({ entries, findings, entered, anchored, notes }: KeptChain): JobReport {
  if (entries === null) return { summary: 'nothing was entered yet', notes };
  // A broken chain is not anchored.
  if (findings > 0)
    return { summary: `${counted(findings, 'finding')} in ${entries} entries: mneme chain verify`, notes };
  const late = entered === 0 ? '' : `, ${counted(entered, 'transcript')} entered late`;
  return { summary: `${counted(entries, 'entry', 'entries')} verified${late}${describeAnchor(anchored)}`, notes };
}

function describeAnchor(anchored: KeptChain['anchored']): string {
  if (anchored === null) return '';
  if (anchored === 'nothing-new') return ', nothing new to anchor';
  return anchored === 'failed' ? ', not anchored' : `, head of entry ${anchored.seq} anchored (${anchored.kind})`;
}

export function ofPrunedExplorations({ dropped }: PrunedExplorations): JobReport {
  return { summary: `${counted(dropped.length, 'exploration')} dropped` };
}

export function ofMaintenance(reports: readonly Maintained[]): JobReport {
  const whole = reports.filter(({ level }) => level !== 'quick').length;
  return { summary: `${counted(reports.length, 'history', 'histories')} packed, ${whole} of them as a whole` };
}

export function ofTriggers({ runs, activated, problems }: TriggersRun): JobReport {
  const waiting = runs.filter(({ status }) => status === 'waiting').length;
  const left = waiting === 0 ? '' : ` (${waiting} wait for an answer: mneme procedure runs)`;
  return {
    summary: `${counted(runs.length, 'procedure')} run${left}, ${counted(activated.length, 'topic')} activated`,
    notes: problems,
  };
}

export function ofSync({ pulled, pushed, conflicts }: Synced): JobReport {
  return {
    summary: `${counted(pulled.commits, 'change')} came, ${pushed.commits} went`,
    notes: conflicts.length === 0 ? [] : [`${counted(conflicts.length, 'conflict')} to look at: mneme proposals`],
  };
}
