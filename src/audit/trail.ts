import path from 'node:path';
import type { Config } from '../model/config/schema.ts';
import { errorMessage } from '../model/errors.ts';
import type { Clock } from '../platform/clock.ts';
import { nodeFileSystem } from '../platform/fs.ts';
import {
  isWorkspace,
  type Acknowledged,
  type Eraser,
  type EraseReport,
  type Erasure,
} from '../workspace/registries.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { readAcknowledgements, type Acknowledgement } from './acknowledgement.ts';
import { compareTrails, type TrailFinding } from './compare.ts';
import { linesOfRecord, readHistoryLines, type HistoryLine } from './history-lines.ts';
import { parseLine, serializeLine, type AuditLine } from './line.ts';
import { LogFile } from './log-file.ts';
import { firstKeptMonth, monthStartMs } from './months.ts';
import { createLineTest, type AuditQuery } from './query.ts';
import { AUDIT_ARCHIVE, planRetention, retainedLines, type RetentionPlan } from './retention.ts';
import { createCriticalTest, type CriticalTest } from './sensitivity.ts';

const AUDIT_LOG = 'memory/meta/audit.log';

export interface AuditTrailOptions {
  readonly workspace: Workspace;
  readonly clock: Clock;
  readonly config: Pick<Config, 'audit'>;
  /** `memory/meta/audit.log` in the workspace unless given. */
  readonly file?: string | undefined;
  /** Hears of lines that could not be written; the mutation itself is safe, and `sync` adds them later. */
  readonly onProblem?: ((message: string) => void) | undefined;
}

/**
 * The queryable summary of what git holds in full (S4 §12.2): a projection, not itself in git. It follows the door as a
 * listener; `sync` adds what came from elsewhere (a crash, a pull, a person's own commits), `rebuild` starts anew.
 */
export class AuditTrail implements Eraser {
  readonly name = 'audit log';
  readonly isCritical: CriticalTest;
  readonly #options: AuditTrailOptions;
  readonly #file: LogFile;

  constructor(options: AuditTrailOptions) {
    this.#options = options;
    this.isCritical = createCriticalTest(options.config.audit.critical_files);
    this.#file = new LogFile(options.file ?? this.#inWorkspace(AUDIT_LOG));
  }

  /** The door's listener. Never throws: an acknowledged mutation must reach the other listeners too. */
  record(acknowledged: readonly Acknowledged[]): void {
    const records = acknowledged.map(({ record }) => record).filter(isWorkspace);
    try {
      this.#file.append(records.flatMap((record) => linesOfRecord(record, this.isCritical)).map(serializeLine));
    } catch (error) {
      this.#options.onProblem?.(`The audit log lacks ${records.length} mutations: ${errorMessage(error)}`);
    }
  }

  /** Oldest first. What is no line is left out here and reported by `verify`. */
  lines(): AuditLine[] {
    return this.#file.read().flatMap((text) => parseLine(text) ?? []);
  }

  /** Newest first. */
  query(query: AuditQuery = {}): AuditLine[] {
    const matches = createLineTest(query);
    const limit = query.limit ?? Number.MAX_SAFE_INTEGER;
    const found: AuditLine[] = [];
    for (const text of this.#file.read().reverse()) {
      if (found.length >= limit) break;
      const line = parseLine(text);
      if (line !== undefined && matches(line)) found.push(line);
    }
    return found;
  }

  /** Every answer a person gave, by the reference it is about. */
  acknowledgements(): ReadonlyMap<string, Acknowledgement> {
    return readAcknowledgements(this.lines());
  }

  /** Writes the log anew from git's trailers. Returns how many lines it has. */
  async rebuild(): Promise<number> {
    const lines = this.#retained(await this.#readHistory());
    await this.#file.rewrite(() => lines.map(serializeLine));
    return lines.length;
  }

  /** Where the log and git disagree. */
  async verify(): Promise<TrailFinding[]> {
    const history = await this.#readHistory();
    const expected = new Set<AuditLine | undefined>(this.#retained(history));
    const texts = this.#file.read();
    const findings = compareTrails(
      texts.flatMap((text) => parseLine(text) ?? []),
      history,
    );
    const unreadable = texts.filter((text) => parseLine(text) === undefined);
    return [
      ...findings.filter(({ kind, line }) => kind !== 'missing' || expected.has(line)),
      ...unreadable.map(unreadableLine),
    ];
  }

  /** Adds what git has of the retention window and the log has not. Returns how many lines that were. */
  async sync(): Promise<number> {
    const sinceMs = monthStartMs(firstKeptMonth(this.#options.clock.now(), this.#retentionDays));
    const findings = compareTrails(this.lines(), await this.#readHistory(sinceMs));
    const missing = findings.filter((finding) => finding.kind === 'missing').map((finding) => finding.text);
    this.#file.append(missing);
    return missing.length;
  }

  planRetention(nowMs: number = this.#options.clock.now()): RetentionPlan {
    return planRetention({
      lines: this.lines(),
      archive: this.#readArchive(),
      nowMs,
      retentionDays: this.#retentionDays,
    });
  }

  /** The second half of retention, after the plan's changes have been committed. */
  async drop(lines: readonly AuditLine[]): Promise<void> {
    const dropped = new Set(lines.map(serializeLine));
    if (dropped.size === 0) return;
    await this.#file.rewrite((texts) => texts.filter((text) => !dropped.has(text)));
  }

  async erase({ texts, replacement }: Erasure): Promise<EraseReport> {
    let occurrences = 0;
    const clean = (field: string): string => {
      let cleaned = field;
      for (const text of texts) {
        occurrences += cleaned.split(text).length - 1;
        cleaned = cleaned.replaceAll(text, () => replacement);
      }
      return cleaned;
    };
    await this.#file.rewrite((lines) => lines.map((text) => mapTexts(text, clean)));
    return { where: this.name, occurrences };
  }

  get #retentionDays(): number {
    return this.#options.config.audit.retention_days;
  }

  #retained(history: readonly HistoryLine[]): AuditLine[] {
    return retainedLines(
      history.map(({ line }) => line),
      this.#readArchive(),
    );
  }

  async #readHistory(sinceMs?: number): Promise<HistoryLine[]> {
    await this.#options.workspace.drain();
    return readHistoryLines(this.#options.workspace.git.workspace, this.isCritical, sinceMs);
  }

  #readArchive(): string {
    return nodeFileSystem.read(this.#inWorkspace(AUDIT_ARCHIVE))?.toString('utf8') ?? '';
  }

  #inWorkspace(relative: string): string {
    return path.join(this.#options.workspace.root, relative);
  }
}

function unreadableLine(text: string): TrailFinding {
  return { kind: 'unreadable', text, line: undefined, message: `The log has a line that is none: ${text}` };
}

/** Changes the fields that hold somebody's words, escapes undone. */
function mapTexts(text: string, change: (field: string) => string): string {
  const line = parseLine(text);
  if (line === undefined) return change(text);
  const { file, summary, trigger } = line;
  return serializeLine({
    ...line,
    file: change(file),
    summary: change(summary),
    trigger: trigger === undefined ? undefined : change(trigger),
  });
}
