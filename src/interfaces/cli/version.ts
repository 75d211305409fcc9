import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

interface OwnPackage {
  readonly file: string;
  readonly version: string;
}

/** package.json stands above both src/interfaces/cli/ and the bundle's folder. */
function findPackage(): OwnPackage | undefined {
  for (const place of ['../package.json', '../../../package.json']) {
    const file = fileURLToPath(new URL(place, import.meta.url));
    try {
      const { name, version } = JSON.parse(readFileSync(file, 'utf8')) as { name?: string; version?: string };
      if (name === 'mneme' && version !== undefined) return { file, version };
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    }
  }
  return undefined;
}

/** The version of this package. */
export function readVersion(): string {
  return findPackage()?.version ?? 'unknown';
}

/** A file that another version of this package replaces; undefined in a program that bundled us into its own. */
export function findPackageFile(): string | undefined {
  return findPackage()?.file;
}

/** The command that starts this program again, as absolute paths: git hooks and agents' configurations keep it. */
export function selfCommand(): string[] {
  // The bundle lies in dist/, the sources three folders deep; the launcher is the same for both.
  for (const place of ['../bin/mneme', '../../../bin/mneme']) {
    const file = fileURLToPath(new URL(place, import.meta.url));
    if (existsSync(file)) return [process.execPath, file];
  }
  return ['mneme'];
}
