/**
 * What a program that uses the library can rely on, as text: every exported name with its types. It is committed, so that a
 * change of the public API shows in a diff, and fails the build when nobody meant it.
 *
 *   node scripts/api-report.ts            writes docs/api.txt
 *   node scripts/api-report.ts --check    fails when it is not what the source says
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { build } from 'tsdown';
import { reportOf } from './api-report-text.ts';

const root = path.resolve(import.meta.dirname, '..');
const REPORT = path.join(root, 'docs', 'api.txt');

async function buildDeclarations(): Promise<string> {
  const outDir = fs.mkdtempSync(path.join(os.tmpdir(), 'mneme-api-'));
  try {
    await build({
      cwd: root,
      config: false,
      entry: { index: 'src/index.ts' },
      outDir,
      format: 'esm',
      platform: 'node',
      fixedExtension: false,
      dts: { emitDtsOnly: true },
      clean: false,
      logLevel: 'error',
    });
    return fs.readFileSync(path.join(outDir, 'index.d.ts'), 'utf8');
  } finally {
    fs.rmSync(outDir, { recursive: true, force: true });
  }
}

// SPEC EXCHANGE-7
const report = reportOf(await buildDeclarations());
if (!process.argv.includes('--check')) {
  fs.writeFileSync(REPORT, report);
  process.stdout.write(`docs/api.txt: ${report.split('\n').length} lines\n`);
} else if (!fs.existsSync(REPORT) || fs.readFileSync(REPORT, 'utf8') !== report) {
  const known = new Set(fs.existsSync(REPORT) ? fs.readFileSync(REPORT, 'utf8').split('\n') : []);
  const now = new Set(report.split('\n'));
  const gone = [...known].filter((line) => !now.has(line)).map((line) => `- ${line}`);
  const fresh = [...now].filter((line) => !known.has(line)).map((line) => `+ ${line}`);
  process.stderr.write(
    `The public API changed:\n${[...gone, ...fresh].slice(0, 60).join('\n')}\nIf that is meant: node scripts/api-report.ts, and a line in CHANGELOG.md.\n`,
  );
  process.exitCode = 1;
}
