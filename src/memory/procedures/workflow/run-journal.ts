import path from 'node:path';
import { errorMessage, MnemeError } from '../../../model/errors.ts';
import type { FileSystem } from '../../../platform/fs.ts';
import { LiveLog, listLiveLogs } from '../../../workspace/live-log.ts';
import type { Redactor } from '../../../workspace/safety/redact.ts';
import { type Json, type Variables } from '../expression/evaluate.ts';
import { replay } from './apply.ts';
import type { Wish } from './drive.ts';
import { type KeptEvent, type RunEvent, type RunState, answerNames, currentStep } from './state.ts';
import { isRecord } from '../../../model/records.ts';

/**
 * Runs that are going on, under `journal/runs/`: a log each, written before and after every step, and gone when the run
 * has been recorded.
 */
export class RunJournal {
  readonly #fs: FileSystem;
  readonly #folder: string;
  readonly #redactor: Redactor;
  readonly #open = new Map<string, { readonly log: LiveLog; readonly stamp: string | undefined }>();

  constructor(fs: FileSystem, journalFolder: string, redactor: Redactor) {
    this.#fs = fs;
    this.#folder = path.join(journalFolder, 'runs');
    this.#redactor = redactor;
  }

  list(): string[] {
    return listLiveLogs(this.#fs, this.#folder);
  }

  /** Durable when it resolves. Values that look like secrets are not written down; the entry says which. */
  async append(run: string, event: RunEvent, state: RunState | undefined): Promise<void> {
    const kept = await this.#withoutSecrets(event, state);
    const log = await this.#openFor(run, state);
    await log.append(kept);
    this.#open.set(run, { log, stamp: this.#stamp(run) });
  }

  /** Lets go of a run's file; to be called when this process is done with the run. */
  async release(run: string): Promise<void> {
    const open = this.#open.get(run);
    this.#open.delete(run);
    await open?.log.close();
  }

  /**
   * The log as this process last left it, or opened anew when anybody touched it since: an erasure replaces the file, and
   * the lock on a run lives in state/, which may be deleted at any time. Whoever does not know all events writes none.
   */
  async #openFor(run: string, state: RunState | undefined): Promise<LiveLog> {
    const known = this.#open.get(run);
    if (known?.stamp !== undefined && known.stamp === this.#stamp(run)) return known.log;
    await this.release(run);
    const log = LiveLog.open(this.#fs, this.#folder, run);
    if (log.entries().length === (state?.events ?? 0)) return log;
    await log.close();
    throw overtaken(run);
  }

  #stamp(run: string): string | undefined {
    const stamp = this.#fs.stamp(path.join(this.#folder, `${run}.jsonl`));
    return stamp === undefined ? undefined : `${stamp.inode} ${stamp.size}`;
  }

  /** Reads a run's state from the journal; undefined when it knows no run of that name. */
  read(run: string): RunState | undefined {
    const bytes = this.#fs.read(path.join(this.#folder, `${run}.jsonl`));
    if (bytes === undefined) return undefined;
    // A torn last line is the trace of a crash and was never acknowledged.
    const lines = bytes.toString('utf8').split('\n').slice(0, -1);
    const state = replay(lines.filter((line) => line !== '').map((line) => parseEvent(run, line)));
    // The name inside becomes a file name again; one that was put there by hand could lead out of the folder.
    if (state !== undefined && state.run !== run) throw damagedError(run, 'it names another run');
    return state;
  }

  async remove(run: string): Promise<void> {
    await this.release(run);
    this.#fs.remove(path.join(this.#folder, `${run}.jsonl`));
    this.#fs.remove(this.#wishFile(run));
  }

  /** For whoever drives the run, in another process. */
  leaveWish(run: string, wish: Wish): void {
    this.#fs.makeDirectory(this.#folder);
    this.#fs.write(this.#wishFile(run), Buffer.from(JSON.stringify(wish), 'utf8'));
  }

  takeWish(run: string): Wish | undefined {
    const bytes = this.#fs.read(this.#wishFile(run));
    if (bytes === undefined) return undefined;
    this.#fs.remove(this.#wishFile(run));
    return parseWish(bytes.toString('utf8'));
  }

  #wishFile(run: string): string {
    return path.join(this.#folder, `${run}.wish`);
  }

  async #withoutSecrets(event: RunEvent, state: RunState | undefined): Promise<KeptEvent> {
    if (event.type === 'started') {
      const { values, withheld } = await this.#cleanAll(event.input);
      return mark({ ...event, input: values }, withheld.length === 0 ? [] : [...withheld, 'input']);
    }
    if (event.type === 'supplied') {
      const { values, withheld } = await this.#cleanAll(event.values);
      return mark({ ...event, values }, withheld);
    }
    if (event.type === 'ended') {
      const answer = await this.#clean(event.answer ?? null);
      const error = event.error === undefined ? undefined : (await this.#redactor.redact(event.error)).text;
      const names = answer.isChanged && state !== undefined ? answerNames(currentStep(state)) : [];
      return mark({ ...event, answer: answer.value, error }, names);
    }
    if (event.type === 'answered' && event.answer.text !== undefined) {
      const { text } = await this.#redactor.redact(event.answer.text);
      const isKept = text === event.answer.text || state === undefined || state.stage !== 'steps';
      return mark({ ...event, answer: { ...event.answer, text } }, isKept ? [] : answerNames(currentStep(state)));
    }
    return event;
  }

  async #cleanAll(given: Variables): Promise<{ readonly values: Variables; readonly withheld: string[] }> {
    const values: Record<string, Json> = {};
    const withheld: string[] = [];
    for (const [name, value] of Object.entries(given)) {
      // A name such as `password` tells more than its value does.
      const clean = typeof value === 'string' ? await this.#cleanNamed(name, value) : await this.#clean(value);
      values[name] = clean.value;
      if (clean.isChanged) withheld.push(name);
    }
    return { values, withheld };
  }

