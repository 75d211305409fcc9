import { makeHome, openWorkspace } from '../../../test/support/home.ts';
import { defaultConfig } from '../../model/config/schema.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Step } from '../../workspace/door/context.ts';
import type { CommitRequest, CommitResult } from '../../workspace/door/request.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { WorkspaceSettings } from '../../workspace/home-paths.ts';
import { Alerts } from '../alerts.ts';
import { CriticalChecksums } from '../checksums.ts';
import { AuditTrail } from '../trail.ts';

/** A clock that stands still until it is moved. */
export class TestClock implements Clock {
  timeMs: number;

  constructor(start: string) {
    this.timeMs = Date.parse(start);
  }

  now(): number {
    return this.timeMs;
  }

  advance(milliseconds: number): void {
    this.timeMs += milliseconds;
  }
}

export interface OpenAudit {
  readonly home: string;
  readonly clock: TestClock;
  readonly workspace: Workspace;
  readonly trail: AuditTrail;
  readonly checksums: CriticalChecksums;
  readonly alerts: Alerts;
  /** Problems that the listeners reported. */
  readonly problems: readonly string[];
  commit(request: Partial<CommitRequest>): Promise<CommitResult>;
  /** Writes whole files in one mutation. */
  write(files: Record<string, string | undefined>, request?: Partial<CommitRequest>): Promise<string>;
}

export interface OpenAuditOptions {
  readonly home?: string | undefined;
  readonly clock?: TestClock | undefined;
  readonly settings?: Partial<WorkspaceSettings> | undefined;
  readonly onStep?: ((step: Step) => void) | undefined;
}

/** A real home in a temporary folder with the audit attached, as the composition root does it. */
export async function openAudit(options: OpenAuditOptions = {}): Promise<OpenAudit> {
  const home = options.home ?? (await makeHome());
  const clock = options.clock ?? new TestClock('2026-02-16T10:00:00Z');
  const workspace = await openWorkspace(home, { clock, onStep: options.onStep }, options.settings);
  const config = defaultConfig();
  const criticalFiles = config.audit.critical_files;
  const problems: string[] = [];
  const onProblem = (message: string): void => void problems.push(message);
  const trail = new AuditTrail({ workspace, clock, config, onProblem });
  const { isCritical } = trail;
  const checksums = new CriticalChecksums({ workspace, clock, isCritical, criticalFiles, onProblem });
  const alerts = new Alerts({ workspace, trail, checksums, rules: config.alerts });
  workspace.registries.recorders.push((acknowledged) => trail.record(acknowledged));
  workspace.registries.listeners.push((acknowledged) => checksums.record(acknowledged));
  await checksums.compare(new Map());
  const commit = (request: Partial<CommitRequest>): Promise<CommitResult> =>
    workspace.commit({ actor: 'bot:test', summary: 'a change', changes: [], ...request });
  return {
    home,
    clock,
    workspace,
    trail,
    checksums,
    alerts,
    problems,
    commit,
    async write(files, request = {}) {
      const changes = Object.entries(files).map(([path, text]) => ({ path, edit: () => text }));
      clock.advance(1000);
      const { mutation } = await commit({ ...request, changes });
      return mutation ?? '';
    },
  };
}
