/** A worker whose program can be replaced: node worker-process.ts HOME PROGRAM_FILE */
import { openMneme } from '../../src/mneme.ts';
import { must } from '../../src/model/errors.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { runWorker } from '../../src/runtime/worker/worker.ts';

const [home, programFile] = process.argv.slice(2);
const open = async (): ReturnType<Parameters<typeof runWorker>[0]['open']> => {
  const mneme = await openMneme({ home: must(home, 'a home'), actor: 'system:worker' });
  return { context: mneme.internals, close: () => mneme.close() };
};
const parts = { home: must(home, 'a home'), open, programFile, clock: systemClock };
await runWorker(parts, new AbortController().signal);