  async #cleanNamed(name: string, value: string): Promise<Cleaned> {
    const asAssignment = `${name}=${value}`;
    const isSecret = (await this.#redactor.redact(asAssignment)).text !== asAssignment;
    return isSecret ? { value: null, isChanged: true } : { value, isChanged: false };
  }

  async #clean(value: Json): Promise<Cleaned> {
    if (typeof value === 'string') {
      const { text } = await this.#redactor.redact(value);
      return { value: text, isChanged: text !== value };
    }
    if (Array.isArray(value)) {
      const list: readonly Json[] = value;
      const items: Cleaned[] = [];
      for (const item of list) items.push(await this.#clean(item));
      return { value: items.map((item) => item.value), isChanged: items.some(({ isChanged }) => isChanged) };
    }
    if (!isRecord(value)) return { value, isChanged: false };
    const { values, withheld } = await this.#cleanAll(value);
    return { value: values, isChanged: withheld.length > 0 };
  }
}

function overtaken(run: string): MnemeError {
  return new MnemeError('conflict', `Somebody else went on with the run ${run}.`, {
    hint: `\`mneme procedure runs ${run}\` shows how far it is.`,
  });
}

function parseEvent(run: string, line: string): KeptEvent {
  try {
    return JSON.parse(line) as KeptEvent;
  } catch (error) {
    throw damagedError(run, errorMessage(error), error);
  }
}

function damagedError(run: string, why: string, cause?: unknown): MnemeError {
  return new MnemeError('integrity', `The journal of ${run} is damaged: ${why}.`, {
    hint: `Look at journal/runs/${run}.jsonl; \`mneme procedure cancel ${run}\` gives it up.`,
    cause,
  });
}

interface Cleaned {
  readonly value: Json;
  readonly isChanged: boolean;
}

function mark(event: RunEvent, withheld: readonly string[]): KeptEvent {
  return withheld.length === 0 ? event : { ...event, withheld };
}

/** A half-written wish is none; whoever left it will say it again. */
function parseWish(text: string): Wish | undefined {
  if (!text.endsWith('}')) return undefined;
  const { want, by, why } = JSON.parse(text) as Partial<Wish>;
  if (want !== 'pause' && want !== 'cancel') return undefined;
  return { want, by: by ?? 'somebody', why: why ?? '' };
}
