import path from 'node:path';
import { ReceiptStore } from '../../compile/receipt-store.ts';
import { errorMessage } from '../../model/errors.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import type { OperationContext } from '../../operations/context.ts';
import { sensitivityOf } from '../../workspace/formats/layout.ts';
import { Journal, type JournalPosition } from '../../workspace/journal/journal.ts';
import type { JournalRecord } from '../../workspace/journal/record.ts';
import { PROPOSALS_FOLDER } from '../../proposals/proposal.ts';
import { JobLog } from '../jobs/job-log.ts';

/** The events of a home, as its followers receive them. */
export interface HomeEvents {
  readonly mutation: {
    readonly mutation: string;
    readonly time: string;
    readonly actor: string;
    readonly action: string;
    readonly summary: string;
    readonly session: string | null;
    readonly files: readonly string[];
  };
  readonly proposal: { readonly waiting: number };
  readonly alert: { readonly waiting: number };
  readonly job: { readonly job: string; readonly run: string; readonly state: string; readonly summary: string };
  readonly receipt: { readonly id: string; readonly session: string | null; readonly clock: string };
  readonly session: { readonly session: string; readonly state: 'open' | 'ended' };
  /** Something was missed: whoever shows anything should ask anew. */
  readonly reset: Readonly<Record<string, never>>;
}

function newestReceipt(journal: string): HomeEvents['receipt'] | undefined {
  for (const { receipt } of new ReceiptStore(nodeFileSystem, journal).list()) {
    return { id: receipt.id, session: receipt.session, clock: receipt.clock };
  }
  return undefined;
}

/** The last runs of jobs, by what stands in their log. */
function readJobRuns(journal: string): HomeEvents['job'][] {
  const runs = new Map<string, HomeEvents['job']>();
  for (const line of new JobLog(journal).read()) {
    if (line.event === 'started') runs.set(line.run, { job: line.job, run: line.run, state: 'running', summary: '' });
    if (line.event === 'ended') {
      runs.set(line.run, { job: line.job, run: line.run, state: line.state, summary: line.summary });
    }
  }
  return [...runs.values()].slice(-MAX_RUNS);
}

/** More do not begin or end between two looks. */
const MAX_RUNS = 50;

function listLiveSessions(journal: string): string[] {
  return nodeFileSystem
    .list(path.join(journal, 'live'))
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => name.slice(0, -'.jsonl'.length));
}

/** Passes events on; whether a listener may see one is decided there. */
interface EventSink {
  publish<Name extends keyof HomeEvents>(name: Name, data: HomeEvents[Name]): void;
  restart(): void;
}

/** The journal is one row to look at; what stands in folders is looked at less often. */
const JOURNAL_LOOK_MS = 400;
const FOLDERS_EVERY = 5;

/**
 * Tells of what happens in the home, whichever process does it: all of them write the same journal and folders. Looks only
 * while somebody listens, or did a moment ago.
 */
export class HomeFollower {
  readonly #context: OperationContext;
  readonly #hub: EventSink;
  readonly #isNeeded: () => boolean;
  readonly #onProblem: (message: string) => void;
  readonly #journal: Journal;
  #at: JournalPosition | undefined;
  #timer: NodeJS.Timeout | undefined;
  #looks = 0;
  #isLooking = false;
  #isFollowing = false;
  #proposals: number | undefined;
  #alerts: number | undefined;
  #receipt: string | undefined;
  #runs = new Map<string, string>();
  #sessions = new Set<string>();

