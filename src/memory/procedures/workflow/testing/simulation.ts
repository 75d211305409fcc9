import { makePlan } from '../make-plan.ts';
import { parseDocument } from '../../../../workspace/markdown/document.ts';
import { parseProcedure } from '../../../../workspace/formats/procedure.ts';
import type { KnownProcedure } from '../../procedures.ts';
import type { Variables } from '../../expression/evaluate.ts';
import { Actions } from '../actions.ts';
import { applyEvent, replay } from '../apply.ts';
import { driveRun, type DriveParts } from '../drive.ts';
import type { RunPlan } from '../plan.ts';
import { type Answer, type KeptEvent, type RunEvent, type RunState, statusOf } from '../state.ts';
import { must } from '../../../../model/errors.ts';

/** Stands for the death of the process: nothing of it catches this. */
export class Crash extends Error {}

/** One call that really happened. */
export interface Execution {
  readonly step: string;
  readonly attempt: number;
}

export type Behaviour = 'ok' | 'throws' | 'hangs';

export function known(text: string, path = 'memory/procedures/test.md'): KnownProcedure {
  return { path, scope: 'shared', procedure: parseProcedure(parseDocument(text), path), damage: undefined };
}

/** A run in a world whose processes die when told to, whose clock jumps and whose actions do as the script says. */
export class Simulation {
  readonly executions: Execution[] = [];
  readonly actions = new Actions();
  readonly plan: RunPlan;
  /** The lines that survive a crash. */
  readonly durable: string[] = [];
  nowMs = 1_000_000;
  /** The behaviour of the next calls; `ok` when nothing is left. */
  script: Behaviour[] = [];
  /** The number of entries still written before the process dies; and whether the last one still gets through. */
  crash: { after: number; isWritten: boolean } | undefined;

  constructor(text: string, input: Variables = {}) {
    this.actions.register('act', undefined, (given: unknown, { step, attempt, signal }) => {
      this.executions.push({ step, attempt });
      const behaviour = this.script.shift() ?? 'ok';
      if (behaviour === 'throws') throw new Error('out of order');
      if (behaviour === 'hangs') return new Promise(() => signal);
      return { done: step, given };
    });
    this.plan = makePlan(known(text), { actions: this.actions, defaultTimeoutMs: 1000, procedures: [] }).plan;
    const start = { type: 'started', atMs: this.nowMs, run: 'run_1', plan: this.plan, input, moment: {} } as const;
    this.durable.push(JSON.stringify({ ...start, by: 'manual', because: 'asked' } satisfies RunEvent));
  }

  get events(): KeptEvent[] {
    return this.durable.map((line) => JSON.parse(line) as KeptEvent);
  }

  get state(): RunState {
    return must(replay(this.events), 'the state of the run');
  }

  get status(): string {
    return statusOf(this.state);
  }

  /** A new process takes the run up where the journal says it is. Returns the state it ended with, unless it died. */
  async drive(parts: Partial<DriveParts> = {}): Promise<RunState | 'died'> {
    try {
      return await driveRun(
        {
          actions: this.actions,
          clock: { now: () => this.nowMs },
          sleep: (milliseconds, signal) => this.#sleep(milliseconds, signal),
          append: (event) => this.#append(event),
          graceMs: 10,
          ...parts,
        },
        this.state,
      );
    } catch (error) {
      if (error instanceof Crash) return 'died';
      throw error;
    }
  }

  /** Records the answer of a person, from a process of its own. */
  async record(event: RunEvent): Promise<void> {
    applyEvent(this.state, event);
    await this.#append(event);
  }

  answer(answer: Answer): Promise<void> {
    return this.record({ type: 'answered', atMs: this.nowMs, answer, by: 'manual' });
  }

  async #append(event: RunEvent): Promise<void> {
    const { crash } = this;
    const isLast = crash !== undefined && crash.after === 0;
    if (!isLast || crash.isWritten) this.durable.push(JSON.stringify(event));
    if (isLast) {
      this.crash = undefined;
      throw new Crash();
    }
    if (crash !== undefined) crash.after -= 1;
    await Promise.resolve();
  }

  /** Time passes only while somebody waits; whoever is called off does not move it. */
  async #sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    if (!signal.aborted) this.nowMs += milliseconds;
  }
}
