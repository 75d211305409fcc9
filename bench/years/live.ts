import fs from 'node:fs';
import path from 'node:path';
import { CORE_FILE } from '../../src/memory/stores/core-bullets.ts';
import { errorMessage, isMnemeError } from '../../src/model/errors.ts';
import { openMneme, type Mneme } from '../../src/mneme.ts';
import { approve, reject } from '../../src/operations/proposals/approve.ts';
import { runOperation } from '../../src/operations/operation.ts';
import { initHome } from '../../src/operations/home/init.ts';
import { coreUsage } from '../../src/workspace/formats/core.ts';
import { parseDocument } from '../../src/workspace/markdown/document.ts';
import { SeededRandom } from '../../test/support/seeded-random.ts';
import { progress } from '../support.ts';
import { CpuMeter } from './cpu.ts';
import { drawImportant, drawTalk, drawTrivial, type Line, type Planted } from './story.ts';
import { DAY_MS, MINUTE_MS } from '../../src/model/time.ts';

const MONTH_DAYS = 30;
/** A Monday to come: what compares its clock with the times of files then takes every file for an old one. */
const FIRST_DAY_MS = Date.UTC(2031, 0, 6);
const SESSIONS_PER_WEEK = 20;
/** So long before the end nothing is told any more, so that what is trivial has time to fade. */
const QUIET_DAYS = 75;
const NIGHTLY = ['daily', 'reflect', 'decay', 'archive', 'index'];
const WEEKLY = ['weekly', 'maintenance'];
/** Nothing that later days depend on is changed by it, so it runs only in months whose nights are measured. */
const WITHOUT_CONSEQUENCE = 'explore-prune';
/** Make up for the days they missed, so that once a week leaves the same; every night where nights are measured. */
const CATCHING_UP = ['tags', 'backup'];

/** The months whose nights are compared. */
export function measuredMonths(months: number): readonly [number, number] {
  return [Math.min(6, months), months];
}

export interface LifeOptions {
  readonly home: string;
  readonly months: number;
  /** Stops after so many weeks of them, for a test. */
  readonly weeks?: number | undefined;
  /** Twenty; fewer, for a test. */
  readonly sessionsPerWeek?: number | undefined;
  readonly seed: number;
  readonly facts: number;
  /** `weekly`: looks at what waits every Sunday, and says no to some; `never`: does not answer. */
  readonly approver: 'weekly' | 'never';
}

export interface Life {
  readonly mneme: Mneme;
  readonly clock: { time: number };
  readonly important: readonly Planted[];
  readonly trivial: readonly Planted[];
  /** When each of the important ones was last made use of. */
  readonly usedMs: ReadonlyMap<Planted, number>;
  /** CPU time of each night's jobs, by job. */
  readonly nights: readonly Readonly<Record<string, number>>[];
  readonly saidBytes: number;
  readonly sessions: number;
  readonly core: { readonly mostTokens: number; readonly mostLines: number; readonly overCap: number };
  readonly decided: { readonly approved: number; readonly rejected: number; readonly failed: readonly string[] };
  readonly troubles: readonly string[];
}

/** Lives through so many months with a memory, by the library, at a clock of its own. */
export async function live(options: LifeOptions): Promise<Life> {
  const { home, months, seed, facts, approver } = options;
  await initHome({ home, timeZone: 'UTC', isFull: false, command: ['mneme'] });
  const life = new Living(options);
  await life.open();
  const days = options.weeks === undefined ? months * MONTH_DAYS : options.weeks * 7;
  const lastDay = Math.max(1, days - QUIET_DAYS);
  const random = new SeededRandom(seed);
  life.important = drawImportant(random, facts, lastDay);
  life.trivial = drawTrivial(random, facts, lastDay);
  for (let day = 0; day < days; day += 1) {
    await life.day(day);
    if (day % 7 === 6 && approver === 'weekly') await life.decide();
    await life.night(day);
    if (day % MONTH_DAYS === MONTH_DAYS - 1) life.tellProgress((day + 1) / MONTH_DAYS);
  }
  return life;
}

class Living implements Life {
  mneme!: Mneme;
  important: readonly Planted[] = [];
  trivial: readonly Planted[] = [];
  readonly clock = { time: FIRST_DAY_MS, now: (): number => this.clock.time };
  readonly usedMs = new Map<Planted, number>();
  readonly nights: Record<string, number>[] = [];
  readonly core = { mostTokens: 0, mostLines: 0, overCap: 0 };
  readonly decided = { approved: 0, rejected: 0, failed: [] as string[] };
  readonly troubles: string[] = [];
  saidBytes = 0;
  sessions = 0;
  readonly #options: LifeOptions;
  readonly #random: SeededRandom;
  readonly #cpu = new CpuMeter();

  constructor(options: LifeOptions) {
    this.#options = options;
    this.#random = new SeededRandom(options.seed + 1);
  }

