import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The command that starts this program again, as absolute paths: git hooks and agents' configurations keep it. */
export function selfCommand(): string[] {
  // The bundle lies in dist/, the sources three folders deep; the launcher is the same for both.
  for (const place of ['../bin/mneme', '../../../bin/mneme']) {
    const file = fileURLToPath(new URL(place, import.meta.url));
    if (existsSync(file)) return [process.execPath, file];
  }
  return ['mneme'];
}
