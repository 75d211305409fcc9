import path from 'node:path';
import { MnemeError } from '../model/errors.ts';
import type { TranscriptFrontmatter } from '../model/schemas/frontmatter.ts';
import type { FileSystem } from '../platform/fs.ts';
import type { CommitRequest, CommitResult } from './door/request.ts';
import { renderTranscript, transcriptPath, type Turn } from './formats/transcript.ts';
import type { HomePaths } from './home-paths.ts';
import { LiveLog, listLiveLogs } from './live-log.ts';
import { existsPacked, readPacked } from './packed.ts';
import { slugify } from './safety/paths.ts';
import type { Redactor } from './safety/redact.ts';

export interface TranscriptDoor {
  readonly paths: HomePaths;
  readonly fs: FileSystem;
  readonly redactor: Redactor;
  readonly commit: (request: CommitRequest) => Promise<CommitResult>;
}

/**
 * The write path of conversations. While a session lives its turns are appended to a log under `journal/`, each durable
 * when acknowledged; at its end the whole becomes one read-only Markdown file in `raw/`, committed once.
 */
export class LiveTranscript {
  readonly session: string;
  readonly #door: TranscriptDoor;
  readonly #log: LiveLog;

  private constructor(door: TranscriptDoor, session: string, log: LiveLog) {
    this.session = session;
    this.#door = door;
    this.#log = log;
  }

  /** Opens a session's log, also one that a crash left behind. */
  static open(door: TranscriptDoor, session: string): LiveTranscript {
    return new LiveTranscript(door, session, LiveLog.open(door.fs, liveFolder(door.paths), session));
  }

  static list(door: Pick<TranscriptDoor, 'fs' | 'paths'>): string[] {
    return listLiveLogs(door.fs, liveFolder(door.paths));
  }

  /** Takes turns out of a log that nobody has open, all at once: those that have found their final place. */
  static async drop(
    door: Pick<TranscriptDoor, 'fs' | 'paths'>,
    session: string,
    isDropped: (turn: Turn) => boolean,
  ): Promise<{ readonly dropped: number; readonly kept: number }> {
    const folder = liveFolder(door.paths);
    const target = path.join(folder, `${session}.jsonl`);
    const text = door.fs.read(target)?.toString('utf8') ?? '';
    // Bytes after the last line end were never acknowledged.
    const lines = text
      .split('\n')
      .slice(0, -1)
      .filter((line) => line !== '');
    const kept = lines.filter((line) => !isDropped(JSON.parse(line) as Turn));
    const count = { dropped: lines.length - kept.length, kept: kept.length };
    if (count.dropped === 0) return count;
    if (kept.length === 0) {
      door.fs.remove(target);
      return count;
    }
    const temporary = `${target}.new`;
    const file = door.fs.open(temporary);
    try {
      file.truncate(0);
      file.write(Buffer.from(`${kept.join('\n')}\n`, 'utf8'), 0);
      await file.sync();
    } finally {
      file.close();
    }
    await door.fs.rename(temporary, target);
    door.fs.syncDirectory(folder);
    return count;
  }

  turns(): Turn[] {
    return this.#log.entries() as Turn[];
  }

  /** Secrets are taken out before the turn touches the disk. */
  async append(turn: Turn): Promise<void> {
    await this.#log.append(await redactStrings(this.#door.redactor, turn));
  }

  /** Writes the transcript to `raw/` and forgets the log. Interrupted by a crash, it can be called again. */
  async finish(frontmatter: TranscriptFrontmatter, slug: string): Promise<{ path: string }> {
    const turns = this.turns();
    const first = turns[0];
    if (first === undefined) {
      await this.#log.remove();
      throw new MnemeError('usage', `Session ${this.session} has no turns; nothing was kept of it.`);
    }
    const text = renderTranscript(frontmatter, turns);
    const target = this.#findPlace(first, slug, text);
    if (!this.#isWritten(target, text)) {
      await this.#door.commit({
        repository: 'raw',
        changes: [{ path: target, content: text, base: undefined }],
        actor: 'system:capture',
        approval: 'auto',
        session: this.session,
        summary: `conversation: ${slug}`,
      });
    }
    await this.#log.remove();
    return { path: target };
  }

  close(): Promise<void> {
    return this.#log.close();
  }

  /** Where the transcript goes. A session that was finished before goes on in a part file. */
  #findPlace(first: Turn, slug: string, text: string): string {
    for (let part = 1; ; part += 1) {
      const candidate = transcriptPath(this.session, first.date, first.time, slugify(slug, 48), part);
      const isFree = !existsPacked(this.#door.fs, this.#fullPath(candidate));
      if (isFree || this.#isWritten(candidate, text)) return candidate;
    }
  }

  #isWritten(relative: string, text: string): boolean {
    return readPacked(this.#door.fs, this.#fullPath(relative))?.toString('utf8') === text;
  }

  #fullPath(relative: string): string {
    return path.join(this.#door.paths.repositories.raw.workTree, relative);
  }
}

/** Every string inside a value, redacted; a secret may stand in a tool's arguments as well as in what was said. */
async function redactStrings<T>(redactor: Redactor, value: T): Promise<T> {
  if (typeof value === 'string') return (await redactor.redact(value)).text as T;
  if (Array.isArray(value)) {
    return (await Promise.all(value.map((item: unknown) => redactStrings(redactor, item)))) as T;
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(async ([key, item]: [string, unknown]) => [
    key,
    await redactStrings(redactor, item),
  ]);
  return Object.fromEntries(await Promise.all(entries)) as T;
}

function liveFolder(paths: HomePaths): string {
  return path.join(paths.journal, 'live');
}
