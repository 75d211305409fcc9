import { hash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { systemCode } from '../../../model/errors.ts';
import type { Change } from '../../../workspace/door/request.ts';
import { fileStem } from '../../../workspace/formats/layout.ts';
import { parseProcedure } from '../../../workspace/formats/procedure.ts';
import { parseDocument, serializeDocument } from '../../../workspace/markdown/document.ts';
import { setFrontmatterValue, type FrontmatterValue } from '../../../workspace/markdown/frontmatter.ts';
import { findDamage } from '../../stores/plan.ts';
import type { RunState, StepReport } from '../workflow/state.ts';
import { oneLine, roundTo } from '../../../model/text.ts';

const stepSchema = z.object({
  step: z.string(),
  what: z.string(),
  outcome: z.enum(['ok', 'not-needed', 'skipped', 'failed', 'fell-back', 'under-way']),
  attempts: z.number(),
  failures: z.number(),
  ms: z.number(),
  call: z.string().optional(),
  answer: z.string().optional(),
  error: z.string().optional(),
  cached: z.boolean().optional(),
});

const recordSchema = z.object({
  run: z.string(),
  path: z.string(),
  name: z.string(),
  version: z.string(),
  fingerprint: z.string(),
  started: z.string(),
  ms: z.number(),
  status: z.enum(['succeeded', 'failed', 'cancelled']),
  by: z.string(),
  because: z.string(),
  error: z.string().optional(),
  assumed: z.array(z.string()).optional(),
  steps: z.array(stepSchema),
});

/** A run that is over, as it is remembered: what was done and how it went, not what it was about. */
export type ExecutionRecord = z.infer<typeof recordSchema>;
export type StepExecution = z.infer<typeof stepSchema>;

const MAX_TEXT = 200;

export function makeRecord(state: RunState): ExecutionRecord {
  const { run, plan, startedMs, lastMs, by, because, failure, assumed, reports } = state;
  return {
    run,
    path: plan.path,
    name: plan.name,
    version: plan.version,
    fingerprint: plan.fingerprint,
    started: new Date(startedMs).toISOString(),
    ms: lastMs - startedMs,
    status: state.ending ?? 'cancelled',
    by,
    because,
    ...(failure === undefined ? {} : { error: short(failure) }),
    ...(assumed.length === 0 ? {} : { assumed: assumed.map(short) }),
    steps: reports.map(recordStep),
  };
}

function recordStep(report: StepReport): StepExecution {
  const { label, description, outcome, attempts, failures, startedMs, endedMs, error, note, answer, call, isCached } =
    report;
  const problem = error ?? note;
  return {
    step: label,
    what: short(description),
    outcome,
    attempts,
    failures,
    ms: endedMs - startedMs,
    ...(call === '' ? {} : { call }),
    // Enough to see that it is the same again; the answer itself may be anybody's.
    ...(answer === undefined || answer === null ? {} : { answer: hash('sha256', JSON.stringify(answer)).slice(0, 12) }),
    ...(problem === undefined ? {} : { error: short(problem) }),
    ...(isCached ? { cached: true } : {}),
  };
}

function short(text: string): string {
  const line = oneLine(text.toWellFormed());
  return line.length <= MAX_TEXT ? line : `${line.slice(0, MAX_TEXT - 1).toWellFormed()}…`;
}

/** One bullet: what a person wants to know in front, the rest in a comment behind it. */
export function renderRecord(record: ExecutionRecord): string {
  const { started, status, version, path, ms, error } = record;
  const why = error === undefined || status === 'succeeded' ? '' : ` — ${oneLine(error).replaceAll('<!--', '< !--')}`;
  const time = started.replace('T', ' ').replace(/\.\d+Z$/u, 'Z');
  return `- ${time} ${status} [[${fileStem(path)}]] v${version} in ${seconds(ms)}${why} <!-- ${escapeJson(record)} -->`;
}

function seconds(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** Two dashes would end the comment, and what some take for a line end the line. */
function escapeJson(record: ExecutionRecord): string {
  return JSON.stringify(record)
    .replaceAll('--', String.raw`-\u002d`)
    .replaceAll(/[\u0085\u2028\u2029]/gu, (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const LINE = /^- .*<!-- (\{.*\}) -->\s*$/su;

/** undefined for a line that is no record, or that somebody changed beyond recognition. */
export function parseRecord(line: string): ExecutionRecord | undefined {
  const source = LINE.exec(line)?.[1];
  if (source === undefined) return undefined;
  try {
    const parsed = recordSchema.safeParse(JSON.parse(source));
    return parsed.success ? parsed.data : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Measures of a procedure. A run that was cancelled, or not begun at all, says nothing about it. */
export interface Metrics {
  readonly executions: number;
  readonly successes: number;
  /** 0 to 1; null before the first run. */
  readonly successRate: number | null;
  readonly averageMs: number | null;
  readonly lastExecuted: string | null;
}

export function measure(records: readonly ExecutionRecord[]): Metrics {
  const counted = records.filter(isCounted);
  const successes = counted.filter(({ status }) => status === 'succeeded').length;
  const totalMs = counted.reduce((sum, { ms }) => sum + ms, 0);
  return {
    executions: counted.length,
    successes,
    successRate: counted.length === 0 ? null : roundTo(successes / counted.length, 3),
    averageMs: counted.length === 0 ? null : Math.round(totalMs / counted.length),
    lastExecuted: records.at(-1)?.started ?? null,
  };
}

function isCounted({ status, steps }: ExecutionRecord): boolean {
  return status === 'succeeded' || (status === 'failed' && steps.length > 0);
}

/** Fewer runs on either side say nothing about a change. */
const MIN_RUNS_TO_COMPARE = 5;

/** By how much the success rate changed from one version to the next; undefined while too few runs tell. */
export function rateChange(records: readonly ExecutionRecord[], before: string, after: string): number | undefined {
  const [old, young] = [before, after].map((version) =>
    measure(records.filter((record) => record.version === version)),
  );
  if (old === undefined || young === undefined) return undefined;
  if (old.executions < MIN_RUNS_TO_COMPARE || young.executions < MIN_RUNS_TO_COMPARE) return undefined;
  return roundTo((young.successRate ?? 0) - (old.successRate ?? 0), 3);
}

/**
 * The procedure's file with the run counted in its frontmatter. What is there is added to, since the file may have come
 * from elsewhere with a past of its own; a file without frontmatter, or with a broken one, stays as it is.
 */
export function countRun(text: string, path: string, record: ExecutionRecord): string {
  const document = parseDocument(text);
  if (document.frontmatter === undefined || findDamage(text, document.frontmatter) !== undefined) return text;
  if (!isCounted(record)) return text;
  const { frontmatter } = parseProcedure(document, path);
  const { executions = 0, successes = 0, average_ms: averageMs = 0, ...rest } = frontmatter.metrics ?? {};
  const count = executions + 1;
  const won = successes + (record.status === 'succeeded' ? 1 : 0);
  const metrics = {
    ...(rest as Record<string, FrontmatterValue>),
    executions: count,
    successes: won,
    success_rate: roundTo(won / count, 3),
    average_ms: Math.round((averageMs * executions + record.ms) / count),
    last_executed: record.started.replace(/\.\d+Z$/u, 'Z'),
  };
  return serializeDocument(setFrontmatterValue(document, 'metrics', metrics));
}

const FOLDER = 'memory/meta';
const NAME = /^executions(?:\.(\d+))?\.md$/u;

/** A file that a person can still read through, and git still diffs at a glance. */
const ROLL_BYTES = 32 * 1024;

const HEADING = '# Executions\n\nEvery run of a procedure, the latest last. Written by Mneme.\n\n';

interface ReadExecutions {
  /** Oldest first. */
  readonly records: readonly ExecutionRecord[];
  /** Lines that look like records and cannot be read; they are left as they are. */
  readonly problems: readonly string[];
}

/** The runs that are over, in `memory/meta/executions.md`, `executions.2.md`, …: appended to, never changed. */
export class Executions {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  readAll(): ReadExecutions {
    const records: ExecutionRecord[] = [];
    const problems: string[] = [];
    const seen = new Set<string>();
    for (const file of this.#files()) {
      const lines = fs.readFileSync(path.join(this.#root, file), 'utf8').split('\n');
      for (const [index, line] of lines.entries()) {
        const record = parseRecord(line.trimEnd());
        if (record === undefined) {
          if (line.startsWith('- ')) problems.push(`${file}:${index + 1} is not a record that can be read`);
        } else if (!seen.has(record.run)) {
          seen.add(record.run);
          records.push(record);
        }
      }
    }
    return { records: records.sort((left, right) => (left.started < right.started ? -1 : 1)), problems };
  }

  /** Adds a run once; `isNew` is told while the change is made, for what goes along with it. */
  planRecord(record: ExecutionRecord, isNew: (answer: boolean) => void): Change {
    const files = this.#files();
    const last = files.at(-1);
    const isFull = last !== undefined && this.#size(last) >= ROLL_BYTES;
    const target = last === undefined || isFull ? `${FOLDER}/${nameOf(files.length + 1)}` : last;
    const known = files.some((file) => this.#holds(file, record.run));
    return {
      path: target,
      edit: (current) => {
        const isKnown = known || (current ?? '').includes(`"run":"${record.run}"`);
        isNew(!isKnown);
        if (isKnown) return current;
        const before = current === undefined || current.trim() === '' ? HEADING : current;
        return `${before}${before.endsWith('\n') ? '' : '\n'}${renderRecord(record)}\n`;
      },
    };
  }

  #holds(file: string, run: string): boolean {
    return fs.readFileSync(path.join(this.#root, file), 'utf8').includes(`"run":"${run}"`);
  }

  #size(file: string): number {
    return fs.statSync(path.join(this.#root, file)).size;
  }

  #files(): string[] {
    return listNames(path.join(this.#root, FOLDER))
      .flatMap((name) => {
        const match = NAME.exec(name);
        return match === null ? [] : [{ name, number: Number(match[1] ?? 1) }];
      })
      .sort((left, right) => left.number - right.number)
      .map(({ name }) => `${FOLDER}/${name}`);
  }
}

function nameOf(number: number): string {
  return number === 1 ? 'executions.md' : `executions.${number}.md`;
}

function listNames(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}
