import { hash } from 'node:crypto';
import { errorMessage, isMnemeError } from '../../../model/errors.ts';
import { fileStem } from '../../../workspace/formats/layout.ts';
import type { Step } from '../../../workspace/formats/procedure.ts';
import { foldName } from '../../stores/registry/names.ts';
import type { KnownProcedure } from '../procedures.ts';
import type { Actions } from './actions.ts';
import { parseCall } from './call.ts';
import {
  type Check,
  type PlanFinding,
  type PlannedStep,
  type ReadCheck,
  type RunPlan,
  type StepWork,
  readCheck,
  readCondition,
  readErrorRule,
} from './plan.ts';

export interface PlanOptions {
  readonly actions: Actions;
  /** For a step that names none. */
  readonly defaultTimeoutMs: number;
  /** Every procedure there is, for fallbacks that name one. */
  readonly procedures: readonly KnownProcedure[];
  /** Steps whose action nobody registered are done by whoever runs the procedure. */
  readonly byHand?: boolean | undefined;
  readonly assumesMet?: boolean | undefined;
}

export interface MadePlan {
  readonly plan: RunPlan;
  readonly findings: readonly PlanFinding[];
}

/** Fallbacks of fallbacks multiply; nobody reads a plan of more. */
const MAX_STEPS = 300;

/** Words that ask somebody; they are understood by the engine itself. */
export const ASKING = { confirm: 'yes', ask: 'text' } as const satisfies Readonly<Record<string, 'yes' | 'text'>>;

/** Turns a procedure into what the engine runs. Never throws: what cannot be run is in the findings. */
export function makePlan(known: KnownProcedure, options: PlanOptions): MadePlan {
  const maker = new PlanMaker(known, options);
  const { procedure, path, damage } = known;
  if (damage !== undefined) maker.report('error', undefined, damage, REPAIR);
  const { frontmatter } = procedure;
  const preconditions = procedure.preconditions.map(({ text, startLine }) => maker.check(readCheck(text), startLine));
  const postconditions = procedure.postconditions.map(({ text, startLine }) => maker.check(readCheck(text), startLine));
  if (procedure.steps.length === 0) {
    maker.report(
      'error',
      undefined,
      `${procedure.name} has no steps to run`,
      'Write them as a numbered list under ## Steps.',
    );
  }
  for (const line of procedure.strayLines ?? []) {
    maker.report('error', line, 'This looks like a step and is read as part of the text above', STRAY);
  }
  maker.addSteps(procedure.steps, { prefix: '', after: null, behind: [path] });
  const plan: RunPlan = {
    path,
    name: procedure.name,
    version: frontmatter.version ?? '1',
    fingerprint: fingerprintOf(procedure.steps),
    priority: frontmatter.priority ?? 'medium',
    preconditions,
    steps: maker.steps,
    postconditions,
    assumesMet: options.assumesMet ?? false,
  };
  return { plan, findings: maker.findings };
}

const STRAY = 'Put an empty line before it.';
const REPAIR = 'Repair the file by hand; nothing in it was changed.';

/** The same for the same steps, wherever they stand in the file. */
export function fingerprintOf(steps: readonly Step[]): string {
  const essential = steps.map(({ line: _line, problems: _problems, ...step }) => step);
  return hash('sha256', JSON.stringify(essential)).slice(0, 12);
}

interface Sequence {
  /** The beginning of the labels: '' or `2.`. */
  readonly prefix: string;
  /** The step that follows the last one. */
  readonly after: number | null;
  /** The procedures whose steps these are and stand in for: none of them may come again. */
  readonly behind: readonly string[];
}

class PlanMaker {
  readonly steps: PlannedStep[] = [];
  readonly findings: PlanFinding[] = [];
  readonly #options: PlanOptions;
  readonly #known: KnownProcedure;

  constructor(known: KnownProcedure, options: PlanOptions) {
    this.#known = known;
    this.#options = options;
  }

  report(severity: PlanFinding['severity'], line: number | undefined, message: string, hint: string): void {
    this.findings.push({ severity, line, message, hint });
  }

  check({ check, problem }: ReadCheck, line: number | undefined): Check {
    if (problem !== undefined) {
      this.report(
        'warning',
        line,
        `"${check.text}" is taken for a question: ${problem}`,
        'Correct the expression in code marks.',
      );
    }
    return check;
  }

