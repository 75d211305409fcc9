import { readFileSync } from 'node:fs';

/** The version of this package: package.json stands above both src/interfaces/cli/ and the bundle's folder. */
export function readVersion(): string {
  for (const place of ['../package.json', '../../../package.json']) {
    try {
      const parsed = JSON.parse(readFileSync(new URL(place, import.meta.url), 'utf8')) as {
        name?: string;
        version?: string;
      };
      if (parsed.name === 'mneme' && parsed.version !== undefined) return parsed.version;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    }
  }
  return 'unknown';
}
