// Loaded by bin/mneme, which has decided where compiled code is kept.
import { runCli } from './run.ts';

process.exitCode = await runCli(process.argv.slice(2));
