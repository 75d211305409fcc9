import { type Step, parseProcedure, renderDuration } from '../../../workspace/formats/procedure.ts';
import { parseDocument, serializeDocument } from '../../../workspace/markdown/document.ts';
import { appendToSection } from '../../../workspace/markdown/edit.ts';
import type { ExecutionRecord, StepExecution } from '../executions/record.ts';
import type { KnownProcedure } from '../procedures.ts';
import { fingerprintOf } from '../workflow/make-plan.ts';
import type { Refinement } from './apply-refinements.ts';

export interface RefineRules {
  /** Fewer runs of a step say nothing. */
  readonly minRuns: number;
}

/** So often a step has to fail before that is more than bad luck. */
const FAILING_SHARE = 0.3;
const HOPELESS_SHARE = 0.9;
/** Shorter calls are not worth caching. */
const WORTH_CACHING_MS = 100;
/** Their effect is the point of them; an answer from earlier would leave it out. */
const NEVER_CACHED = /^(?:say|wait|remember)\b/iu;
const CACHE = '1h';

/** A step, and how it went in each run of these very steps. */
interface StepHistory {
  readonly step: Step;
  readonly label: string;
  readonly runs: readonly { readonly run: string; readonly done: StepExecution }[];
}

/** Suggests changes of a procedure from its runs. */
export function findRefinements(
  known: KnownProcedure,
  records: readonly ExecutionRecord[],
  { minRuns }: RefineRules,
): Refinement[] {
  const { path, procedure } = known;
  const fingerprint = fingerprintOf(procedure.steps);
  const own = records.filter((record) => record.path === path && record.fingerprint === fingerprint);
  const histories = procedure.steps.map((step) => historyOf(step, own));
  const mayRemove = !refersByNumber(procedure.steps);
  const found = histories
    .filter(({ runs }) => runs.length >= minRuns)
    .flatMap((history) =>
      [
        findFailing(path, history),
        findTooSlow(path, history),
        mayRemove ? findRedundant(path, history, histories) : [],
        findCacheable(path, history),
      ].flat(),
    );
  return [...onePerStep(found), ...(own.length >= minRuns ? findBatchable(procedure.steps, own) : [])];
}

function historyOf(step: Step, records: readonly ExecutionRecord[]): StepHistory {
  const label = String(step.order);
  const runs = records.flatMap(({ run, steps }) => {
    const done = steps.find((one) => one.step === label);
    return done === undefined ? [] : [{ run, done }];
  });
  return { step, label, runs };
}

/** A step that is to be taken out need not be mended as well. */
function onePerStep(refinements: readonly Refinement[]): Refinement[] {
  const removed = new Set(refinements.filter(({ after }) => after === '').flatMap(({ steps }) => steps));
  return refinements.filter(({ steps, after }) => after === '' || !steps.some((label) => removed.has(label)));
}

/** Whether `{{step3}}` stands anywhere: taking a step out would make it mean another one. */
function refersByNumber(steps: readonly Step[]): boolean {
  return steps.some(({ action = '', condition = '', expected = '', onErrorDetail = '' }) =>
    /\bstep\d/iu.test(`${action} ${condition} ${expected} ${onErrorDetail}`),
  );
}

const TOO_LONG = /took longer than/u;

function findFailing(path: string, { step, label, runs }: StepHistory): Refinement[] {
  const failed = runs.filter(({ done }) => done.failures > 0 && !TOO_LONG.test(done.error ?? ''));
  const share = failed.length / runs.length;
  const about = { kind: 'failing', type: 'bugfix', steps: [label], evidence: failed.map(({ run }) => run) } as const;
  const often = `Step ${label} (${step.description}) failed in ${failed.length} of ${runs.length} runs`;
  const isSkipped = step.onError === 'skip';
  if (share >= HOPELESS_SHARE && isSkipped) {
    const description = `${often} and was skipped: it does nothing.`;
    return [
      { ...about, description, before: step.description, after: '', edit: (text) => removeStep(text, path, step) },
    ];
  }
  if (share < FAILING_SHARE || share >= HOPELESS_SHARE || failed.length < 2 || step.onError === 'retry') return [];
  const description = `${often} and went well in the others: trying again may be enough.`;
  const rule =
    step.onError === undefined
      ? 'retry 2'
      : `retry 2 then ${[step.onError, step.onErrorDetail ?? ''].join(' ').trim()}`;
  const before = step.onError === undefined ? 'no rule for errors' : `on error: ${step.onError}`;
  return [
    {
      ...about,
      description,
      before,
      after: `on error: ${rule}`,
      edit: (text) => setDetail(text, path, step, 'on error', rule),
    },
  ];
}

