import type { Config } from '../../model/config/schema.ts';
import { errorMessage, isMnemeError } from '../../model/errors.ts';
import { elapsedMs } from '../../platform/clock.ts';
import { type Machine, systemMachine } from '../../platform/machine.ts';
import { ProcessLock } from '../../platform/process-lock.ts';
import { learnFrom, missesOlder, reflectOn, WaitingSessions } from '../../operations/background/conversations.ts';
import { findPause } from '../../operations/background/pause.ts';
import type { OperationContext } from '../../operations/context.ts';
import type { SessionExtraction } from '../../operations/extract/extract-session.ts';
import { workerLock } from '../../workspace/home-paths.ts';
import { type EmbeddingProblem, toProblem } from '../../search-index/embed/embed-missing.ts';
import { waitFor } from '../../platform/clock.ts';
import { ProgressNotes } from './progress-notes.ts';
import type { Wake } from './own-worker.ts';

/** The step before the next piece of background work. */
interface Turn {
  /** False: no work now, look again after the wait. */
  readonly mayWork: boolean;
  readonly waitMs: number;
  /** Why there is a wait; null when there is none. */
  readonly reason: string | null;
}

/** A busy machine is given room, more and more of it; some work is done in between, or nothing would ever be learned on it. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 30_000;
const BATTERY_LOOK_MS = 60_000;
/** The system's load is an average that forgets this fast; this process's own share of it is reckoned the same way. */
const LOAD_MEMORY_MS = 60_000;

/** Decides how fast background work goes, by the load of the machine and its battery. */
export class Pace {
  readonly #machine: Machine;
  readonly #settings: Config['worker'];
  readonly #elapsedMs: () => number;
  #pauseMs = 0;
  #ownLoad = 0;
  #looked: { readonly atMs: number; readonly cpuSeconds: number };
  #battery: { readonly percent: number | undefined; readonly untilMs: number } | undefined;

  constructor(machine: Machine, settings: Config['worker'], elapsedMs: () => number) {
    this.#machine = machine;
    this.#settings = settings;
    this.#elapsedMs = elapsedMs;
    this.#looked = { atMs: elapsedMs(), cpuSeconds: machine.ownCpuSeconds() };
  }

