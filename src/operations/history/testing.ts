import path from 'node:path';
import { onTestFinished } from 'vitest';
import { makeTemporaryFolder, openWorkspace } from '../../../test/support/home.ts';
import { AuditTrail } from '../../audit/trail.ts';
import { defaultConfig, type Config } from '../../model/config/schema.ts';
import { run } from '../../platform/process.ts';
import { systemRandom } from '../../platform/random.ts';
import { HOME_LAYOUT } from '../../workspace/formats/layout.ts';
import { initRepository } from '../../workspace/git/repository.ts';
import { type WorkspaceSettings, homePaths } from '../../workspace/home-paths.ts';
import type { ConflictReport } from '../../workspace/registries.ts';
import type { WorkspaceParts } from '../../workspace/workspace.ts';
import type { OperationContext } from '../context.ts';

/** A clock that moves a second with every write, so that commits have an order people can see. */
export class TestClock {
  timeMs: number;

  constructor(start = '2026-02-16T12:00:00Z') {
    this.timeMs = Date.parse(start);
  }

  now(): number {
    return this.timeMs;
  }

  advance(milliseconds: number): void {
    this.timeMs += milliseconds;
  }
}

export interface TestHome {
  readonly home: string;
  readonly clock: TestClock;
  readonly context: OperationContext;
  /** The reports that conflict handlers received. */
  readonly conflicts: readonly ConflictReport[];
  /** Writes whole files in one mutation, a second after the last, and returns its id. */
  write(
    files: Record<string, string | undefined>,
    more?: { summary?: string; actor?: string; session?: string },
  ): Promise<string>;
  close(): Promise<void>;
}

export interface TestHomeOptions {
  readonly home?: string | undefined;
  readonly clock?: TestClock | undefined;
  readonly actor?: string | undefined;
  readonly parts?: WorkspaceParts | undefined;
  readonly settings?: Partial<WorkspaceSettings> | undefined;
  /** Left as it is when the test ends, because it died on the way. */
  readonly isDoomed?: boolean | undefined;
  readonly config?: ((config: Config) => Config) | undefined;
}

let homes = 0;

/** Begun at a time of its own: two histories that begin alike would be one. */
async function makeHome(): Promise<string> {
  const home = makeTemporaryFolder();
  homes += 1;
  const nowMs = Date.UTC(2026, 1, 1) + homes * 1000;
  await initRepository({ ...homePaths(home).repositories.workspace, kind: 'workspace', branch: 'main', nowMs });
  return home;
}

/** A real home in a temporary folder, with only the parts of a context that history needs. */
export async function openTestHome(options: TestHomeOptions = {}): Promise<TestHome> {
  const home = options.home ?? (await makeHome());
  const clock = options.clock ?? new TestClock();
  const workspace = await openWorkspace(home, { clock, ...options.parts }, options.settings);
  const config = (options.config ?? ((value): Config => value))(defaultConfig());
  const conflicts: ConflictReport[] = [];
  workspace.registries.conflictHandlers.push((report) => void conflicts.push(report));
  const audit = new AuditTrail({ workspace, clock, config });
  workspace.registries.recorders.push((acknowledged) => audit.record(acknowledged));
  const parts = { home, config, layout: HOME_LAYOUT, workspace, audit, clock, random: systemRandom, notices: [] };
  const context = {
    ...parts,
    actor: options.actor ?? 'manual',
    checksums: { accept: () => Promise.resolve() },
    proposals: { settle: () => Promise.resolve([]) },
  } as unknown as OperationContext;
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (isOpen) await workspace.close();
    isOpen = false;
  };
  if (options.isDoomed !== true) onTestFinished(close);
  return {
    home,
    clock,
    context,
    conflicts,
    close,
    async write(files, more = {}) {
      clock.advance(1000);
      const { mutation } = await workspace.commit({
        actor: more.actor ?? 'bot:test',
        session: more.session,
        summary: more.summary ?? `wrote ${Object.keys(files).join(', ')}`,
        changes: Object.entries(files).map(([file, text]) => ({ path: file, edit: () => text })),
      });
      return mutation ?? '';
    },
  };
}

/** An empty repository that two homes can sync through. */
export async function makeBareRepository(): Promise<string> {
  const remote = path.join(makeTemporaryFolder(), 'remote.git');
  await run('git', ['init', '-q', '--bare', '-b', 'main', remote]);
  return remote;
}