function findTooSlow(path: string, { step, label, runs }: StepHistory): Refinement[] {
  const slow = runs.filter(({ done }) => TOO_LONG.test(done.error ?? ''));
  if (step.timeoutMs === undefined || slow.length < 2 || slow.length / runs.length < FAILING_SHARE) return [];
  const [before, after] = [step.timeoutMs, step.timeoutMs * 2].map(renderDuration);
  return [
    {
      kind: 'too-slow',
      type: 'adaptation',
      steps: [label],
      description: `Step ${label} (${step.description}) ran out of time in ${slow.length} of ${runs.length} runs.`,
      before: `timeout: ${before ?? ''}`,
      after: `timeout: ${after ?? ''}`,
      evidence: slow.map(({ run }) => run),
      edit: (text) => setDetail(text, path, step, 'timeout', after ?? ''),
    },
  ];
}

function findRedundant(path: string, history: StepHistory, all: readonly StepHistory[]): Refinement[] {
  const { step, label, runs } = history;
  const evidence = runs.map(({ run }) => run);
  const change = {
    before: step.description,
    after: '',
    evidence,
    edit: (text: string) => removeStep(text, path, step),
  };
  const about = { kind: 'redundant', type: 'optimization', steps: [label], ...change } as const;
  if (runs.every(({ done }) => done.outcome === 'not-needed')) {
    return [
      { ...about, description: `Step ${label} (${step.description}) was not needed in any of ${runs.length} runs.` },
    ];
  }
  if (step.saveAs !== undefined) return [];
  const twin = all.slice(0, step.order - 1).find((other) => isSameEachTime(other, history));
  if (twin === undefined) return [];
  const description = `Step ${label} (${step.description}) did the same as step ${twin.label} in all of ${runs.length} runs.`;
  return [{ ...about, description }];
}

/** The same call with the same answer, in every run both were part of. */
function isSameEachTime(left: StepHistory, right: StepHistory): boolean {
  const others = new Map(left.runs.map(({ run, done }) => [run, done]));
  return right.runs.every(({ run, done }) => {
    const other = others.get(run);
    const isDone = done.outcome === 'ok' && done.call !== undefined && done.answer !== undefined;
    return isDone && other?.call === done.call && other?.answer === done.answer;
  });
}

function findCacheable(path: string, { step, label, runs }: StepHistory): Refinement[] {
  const isCandidate = step.cacheMs === undefined && step.action !== undefined && !NEVER_CACHED.test(step.action);
  if (!isCandidate || step.isIdempotent === false) return [];
  const first = runs[0]?.done;
  const isStable = runs.every(
    ({ done }) =>
      done.outcome === 'ok' && done.answer !== undefined && done.answer === first?.answer && done.call === first.call,
  );
  const averageMs = runs.reduce((sum, { done }) => sum + done.ms, 0) / runs.length;
  if (!isStable || averageMs < WORTH_CACHING_MS) return [];
  return [
    {
      kind: 'cacheable',
      type: 'optimization',
      steps: [label],
      description:
        `Step ${label} (${step.description}) gave the same answer in all of ${runs.length} runs and takes ` +
        `${Math.round(averageMs)} ms. If it only looks something up, its answer can be used again for a while.`,
      before: 'asked every time',
      after: `cache: ${CACHE}`,
      evidence: runs.map(({ run }) => run),
      edit: (text) => setDetail(text, path, step, 'cache', CACHE),
    },
  ];
}

/** Repeated messages and waits are intended. */
const NEVER_BATCHED = /^(?:say|wait|confirm|ask)$/iu;

/** Neighbouring steps that call one action with different things: one call with a list may do. */
function findBatchable(steps: readonly Step[], records: readonly ExecutionRecord[]): Refinement[] {
  const found: Refinement[] = [];
  for (let at = 0; at < steps.length;) {
    const action = actionOf(steps[at]);
    let end = at + 1;
    while (isOneMore(steps, at, end)) end += 1;
    if (action !== undefined && end - at > 1) found.push(batch(action, steps.slice(at, end), records));
    at = end;
  }
  return found;
}