  async next(): Promise<Turn> {
    const percent = await this.#batteryPercent();
    if (percent !== undefined && percent < this.#settings.min_battery_percent) {
      return { mayWork: false, waitMs: BATTERY_LOOK_MS, reason: `the machine runs on battery (${percent} %)` };
    }
    if (!this.#isBusy()) {
      this.#pauseMs = 0;
      return { mayWork: true, waitMs: 0, reason: null };
    }
    this.#pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, this.#pauseMs * 2));
    return { mayWork: true, waitMs: this.#pauseMs, reason: 'the machine is busy' };
  }

  #isBusy(): boolean {
    const { max_load: maxLoad } = this.#settings;
    const load = this.#machine.load();
    this.#followOwnLoad();
    if (load === undefined || maxLoad === 0) return false;
    return (load - this.#ownLoad) / this.#machine.cores > maxLoad;
  }

  #followOwnLoad(): void {
    const now = { atMs: this.#elapsedMs(), cpuSeconds: this.#machine.ownCpuSeconds() };
    const passedMs = now.atMs - this.#looked.atMs;
    if (passedMs <= 0) return;
    const used = ((now.cpuSeconds - this.#looked.cpuSeconds) * 1000) / passedMs;
    const kept = Math.exp(-passedMs / LOAD_MEMORY_MS);
    this.#ownLoad = this.#ownLoad * kept + used * (1 - kept);
    this.#looked = now;
  }

  /** Asked rarely: on some systems another program has to be started for it. */
  async #batteryPercent(): Promise<number | undefined> {
    if (this.#settings.min_battery_percent === 0) return undefined;
    const nowMs = this.#elapsedMs();
    if (this.#battery === undefined || nowMs >= this.#battery.untilMs) {
      this.#battery = { percent: await this.#machine.batteryPercent(), untilMs: nowMs + BATTERY_LOOK_MS };
    }
    return this.#battery.percent;
  }
}

/** Why background work ended. */
export type LoopEnd = 'nothing left' | 'paused' | 'told to stop' | 'another process does it' | 'waited too long';

export interface LoopParts {
  readonly context: OperationContext;
  readonly signal: AbortSignal;
  /** For a process that stays: what to wait for when nothing is left. Without it the loop ends then. */
  readonly wake?: Wake | undefined;
  readonly machine?: Machine | undefined;
  /** A person waits: only learns, and as fast as it can. */
  readonly isAwaited?: boolean | undefined;
  /** Called before each conversation, with how many are left behind it. */
  readonly onLearning?: ((session: string, left: number) => void) | undefined;
  readonly onLearned?: ((learned: SessionExtraction) => void) | undefined;
  /** Asked before every piece: why not to go on, such as a home that is gone. */
  readonly whyStop?: (() => string | undefined) | undefined;
  readonly onProblem?: ((message: string) => void) | undefined;
}

/** A second of a small encoder: whoever waits for the index's lock waits for a part of that, and a kill loses no more. */
const PASSAGES_A_PIECE = 64;
const EMBED_PIECE_MS = 1000;
/** The interval at which a long-running process looks for work that others have left. */
const LOOK_MS = 30_000;
const LOCK_LOOK_MS = 5000;
/** A process that only waits is in the way; the next command or hook starts another. */
const LONGEST_WAIT_MS = 600_000;
const AT_ONCE = { mayWork: true, waitMs: 0, reason: null } as const;

/**
 * Learns from conversations that wait and embeds passages that have no vector, the newest first, in small pieces. The
 * same in the worker, the daemon and any process that stays; whoever holds `state/worker.lock` does it.
 */
export async function runBackground(parts: LoopParts): Promise<LoopEnd> {
  const loop = new BackgroundLoop(parts);
  try {
    return await loop.run();
  } finally {
    loop.release();
  }
}

class BackgroundLoop {
  readonly #parts: LoopParts;
  readonly #context: OperationContext;
  readonly #state: string;
  readonly #pace: Pace;
  #lock: ProcessLock | undefined;
  #notes: ProgressNotes | undefined;
  #sessions: WaitingSessions | undefined;
  #learned: SessionExtraction[] = [];
  #waitingSinceMs: number | undefined;
  /** False once it turned out that another machine writes. */
  #canLearn = true;
  /** False once a model could not be had. */
  #canEmbed = true;
  #isLearningNext = true;

  constructor(parts: LoopParts) {
    const { context, machine = systemMachine } = parts;
    this.#parts = parts;
    this.#context = context;
    this.#state = context.workspace.paths.state;
    this.#pace = new Pace(machine, context.config.worker, elapsedMs);
  }

  async run(): Promise<LoopEnd> {
    const { signal, wake } = this.#parts;
    while (!signal.aborted && this.#parts.whyStop?.() === undefined) {
      const turn = await this.#takeTurn();
      if (turn === 'work') continue;
      if (wake === undefined && turn !== 'wait') return turn;
      const waitedMs = elapsedMs() - (this.#waitingSinceMs ??= elapsedMs());
      if (wake === undefined) {
        if (waitedMs > LONGEST_WAIT_MS) return 'waited too long';
        await waitFor(LOCK_LOOK_MS, signal);
      } else await this.#rest(wake, turn);
    }
    return 'told to stop';
  }

  release(): void {
    this.#notes?.end();
    this.#notes = undefined;
    this.#lock?.release();
    this.#lock = undefined;
  }

  /** Others may work meanwhile; what failed is tried again afterwards. */
  async #rest(wake: Wake, turn: LoopEnd | 'wait'): Promise<void> {
    if (turn !== 'wait') this.release();
    this.#sessions = undefined;
    this.#canLearn = true;
    this.#canEmbed = true;
    await wake.wait(turn === 'nothing left' || turn === 'wait' ? LOOK_MS : LOCK_LOOK_MS, this.#parts.signal);
  }

  /** One piece, if there is one and it may be done now. */
  async #takeTurn(): Promise<LoopEnd | 'work' | 'wait'> {
    if (findPause(this.#context.workspace.paths.journal, this.#context.clock) !== undefined) return 'paused';
    if (!this.#holdLock()) return 'another process does it';
    this.#notes ??= new ProgressNotes(this.#state, this.#context.clock);
    const { mayWork, waitMs, reason } = this.#parts.isAwaited === true ? AT_ONCE : await this.#pace.next();
    if (!mayWork) {
      this.#notes.wait(reason ?? '');
      return 'wait';
    }
    const isDone = await this.#doPiece(this.#notes);
    if (!isDone) {
      await this.#finish();
      return 'nothing left';
    }
    this.#waitingSinceMs = undefined;
    if (waitMs > 0) this.#notes.wait(reason ?? '');
    await waitFor(waitMs, this.#parts.signal);
    return 'work';
  }

  #holdLock(): boolean {
    if (this.#lock?.isValid() === true) return true;
    this.release();
    this.#lock = ProcessLock.tryTake(workerLock({ state: this.#state }));
    return this.#lock !== undefined;
  }

  /** Conversations and passages take turns, so that the newest of both are done first. False when there is neither. */
  async #doPiece(notes: ProgressNotes): Promise<boolean> {
    const pieces =
      this.#parts.isAwaited === true ? [this.#learn.bind(this)] : [this.#learn.bind(this), this.#embed.bind(this)];
    if (!this.#isLearningNext) pieces.reverse();
    this.#isLearningNext = !this.#isLearningNext;
    for (const piece of pieces) if (await piece(notes)) return true;
    return false;
  }

  async #learn(notes: ProgressNotes): Promise<boolean> {
    if (!this.#canLearn) return false;
    this.#sessions ??= new WaitingSessions(this.#context, () => notes.failed);
    const waiting = this.#sessions.take();
    const session = waiting ?? notes.takeAgain();
    const left = this.#sessions.count();
    if (session === undefined) {
      notes.leftToLearn(0);
      return false;
    }
    notes.begin(session, left);
    const { signal, onLearning, onLearned } = this.#parts;
    onLearning?.(session, left);
    try {
      const learned = await learnFrom(this.#context, session, { signal, again: waiting === undefined });
      if (learned === undefined) {
        notes.putBack();
        // It waits for this machine's turn; vectors need nobody's leave.
        this.#canLearn = false;
        return false;
      }
      if (signal.aborted) return true;
      this.#learned.push(learned);
      onLearned?.(learned);
      if (left > 0 && missesOlder(learned)) notes.lookAgain(session);
      const failed = learned.items.filter(({ action }) => action === 'failed').length;
      if (failed === 0) notes.learned();
      else this.#fail(notes, session, { message: `${failed} statements could not be written.`, hint: undefined });
    } catch (error) {
      // Unfinished work stays in the queue.
      if (signal.aborted) return true;
      this.#fail(notes, session, toProblem(error));
    }
    return true;
  }

  #fail(notes: ProgressNotes, session: string, { message, hint }: EmbeddingProblem): void {
    const said = `Nothing was learned from ${session}: ${message}`;
    notes.failedToLearn({
      message: said,
      hint: hint ?? `It is tried again later, or by \`mneme learn extract ${session}\`.`,
    });
    this.#parts.onProblem?.(said);
  }

  async #embed(notes: ProgressNotes): Promise<boolean> {
    if (!this.#canEmbed) return false;
    const startedMs = elapsedMs();
    const { signal } = this.#parts;
    try {
      const states = await this.#context.homeIndex.embedSome({
        signal,
        maxPassages: PASSAGES_A_PIECE,
        budgetMs: EMBED_PIECE_MS,
      });
      const done = states.reduce((sum, state) => sum + state.done, 0);
      notes.embedded(states, elapsedMs() - startedMs);
      const problem = states.find((state) => state.problem !== undefined)?.problem;
      if (problem !== undefined) throw new EmbeddingFailed(problem);
      return done > 0;
    } catch (error) {
      if (signal.aborted) return false;
      // A model that cannot be had now will not be had in a moment.
      this.#canEmbed = false;
      const problem = error instanceof EmbeddingFailed ? error.problem : toProblem(error);
      notes.noteProblem(problem);
      this.#parts.onProblem?.(problem.message);
      return false;
    }
  }

  /** Nothing is left: what was learned from long conversations is looked back on, once. */
  async #finish(): Promise<void> {
    const learned = this.#learned.splice(0);
    try {
      await reflectOn(this.#context, learned);
    } catch (error) {
      if (!isMnemeError(error)) throw error;
      this.#parts.onProblem?.(`No reflection was made: ${errorMessage(error)}`);
    }
  }
}

class EmbeddingFailed extends Error {
  readonly problem: EmbeddingProblem;

  constructor(problem: EmbeddingProblem) {
    super(problem.message);
    this.problem = problem;
  }
}