  /** Stand-ins stand behind the steps and lead back to what follows, so nothing can loop. */
  addSteps(steps: readonly Step[], { prefix, after, behind }: Sequence): number | undefined {
    if (steps.length === 0) return undefined;
    const first = this.steps.length;
    if (first + steps.length > MAX_STEPS) {
      this.report(
        'error',
        undefined,
        `The plan has more than ${MAX_STEPS} steps`,
        prefix === '' ? 'Split it into several procedures.' : 'Use fewer fallbacks that are procedures.',
      );
      return undefined;
    }
    for (const [index, step] of steps.entries()) {
      const next = index === steps.length - 1 ? after : first + index + 1;
      this.steps.push(this.#planStep(step, { label: `${prefix}${step.order}`, next }));
    }
    for (const [index, step] of steps.entries()) this.#addFallback(first + index, step, behind);
    return first;
  }

  #planStep(step: Step, { label, next }: { readonly label: string; readonly next: number | null }): PlannedStep {
    for (const problem of step.problems ?? []) {
      this.report('error', step.line, `Step ${label}: ${problem}`, 'Correct the line below the step.');
    }
    const work = this.#workOf(step, label);
    const action = work.kind === 'call' ? this.#options.actions.find(work.call.name) : undefined;
    const condition = step.condition === undefined ? undefined : this.check(readCondition(step.condition), step.line);
    const expected = step.expected === undefined ? undefined : this.check(readCheck(step.expected), step.line);
    return {
      label,
      description: step.description,
      work,
      condition,
      // In plain words it tells a person what to look for; asking after every step would wear them out.
      expected: expected?.expression === undefined ? undefined : expected,
      timeoutMs: step.timeoutMs ?? action?.timeoutMs ?? this.#options.defaultTimeoutMs,
      rule: readErrorRule(step),
      next,
      isIdempotent: step.isIdempotent ?? action?.isIdempotent ?? false,
      saveAs: this.#nameOf(step, label),
      cacheMs: step.cacheMs,
    };
  }

  #nameOf({ saveAs, line }: Step, label: string): string | undefined {
    if (saveAs === undefined || /^[\p{L}_][\p{L}\p{N}_]*$/u.test(saveAs)) return saveAs;
    this.report(
      'error',
      line,
      `Step ${label}: "${saveAs}" cannot be a name`,
      'Use one word of letters and digits after `save as:`.',
    );
    return undefined;
  }

  #workOf(step: Step, label: string): StepWork {
    if (step.action === undefined) return { kind: 'by-hand', text: step.description };
    try {
      const call = parseCall(step.action);
      const wants = Object.entries(ASKING).find(([name]) => name === call.name.toLowerCase())?.[1];
      if (wants !== undefined) return { kind: 'ask', call, wants };
      if (this.#options.actions.find(call.name) !== undefined) return { kind: 'call', call };
      if (this.#options.byHand === true) return { kind: 'by-hand', text: `${step.description} (${step.action})` };
      this.report(
        'error',
        step.line,
        `Step ${label} needs the action "${call.name}", which nobody registered`,
        this.#known.procedure.kind === 'skill' ? SKILL_HINT : this.#actionHint(),
      );
    } catch (error) {
      if (!isMnemeError(error)) throw error;
      this.report('error', step.line, `Step ${label}: ${errorMessage(error)}`, error.hint ?? REPAIR);
    }
    return { kind: 'by-hand', text: step.description };
  }

  #actionHint(): string {
    const names = [...this.#options.actions.list().map(({ name }) => name), ...Object.keys(ASKING)];
    return `There are: ${names.join(', ')}. Register more, or do such steps yourself (--by-hand).`;
  }

  #addFallback(at: number, step: Step, behind: readonly string[]): void {
    const planned = this.steps[at];
    if (planned === undefined || planned.rule.lastly !== 'fallback') return;
    const wanted = planned.rule.fallback ?? '';
    if (wanted === '') {
      this.report(
        'error',
        step.line,
        `Step ${planned.label} falls back to nothing`,
        'Say what to do instead: `on error: fallback …`.',
      );
      return;
    }
    const procedure = this.#findProcedure(wanted);
    if (procedure !== undefined && behind.includes(procedure.path)) {
      const way = [...behind, procedure.path].map(fileStem).join(' → ');
      this.report(
        'error',
        step.line,
        `Step ${planned.label} falls back in a circle: ${way}`,
        'Let one of them do something else.',
      );
      return;
    }
    const stand = procedure?.procedure.steps ?? [standIn(wanted, step, this.#options.actions)];
    const fallback = this.addSteps(stand, {
      prefix: `${planned.label}.`,
      after: planned.next,
      behind: procedure === undefined ? behind : [...behind, procedure.path],
    });
    if (fallback === undefined && procedure !== undefined) {
      this.report(
        'error',
        step.line,
        `Step ${planned.label} falls back to ${procedure.path}, which has no steps`,
        REPAIR,
      );
    }
    this.steps[at] = { ...planned, fallback };
  }

  #findProcedure(wanted: string): KnownProcedure | undefined {
    const name = /^\[\[([^\]|]+)(?:\|[^\]]*)?\]\]$/u.exec(wanted)?.[1] ?? wanted;
    const folded = foldName(name.replace(/\.md$/iu, ''));
    return this.#options.procedures.find(
      ({ path, procedure }) => foldName(procedure.name) === folded || foldName(fileStem(path)) === folded,
    );
  }
}

const SKILL_HINT =
  'Do such steps yourself with --by-hand, or register the action (m.registerAction, `--actions FILE`).';

/** An action where it names one, otherwise something to do by hand. */
function standIn(wanted: string, step: Step, actions: Actions): Step {
  const name = wanted.split(/[\s:]/u, 1)[0] ?? '';
  const isAction = actions.find(name) !== undefined || Object.hasOwn(ASKING, name.toLowerCase());
  return { order: 1, description: wanted, line: step.line, ...(isAction ? { action: wanted } : {}) };
}