/** The same action with something else; the very same again would be a repetition, not a list. */
function isOneMore(steps: readonly Step[], from: number, at: number): boolean {
  const action = actionOf(steps[from]);
  if (action === undefined || actionOf(steps[at]) !== action) return false;
  return steps.slice(from, at).every((step) => step.action !== steps[at]?.action);
}

/** undefined for a step that cannot be joined with its neighbour. */
function actionOf(step: Step | undefined): string | undefined {
  const name = step?.condition === undefined ? step?.action?.split(/[\s:]/u, 1)[0] : undefined;
  return name === undefined || NEVER_BATCHED.test(name) ? undefined : name;
}

function batch(action: string, steps: readonly Step[], records: readonly ExecutionRecord[]): Refinement {
  const labels = steps.map(({ order }) => String(order));
  const range = `${labels[0] ?? ''}–${labels.at(-1) ?? ''}`;
  // Only the author knows how to join them; the note stays beside the steps until they did.
  const note = `Steps ${range} call \`${action}\` ${steps.length} times in a row; one call with a list may do.`;
  return {
    kind: 'batchable',
    type: 'optimization',
    steps: labels,
    description: note,
    before: `${steps.length} calls`,
    after: note,
    evidence: records.map(({ run }) => run),
    edit: (text) =>
      text.includes(note) ? text : serializeDocument(appendToSection(parseDocument(text), 'Notes', `- ${note}`)),
  };
}

/**
 * Edits of single steps in a file that a person wrote: only the lines meant are touched. A step is told by its text,
 * since an earlier edit may have moved it.
 */

/** Sets a bullet such as `on error: retry 2` below a step, in place of the one that is there. */
export function setDetail(text: string, path: string, step: Step, key: string, value: string): string {
  const { lines, eol } = linesOf(text);
  const range = rangeOf(text, path, step, lines);
  if (range === undefined) return text;
  const known = new RegExp(`^(\\s*[-*+]\\s+\\**)${key.replaceAll(' ', '[ _-]')}(\\**\\s*:\\**)`, 'iu');
  const at = lines.findIndex((line, index) => index > range.first && index < range.end && known.test(line));
  if (at !== -1) {
    const indent = /^\s*/u.exec(lines[at] ?? '')?.[0] ?? '   ';
    return lines.with(at, `${indent}- ${key}: ${value}`).join(eol);
  }
  const indent = /^\s+/u.exec(lines[range.first + 1] ?? '')?.[0];
  const isNested = indent !== undefined && range.end > range.first + 1;
  const line = `${isNested ? indent : '   '}- ${key}: ${value}`;
  return lines.toSpliced(range.end, 0, line).join(eol);
}

/** Takes a step out and counts those behind it anew. */
export function removeStep(text: string, path: string, step: Step): string {
  const { lines, eol } = linesOf(text);
  const range = rangeOf(text, path, step, lines);
  if (range === undefined) return text;
  const later = new Set(
    stepsOf(text, path).flatMap(({ line }) => (line !== undefined && line - 1 >= range.end ? [line - 1] : [])),
  );
  return lines
    .map((line, index) => (later.has(index) ? countDown(line) : line))
    .toSpliced(range.first, range.end - range.first)
    .join(eol);
}

function countDown(line: string): string {
  return line.replace(
    /^(\s*)(\d+)(?=[.)])/u,
    (_whole, indent: string, number: string) => indent + (Number(number) - 1),
  );
}

function linesOf(text: string): { readonly lines: string[]; readonly eol: string } {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  return { lines: text.split(eol), eol };
}

function stepsOf(text: string, path: string): readonly Step[] {
  return parseProcedure(parseDocument(text), path).steps;
}

interface LineRange {
  /** From 0. */
  readonly first: number;
  /** Behind the step's last line. */
  readonly end: number;
}

function rangeOf(text: string, path: string, wanted: Step, lines: readonly string[]): LineRange | undefined {
  const steps = stepsOf(text, path);
  const found = steps.find(({ description, action }) => description === wanted.description && action === wanted.action);
  if (found?.line === undefined) return undefined;
  const first = found.line - 1;
  let end = first + 1;
  for (let at = end; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (/^\s+\S/u.test(line)) end = at + 1;
    else if (line.trim() !== '') break;
  }
  return { first, end };
}
