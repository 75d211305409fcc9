import type { ImportControls, ImportHome, ImportRequest, ImportResult } from './request.ts';
import type { Turn } from '../../workspace/formats/transcript.ts';
import { PrivateSessions } from '../../capture/private-sessions.ts';
import { asksForPrivacy } from '../../capture/triggers/detect.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import { type ImportedPiece, Tally } from './port.ts';
import { SessionWriter, sessionIdOf, type WrittenPiece } from './session-writer.ts';
import { NOTHING_TAKEN, type KnowledgeTaken } from './knowledge/port.ts';
import { ZoneClock } from './lines.ts';

/** Between two reports of progress, in files; a report for each would flood a terminal. */
const REPORT_EVERY = 10;
/** The same within a large file. */
const REPORT_EVERY_BYTES = 1024 * 1024;

/** One import under way: what it writes with, what it has counted. */
export class ImportRun {
  readonly home: ImportHome;
  readonly request: ImportRequest;
  readonly controls: ImportControls;
  readonly writer: SessionWriter;
  readonly tally = new Tally();
  readonly clock: ZoneClock;
  readonly #sessions = new Set<string>();
  readonly #continued = new Set<string>();
  #turns = 0;
  #documents = 0;
  #knowledge: KnowledgeTaken = NOTHING_TAKEN;
  #bytes = 0;
  #done = 0;
  #total = 0;
  #totalBytes = 0;
  #from: string | undefined;
  #to: string | undefined;

  constructor(home: ImportHome, request: ImportRequest, controls: ImportControls) {
    this.home = home;
    this.request = request;
    this.controls = controls;
    this.clock = new ZoneClock(home.timeZone);
    const isDryRun = request.dryRun === true;
    const onWritten = (written: WrittenPiece): void => this.#count(written);
    this.writer = new SessionWriter({ ...home, from: request.from, isDryRun, onWritten });
  }

  get isAborted(): boolean {
    return this.controls.signal?.aborted === true;
  }

  expect(files: readonly { readonly size: number }[]): void {
    this.#total += files.length;
    this.#totalBytes += files.reduce((sum, { size }) => sum + size, 0);
  }

  /** A source file is dealt with. */
  finishFile(bytes: number): void {
    this.#bytes += bytes;
    this.#done += 1;
    if (this.#done % REPORT_EVERY === 0 || this.#done === this.#total) this.report();
  }

  /** Adds the number of bytes read of a large file. */
  readTo(bytes: number): void {
    const before = this.#bytes;
    this.#bytes += bytes;
    if (Math.floor(before / REPORT_EVERY_BYTES) !== Math.floor(this.#bytes / REPORT_EVERY_BYTES)) this.report();
  }

  report(): void {
    this.controls.onProgress?.({
      from: this.request.from,
      done: this.#done,
      total: this.#total,
      bytes: this.#bytes,
      totalBytes: this.#totalBytes,
      sessions: this.#sessions.size,
      turns: this.#turns,
      documents: this.#documents,
      facts: this.#knowledge.facts + this.#knowledge.memories,
    });
  }

  countDocuments(count: number): void {
    this.#documents += count;
  }

  countKnowledge(taken: KnowledgeTaken): void {
    const before = this.#knowledge;
    this.#knowledge = {
      entities: before.entities + taken.entities,
      facts: before.facts + taken.facts,
      relations: before.relations + taken.relations,
      memories: before.memories + taken.memories,
    };
  }

  /** Keeps a piece unless the request leaves it out. */
  async take(piece: ImportedPiece): Promise<void> {
    const reason = this.#reasonToLeave(piece);
    if (reason !== undefined) {
      if (piece.turns.length > 0) this.tally.add('session', reason);
      return;
    }
    await this.writer.add(piece);
  }

  result(paths: readonly string[]): Omit<ImportResult, 'tookMs'> {
    return {
      from: this.request.from,
      paths,
      dryRun: this.request.dryRun === true,
      sessions: this.#sessions.size,
      continued: this.#continued.size,
      turns: this.#turns,
      documents: this.#documents,
      ...this.#knowledge,
      bytes: this.#bytes,
      period: this.#from === undefined || this.#to === undefined ? null : { from: this.#from, to: this.#to },
      skipped: this.tally.list(),
      damage: this.tally.damage(),
      interrupted: this.isAborted,
    };
  }

  /** A session that came as a finished transcript. */
  countSession(origin: string, turns: readonly Turn[]): void {
    this.#count({ origin, isContinued: false, turns });
  }

  #count({ origin, isContinued, turns }: WrittenPiece): void {
    const [first, last] = [turns[0]?.date, turns.at(-1)?.date];
    if (first === undefined || last === undefined) return;
    if (isContinued && !this.#sessions.has(origin)) this.#continued.add(origin);
    this.#sessions.add(origin);
    this.#turns += turns.length;
    if (this.#from === undefined || first < this.#from) this.#from = first;
    if (this.#to === undefined || last > this.#to) this.#to = last;
  }

  #reasonToLeave(piece: ImportedPiece): string | undefined {
    const { sinceMs, project } = this.request;
    if (sinceMs !== undefined && piece.endedMs < sinceMs) return 'older than asked for';
    if (project !== undefined && !isOfProject(piece.project, project)) return 'of another project';
    return this.#isPrivate(piece) ? 'private: the user asked that it not be kept' : undefined;
  }

  /** Said in the conversation itself, or marked before: what follows in the same log is left out as well. */
  #isPrivate({ origin, turns }: ImportedPiece): boolean {
    const marks = new PrivateSessions(nodeFileSystem, this.home.workspace.paths.journal);
    const session = sessionIdOf(origin);
    if (marks.has(session)) return true;
    if (!turns.some((turn) => asksForPrivacy(turn, undefined))) return false;
    if (this.request.dryRun !== true) marks.add(session);
    return true;
  }
}

/** A project is named by its folder's path, or by the last name in it. */
function isOfProject(folder: string | undefined, wanted: string): boolean {
  if (folder === undefined) return false;
  const plain = (text: string): string => text.replaceAll('\\', '/').replace(/\/+$/u, '').toLowerCase();
  const [have, want] = [plain(folder), plain(wanted)];
  return want.includes('/') ? have === want || have.startsWith(`${want}/`) : have.split('/').at(-1) === want;
}