  async open(): Promise<void> {
    this.mneme = await openMneme({
      home: this.#options.home,
      parts: { clock: this.clock, random: new SeededRandom(this.#options.seed + 2) },
      onProblem: (message) => this.troubles.push(message),
    });
  }

  /** Five working days a week, as a rule four conversations each. */
  async day(day: number): Promise<void> {
    if (day % 7 >= 5) return;
    const told = [...this.important, ...this.trivial].filter((planted) => planted.day === day);
    const onWeekend = [...this.important, ...this.trivial].filter(
      (planted) => day % 7 === 4 && planted.day > day && planted.day <= day + 2,
    );
    const lines = [...told, ...onWeekend].map(tell);
    const perDay = (this.#options.sessionsPerWeek ?? SESSIONS_PER_WEEK) / 5;
    for (let number = 0; number < perDay; number += 1) {
      this.clock.time = FIRST_DAY_MS + day * DAY_MS + (9 + number * 2) * 60 * MINUTE_MS;
      const share = lines.filter((_, index) => index % perDay === number);
      await this.#converse([...drawTalk(this.#random), ...share]);
    }
  }

  async #converse(lines: readonly Line[]): Promise<void> {
    this.sessions += 1;
    const session = await this.mneme.session.start({ user: 'Ines' });
    for (const [role, text] of lines) {
      this.clock.time += MINUTE_MS;
      this.saidBytes += Buffer.byteLength(text);
      await session.message(role, text);
    }
    if (this.#random.chance(0.6)) await this.#use(session);
    await session.end();
    const { problems } = await this.mneme.internals.parts.learning.settle(600_000);
    this.troubles.push(...problems);
  }

  /** The user needs something that was told, the agent looks it up or was told it, and says it. */
  async #use(session: Awaited<ReturnType<Mneme['session']['start']>>): Promise<void> {
    const today = (this.clock.time - FIRST_DAY_MS) / DAY_MS;
    const known = this.important.filter(({ day }) => day < Math.floor(today) - 2);
    if (known.length === 0) return;
    const fact = this.#random.pick(known);
    const isAsked = this.#random.chance(0.5);
    const text = isAsked ? fact.question : fact.prompt;
    this.clock.time += MINUTE_MS;
    await (isAsked ? this.mneme.recall(text) : this.mneme.context(text, { event: 'prompt', session: session.id }));
    await session.message('user', text);
    this.clock.time += MINUTE_MS;
    const reply = `As you told me: ${fact.statement}.`;
    await session.message('agent', reply);
    this.saidBytes += Buffer.byteLength(text) + Buffer.byteLength(reply);
    this.usedMs.set(fact, this.clock.time);
  }

  /** A person who reads what waits and agrees to most of it. */
  async decide(): Promise<void> {
    const context = { ...this.mneme.internals, actor: 'manual' };
    for (const { id, kind, title } of context.proposals.list({ state: 'pending' }).proposals) {
      this.clock.time += MINUTE_MS;
      try {
        if (this.#random.chance(0.15)) {
          await runOperation(reject, context, { ids: [id], why: 'not now' });
          this.decided.rejected += 1;
        } else {
          await runOperation(approve, context, { ids: [id] });
          this.decided.approved += 1;
        }
      } catch (error) {
        if (!isMnemeError(error)) throw error;
        this.decided.failed.push(`${kind}: ${title}: ${errorMessage(error)}`);
      }
    }
  }

  async night(day: number): Promise<void> {
    this.clock.time = FIRST_DAY_MS + (day + 1) * DAY_MS + 3 * 60 * MINUTE_MS;
    const date = new Date(this.clock.time);
    const isSunday = date.getUTCDay() === 0;
    const isMeasured = this.#isMeasured(day);
    const jobs = [
      ...(isMeasured || isSunday ? CATCHING_UP : []),
      ...NIGHTLY,
      ...(isMeasured ? [WITHOUT_CONSEQUENCE] : []),
      ...(isSunday ? WEEKLY : []),
      ...(date.getUTCDate() === 1 ? ['monthly'] : []),
    ];
    const took: Record<string, number> = {};
    this.#cpu.lookAround();
    for (const job of jobs) {
      const before = this.#cpu.readMs();
      const { state, summary } = await this.mneme.jobs.run(job);
      took[job] = this.#cpu.readMs() - before;
      if (state !== 'done') this.troubles.push(`day ${day}: ${job}: ${summary}`);
      this.clock.time += MINUTE_MS;
    }
    this.nights.push(took);
    this.#lookAtCore();
  }

  #isMeasured(day: number): boolean {
    const { months, weeks } = this.#options;
    return weeks === undefined && measuredMonths(months).includes(Math.floor(day / MONTH_DAYS) + 1);
  }

  tellProgress(month: number): void {
    const nights = this.nights.slice(-MONTH_DAYS);
    const sums: Record<string, number> = {};
    for (const night of nights)
      for (const [job, ms] of Object.entries(night)) sums[job] = (sums[job] ?? 0) + ms / MONTH_DAYS;
    progress(
      `${this.#options.approver}: month ${month}, CPU a night ${JSON.stringify(sums, (_, value: unknown) => (typeof value === 'number' ? Math.round(value) : value))}`,
    );
  }

  #lookAtCore(): void {
    const { config, workspace } = this.mneme.internals;
    const text = fs.readFileSync(path.join(workspace.root, CORE_FILE), 'utf8');
    const { tokens, lines } = coreUsage(parseDocument(text), config.core);
    this.core.mostTokens = Math.max(this.core.mostTokens, tokens);
    this.core.mostLines = Math.max(this.core.mostLines, lines);
    if (tokens > config.core.max_tokens || lines > config.core.max_lines) this.core.overCap += 1;
  }
}

function tell({ statement, isExplicit }: Planted): Line {
  if (isExplicit) return ['user', `Please remember that ${statement}.`];
  return ['user', `By the way, ${statement}.`];
}
