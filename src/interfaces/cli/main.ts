import { enableCompileCache } from 'node:module';

// Compiled code is kept between starts; that halves what a start costs. Only what is imported after this gains by it.
enableCompileCache();
const { runCli } = await import('./run.ts');

process.exitCode = await runCli(process.argv.slice(2));