  constructor(
    context: OperationContext,
    hub: EventSink,
    isNeeded: () => boolean,
    onProblem: (message: string) => void,
  ) {
    this.#context = context;
    this.#hub = hub;
    this.#isNeeded = isNeeded;
    this.#onProblem = onProblem;
    this.#journal = new Journal(context.workspace.paths.writeAhead, nodeFileSystem);
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#look().catch((error: unknown) => this.#onProblem(`events: ${errorMessage(error)}`));
    }, JOURNAL_LOOK_MS);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#journal.close();
  }

  /** From here on; what was before is what clients ask for when they come. */
  #begin(): void {
    const { journal } = this.#context.workspace.paths;
    this.#at = parsePosition(this.#context.workspace.journalEnd);
    this.#receipt = newestReceipt(journal)?.id;
    this.#runs = new Map(readJobRuns(journal).map(({ run, state }) => [run, state]));
    this.#sessions = new Set(listLiveSessions(journal));
    this.#proposals = undefined;
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    if (!this.#isNeeded()) {
      if (this.#isFollowing) this.#hub.restart();
      this.#isFollowing = false;
      return;
    }
    if (!this.#isFollowing) {
      this.#begin();
      this.#isFollowing = true;
    }
    this.#isLooking = true;
    try {
      await this.#followJournal();
      this.#looks += 1;
      if (this.#looks % FOLDERS_EVERY === 0) this.#lookAtFolders();
    } finally {
      this.#isLooking = false;
    }
  }

  async #followJournal(): Promise<void> {
    const { workspace } = this.#context;
    const end = parsePosition(workspace.journalEnd);
    if (end === undefined || isSame(end, this.#at)) return;
    const records = this.#readUntil(end);
    this.#at = end;
    if (records === undefined) this.#hub.publish('reset', {});
    for (const record of records ?? []) this.#tell(record);
    const touched = (records ?? []).flatMap(({ files }) => files.map(({ path }) => path));
    if (records === undefined || touched.some((path) => path.startsWith(`${PROPOSALS_FOLDER}/`)))
      this.#countProposals();
    const isAlarming = (records ?? []).some(({ actor }) => actor === 'external') || touched.some(isCritical);
    if (records === undefined || isAlarming) await this.#countAlerts();
  }

  /** Undefined when the journal no longer goes back so far. */
  #readUntil(end: JournalPosition): JournalRecord[] | undefined {
    const from = this.#at;
    if (from === undefined)
      return this.#journal.start().segment === 1 ? this.#read(this.#journal.start(), end) : undefined;
    return from.segment < this.#journal.start().segment ? undefined : this.#read(from, end);
  }

  #read(from: JournalPosition, end: JournalPosition): JournalRecord[] {
    return [...this.#journal.read(from, end)].map(({ record }) => record);
  }

  #tell({ id, timeMs, actor, action, summary, session, files, repository }: JournalRecord): void {
    if (repository !== 'workspace') return;
    this.#hub.publish('mutation', {
      mutation: id,
      time: new Date(timeMs).toISOString(),
      actor,
      action,
      summary,
      session: session ?? null,
      files: files.map(({ path }) => path),
    });
  }

  #countProposals(): void {
    const waiting = this.#context.proposals.list({ state: ['pending', 'deferred', 'stale'] }).proposals.length;
    if (waiting !== this.#proposals) this.#hub.publish('proposal', { waiting });
    this.#proposals = waiting;
  }

  async #countAlerts(): Promise<void> {
    const { alerts } = this.#context;
    const reported = await alerts.reported();
    const waiting = reported.alerts.length + reported.externalEdits.length;
    if (waiting !== this.#alerts) this.#hub.publish('alert', { waiting });
    this.#alerts = waiting;
  }

  #lookAtFolders(): void {
    const { journal } = this.#context.workspace.paths;
    const receipt = newestReceipt(journal);
    if (receipt !== undefined && receipt.id !== this.#receipt) {
      this.#receipt = receipt.id;
      this.#hub.publish('receipt', receipt);
    }
    for (const { job, run, state, summary } of readJobRuns(journal)) {
      if (this.#runs.get(run) === state) continue;
      this.#runs.set(run, state);
      this.#hub.publish('job', { job, run, state, summary });
    }
    const open = new Set(listLiveSessions(journal));
    for (const session of open.difference(this.#sessions)) this.#hub.publish('session', { session, state: 'open' });
    for (const session of this.#sessions.difference(open)) this.#hub.publish('session', { session, state: 'ended' });
    this.#sessions = open;
  }
}

function isCritical(path: string): boolean {
  return sensitivityOf(path) === 'critical';
}

function isSame(one: JournalPosition, other: JournalPosition | undefined): boolean {
  return one.segment === other?.segment && one.offset === other.offset;
}

function parsePosition(text: string): JournalPosition | undefined {
  const [segment, offset] = text.split(':').map(Number);
  return segment === undefined || offset === undefined ? undefined : { segment, offset };
}
