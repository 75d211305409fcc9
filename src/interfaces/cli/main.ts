// Loaded by bin/mneme, which has decided where compiled code is kept.
import { readEnvironment } from '../../platform/environment.ts';
import { hookCallOf } from './hook-call.ts';

const args = process.argv.slice(2);
const hook = hookCallOf(args, readEnvironment().home);
if (hook === undefined) {
  const { runCli } = await import('./run.ts');
  process.exitCode = await runCli(args);
} else {
  const { answerAndExit } = await import('../hooks/process-hook.ts');
  await answerAndExit(hook);
}
