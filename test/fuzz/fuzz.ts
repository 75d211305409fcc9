/** `npm run test:fuzz [-- INPUTS [SEED]]`: what reads the words of others, fed with damaged and hostile bytes. */
import { fuzz } from './run.ts';
import { TARGETS } from './targets.ts';

const inputs = Number(process.argv[2] ?? 20_000);
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000);
process.stdout.write(`seed ${seed}\n`);
for (const target of TARGETS) {
  const report = await fuzz(target, Math.ceil(inputs * target.share), seed);
  process.stdout.write(
    `${report.target}: ${report.inputs} inputs, ${report.findings.length} findings, slowest ${report.slowestMs} ms\n`,
  );
  for (const finding of report.findings.slice(0, 5)) process.stdout.write(`  ${finding}\n`);
  if (report.findings.length > 0) process.exitCode = 1;
}
