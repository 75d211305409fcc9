import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { nameOf, shippedPackages } from './shipped-packages.ts';

/** What fails the check; what is less grave is only told. */
const GRAVE: ReadonlySet<string> = new Set(['high', 'critical']);

interface AuditReport {
  readonly metadata?: { readonly vulnerabilities?: Readonly<Record<string, number>> };
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string; readonly range?: string }>>;
}

function readReport(text: string): AuditReport {
  try {
    return JSON.parse(text) as AuditReport;
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

const { stdout } = spawnSync('npm', ['audit', '--json'], {
  cwd: path.resolve(import.meta.dirname, '..'),
  encoding: 'utf8',
  timeout: 60_000,
});
const report = readReport(stdout ?? '');
if (report.metadata?.vulnerabilities === undefined) {
  // Being offline is no fault of a change; that nothing was looked at has to be said all the same.
  process.stdout.write(
    'Advisories were NOT checked: the registry is not reachable or does not answer such questions.\n',
  );
} else {
  // Most of what is shipped is a development dependency that the bundle takes in.
  const shipped = new Set(shippedPackages().map(([place]) => nameOf(place)));
  const found = Object.entries(report.vulnerabilities ?? {}).filter(([name]) => shipped.has(name));
  const lines = found.map(([name, { severity, range = '' }]) => `${severity} ${name} ${range}`);
  process.stdout.write(`${found.length} advisories for what is shipped.\n${lines.map((line) => `${line}\n`).join('')}`);
  if (found.some(([, { severity }]) => GRAVE.has(severity))) process.exitCode = 1;
}
