import path from 'node:path';
import { Sessions, type SessionsHome, IDLE_MS } from '../../capture/sessions.ts';
import { systemClock } from '../../platform/clock.ts';
import { sessionsBeforeOpening } from '../../operations/session/before-opening.ts';
import { readHome, type Home } from '../../workspace/home.ts';
import type { Mneme } from '../../mneme.ts';
import { selfCommand } from '../cli/version.ts';
import type { Activity } from './report.ts';

/** The time a hook may spend on other sessions. */
const TIDY_MS = 300;

/**
 * A home as a hook opens it: no more of it than the event needs. Most events only append to a live log, for which
 * settings suffice; opening everything would take longer than the work.
 */
export class HookHome {
  readonly settings: Home;
  readonly sessionsHome: SessionsHome;
  readonly sessions: Sessions;
  #writer: Promise<Mneme> | undefined;
  readonly #tell: (activity: Activity) => void;
  #activity: Activity = 'opening';

  private constructor(settings: Home, tell: (activity: Activity) => void) {
    this.settings = settings;
    this.#tell = tell;
    this.sessionsHome = {
      ...sessionsBeforeOpening(settings, async () => (await this.openToWrite()).internals),
      onLock: (state) => this.#tell(state === 'waiting' ? 'lock' : this.#activity),
    };
    this.sessions = new Sessions(this.sessionsHome);
  }

  /** `tell` hears what is being done, for whoever keeps the time. */
  static async open(home: string, tell: (activity: Activity) => void = () => undefined): Promise<HookHome> {
    return new HookHome(await readHome(home), tell);
  }

  begin(activity: Activity): void {
    this.#activity = activity;
    this.#tell(activity);
  }

  /** A home that a newer Mneme made is only read. */
  get isReadOnly(): boolean {
    return this.settings.settings.mode === 'read';
  }

  /** For questions: nobody is waited for, nothing is completed. */
  async openToRead(): Promise<Mneme> {
    return this.#open('read');
  }

  /** For finished transcripts: uses the write path like every write, and leaves git to the next command. */
  openToWrite(): Promise<Mneme> {
    this.#writer ??= this.#open('brief');
    return this.#writer;
  }

  /** Whether something of a session's wishes is noted; asked before loading what would read it. */
  hasWishes(session: string): boolean {
    const { fs, paths } = this.sessionsHome;
    return fs.exists(path.join(paths.journal, 'wishes', `${session}.json`));
  }

  /** Ends what a crash or a hook without time left open, as far as time allows. */
  async closeIdleSessions(): Promise<void> {
    const { clock } = this.sessionsHome;
    const idleMs = IDLE_MS;
    await this.sessions.closeIdle(idleMs, clock.now() + TIDY_MS);
  }

  /** Leaves what a hook has no time for to a worker; a few milliseconds. */
  async startWorker(): Promise<void> {
    if (this.isReadOnly) return;
    const { startWorker } = await import('../../runtime/worker/start-worker.ts');
    startWorker({ ...this.settings, clock: systemClock }, selfCommand());
  }

  async #open(mode: 'read' | 'brief'): Promise<Mneme> {
    const [{ assertHistoryExists }, { Mneme }] = await Promise.all([
      import('../../operations/history/missing.ts'),
      import('../../mneme.ts'),
    ]);
    await assertHistoryExists(this.settings.home);
    return Mneme.open({ settings: this.settings, scan: false, mode });
  }
}
