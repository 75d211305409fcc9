import { runPack } from '../../../operations/archive/pack.ts';
import { runDecay } from '../../../operations/decay/run.ts';
import type { OperationContext } from '../../../operations/context.ts';
import { counted } from '../../../model/counted.ts';
import type { JobControls, JobReport } from '../job.ts';

export async function runDecayJob(context: OperationContext): Promise<JobReport> {
  const { memories, transitions, outcome, count, proposal } = await runDecay.run(context, { dryRun: false });
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

export async function runArchiveJob(context: OperationContext, controls: JobControls): Promise<JobReport> {
  const { packed, deleted, deletedTranscripts, transcripts, notes } = await runPack(context, {}, controls);
  const deletions = deleted.length + deletedTranscripts.length;
  const gone = deletions === 0 ? '' : `, ${deletions} deleted by age`;
  return {
    summary: `${counted(packed.length, 'archived file')} and ${counted(transcripts.length, 'transcript')} packed${gone}`,
    notes,
  };
}
