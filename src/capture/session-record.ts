import path from 'node:path';
import { z } from 'zod';
import { MnemeError } from '../model/errors.ts';
import { type Scope, isScope } from '../model/provenance.ts';
import { knowledgeChangeSchema } from '../model/schemas/frontmatter.ts';
import { projectName } from '../model/text.ts';
import type { FileSystem } from '../platform/fs.ts';
import type { Redactor } from '../workspace/safety/redact.ts';

const words = z.string().optional();
const recordSchema = z.object({
  session: z.string(),
  startedMs: z.number(),
  channel: words,
  model: words,
  /** The folder the agent works in, by its last name. */
  project: words,
  /** The user's name. */
  user: words,
  topic: words,
  tags: z.array(z.string()).optional(),
  /** Changes that requests of this part made in the memory; those with a turn of their own stand there. */
  changes: z.array(z.object(knowledgeChangeSchema.shape)).optional(),
  /** The program and its own id of the session, when it is read from that program's log. */
  origin: words,
  /** The owner's scope, when it is private: nothing that is learned from it leaves that scope. */
  scope: z.string().refine(isScope).optional(),
  /** 2 and up when the session goes on after its end. */
  part: z.number().int().min(1),
  firstTurn: z.number().int().min(1),
  /** Set before the transcript is written: if it is found later, raw/ may hold turns that the live log still has. */
  isEnding: z.boolean().optional(),
});

/** Data about an open session besides its turns. */
export type SessionRecord = z.infer<typeof recordSchema>;

const SUFFIX = '.json';
const ENDED_SUFFIX = '.ended';

/**
 * `journal/sessions/<session>.json`, one for each open session; gone when the transcript is written. Beside it
 * `<session>.ended` once its program has ended it: whoever writes the transcript may not get to it in time.
 */
export class SessionRecords {
  readonly #fs: FileSystem;
  readonly #folder: string;

  constructor(fs: FileSystem, journal: string) {
    this.#fs = fs;
    this.#folder = path.join(journal, 'sessions');
  }

  list(): string[] {
    return this.#fs
      .list(this.#folder)
      .filter((name) => name.endsWith(SUFFIX))
      .map((name) => name.slice(0, -SUFFIX.length))
      .sort();
  }

  find(session: string): SessionRecord | undefined {
    const bytes = this.#fs.read(this.#file(session));
    const record = bytes === undefined ? undefined : parseRecord(bytes.toString('utf8'));
    // The name inside becomes a file name again; one that was put there by hand could lead out of the folder.
    return record?.session === session ? record : undefined;
  }

  /** When the record was written, in UTC milliseconds. */
  writtenMs(session: string): number | undefined {
    const stamp = this.#fs.stamp(this.#file(session));
    return stamp === undefined ? undefined : Number(stamp.mtimeNs / 1_000_000n);
  }

  /** Durable when the promise resolves: after a crash the turns must still know whose they are. */
  async write(record: SessionRecord): Promise<void> {
    this.#fs.makeDirectory(this.#folder);
    const target = this.#file(record.session);
    const temporary = `${target}.new`;
    const file = this.#fs.open(temporary);
    try {
      file.truncate(0);
      file.write(Buffer.from(`${JSON.stringify(record)}\n`, 'utf8'), 0);
      await file.sync();
    } finally {
      file.close();
    }
    await this.#fs.rename(temporary, target);
    this.#fs.syncDirectory(this.#folder);
  }

  remove(session: string): void {
    this.#fs.remove(this.#file(session));
    this.forgetEnd(session);
  }

  /** Needs no lock, so that it is known also when nobody comes to hold one. */
  noteEnd(session: string): void {
    this.#fs.makeDirectory(this.#folder);
    this.#fs.write(path.join(this.#folder, session + ENDED_SUFFIX), Buffer.alloc(0));
  }

  /** The session goes on, or its transcript is written. */
  forgetEnd(session: string): void {
    this.#fs.remove(path.join(this.#folder, session + ENDED_SUFFIX));
  }

  /** Ended by its program, or with a transcript whose writing was interrupted. */
  isEnded(session: string): boolean {
    const isNoted = this.#fs.exists(path.join(this.#folder, session + ENDED_SUFFIX));
    return isNoted || this.find(session)?.isEnding === true;
  }

  /** Sessions whose end was noted. */
  listEnded(): string[] {
    const names = this.#fs.list(this.#folder).filter((name) => name.endsWith(ENDED_SUFFIX));
    return names.map((name) => name.slice(0, -ENDED_SUFFIX.length)).sort();
  }

  #file(session: string): string {
    return path.join(this.#folder, session + SUFFIX);
  }
}

/** Undefined for a record nobody can read: the turns are what counts, and they stand elsewhere. */
function parseRecord(text: string): SessionRecord | undefined {
  try {
    return recordSchema.safeParse(JSON.parse(text)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw new MnemeError('failure', 'The record of an open session cannot be read.', { cause: error });
  }
}

/** Details given about a session when it starts; all are optional. */
export interface SessionDetails {
  readonly channel?: string | undefined;
  readonly model?: string | undefined;
  /** The folder being worked in, or the project's name. */
  readonly project?: string | undefined;
  readonly user?: string | undefined;
  readonly topic?: string | undefined;
  /** Words to find it by. */
  readonly tags?: string[] | undefined;
  readonly origin?: string | undefined;
  /** The private scope it belongs to; a session keeps the one it began with. */
  readonly scope?: Scope | undefined;
}

/** Whatever is typed may hold a secret, and all of this reaches the transcript. */
export async function cleanDetails(redactor: Redactor, details: SessionDetails): Promise<SessionDetails> {
  const clean = async (text: string | undefined): Promise<string | undefined> =>
    text === undefined ? undefined : (await redactor.redact(text)).text.replaceAll(/\s+/gu, ' ').trim();
  const { channel, model, project, user, topic, tags, origin, scope } = details;
  const cleanTags = await Promise.all((tags ?? []).map(clean));
  return {
    channel: await clean(channel),
    model: await clean(model),
    project: await clean(project === undefined ? undefined : projectName(project)),
    user: await clean(user),
    topic: await clean(topic),
    tags: tags === undefined ? undefined : [...new Set(cleanTags.filter((tag) => tag !== undefined))],
    origin,
    scope: scope === 'shared' ? undefined : scope,
  };
}
