/** Runs one job, or a reconstruction, in a home at a given time; killed by whoever started it. */
import { openMneme } from '../../src/mneme.ts';

const [, , home = '', job = '', nowMs = '0'] = process.argv;
const startedMs = Date.now();
const clock = { now: (): number => Number(nowMs) + Date.now() - startedMs };
const mneme = await openMneme({ home, parts: { clock } });
// From here on the kill may come.
process.stdout.write('ready\n');
if (job.startsWith('reconstruct/')) {
  const { isComplete } = await mneme.reconstruct.start({ name: job.slice('reconstruct/'.length) });
  process.stdout.write(`${JSON.stringify({ state: isComplete ? 'done' : 'stopped', summary: '' })}\n`);
} else {
  const { state, summary } = await mneme.jobs.run(job);
  process.stdout.write(`${JSON.stringify({ state, summary })}\n`);
}
await mneme.close();
