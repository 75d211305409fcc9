import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { MnemeError } from '../../src/model/errors.ts';

const PACKAGES = path.join(import.meta.dirname, 'packages');
const NPM_LIMIT_MS = 600_000;

/** Peers are installed outside the repository: they are large, and none is a dependency of Mneme. */
export function peersFolder(): string {
  return process.env['MNEME_PEERS'] ?? path.join(os.tmpdir(), 'mneme-peers');
}

export function installed(name: string, file: string): string {
  return path.join(peersFolder(), name, 'node_modules', file);
}

/** Installs what the lockfile pins. Resolves to why that failed, or to nothing. */
export function install(name: string): string | undefined {
  const folder = path.join(peersFolder(), name);
  fs.mkdirSync(folder, { recursive: true });
  const lock = fs.readFileSync(path.join(PACKAGES, name, 'package-lock.json'), 'utf8');
  const stamp = path.join(folder, 'installed.json');
  if (fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === lock) return undefined;
  for (const file of ['package.json', 'package-lock.json'])
    fs.cpSync(path.join(PACKAGES, name, file), path.join(folder, file));
  const npm = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status, stderr } = spawnSync('npm', npm, { cwd: folder, encoding: 'utf8', timeout: NPM_LIMIT_MS });
  if (status !== 0) return stderr.trim().split('\n').slice(-3).join(' ');
  fs.writeFileSync(stamp, lock);
  return undefined;
}

export function versionOf(name: string, module: string): string {
  const text = fs.readFileSync(installed(name, `${module}/package.json`), 'utf8');
  const { version } = JSON.parse(text) as { readonly version?: string };
  if (version === undefined) throw new MnemeError('failure', `${module} has no version.`);
  return version;
}
