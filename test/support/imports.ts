import fs from 'node:fs';
import path from 'node:path';
import { importFrom } from '../../src/exchange/import/run.ts';
import type { ImportControls, ImportRequest, ImportResult } from '../../src/exchange/import/request.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { systemRandom } from '../../src/platform/random.ts';
import type { Workspace } from '../../src/workspace/workspace.ts';
import { makeHome, makeTemporaryFolder, openWorkspace } from './home.ts';

const FIXTURES = path.join(import.meta.dirname, '..', 'fixtures', 'logs');

/** A copy of a folder of fixtures, so that a test may change it. */
export function copyLogs(name: string): string {
  const folder = path.join(makeTemporaryFolder('mneme-logs-'), name);
  fs.cpSync(path.join(FIXTURES, name), folder, { recursive: true });
  return folder;
}

export function fixture(name: string): string {
  return path.join(FIXTURES, name);
}

/** A home to import into, opened and closed for each import as commands do. */
export class ImportHome {
  readonly home: string;

  private constructor(home: string) {
    this.home = home;
  }

  static async make(): Promise<ImportHome> {
    return new ImportHome(await makeHome());
  }

  async with<T>(body: (workspace: Workspace) => Promise<T>): Promise<T> {
    const workspace = await openWorkspace(this.home);
    try {
      return await body(workspace);
    } finally {
      await workspace.close();
    }
  }

  import(request: ImportRequest, controls: ImportControls = {}): Promise<ImportResult> {
    return this.with((workspace) => {
      const target = {
        workspace,
        clock: systemClock,
        random: systemRandom,
        timeZone: 'Europe/Lisbon',
        actor: 'bot:main',
      };
      return importFrom(target, request, controls);
    });
  }

  /** Everything in raw/, by path. */
  transcripts(): Map<string, string> {
    const root = path.join(this.home, 'raw', 'conversations');
    if (!fs.existsSync(root)) return new Map();
    const files = fs.readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
    return new Map(files.sort().map((name) => [name, fs.readFileSync(path.join(root, name), 'utf8')]));
  }

  text(): string {
    return [...this.transcripts().values()].join('\n');
  }
}

/** How often each line that begins with a word of the test's own occurs. */
export function countLines(text: string, pattern: RegExp): number {
  return text.split('\n').filter((line) => pattern.test(line)).length;
}
