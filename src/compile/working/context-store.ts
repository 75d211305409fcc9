import path from 'node:path';
import { MnemeError } from '../../model/errors.ts';
import type { FileSystem } from '../../platform/fs.ts';
import { CONTEXT_FORMAT, savedContext, type SavedContext } from './agent-context.ts';
import { parseJson } from '../../model/parse-json.ts';

/** Agents and sessions become file names. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/u;

/** A window of the largest models, with room to spare; beyond that something is stored here that belongs elsewhere. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * `journal/working/<agent>/<session>.json`: what an agent holds in mind. A save is durable when it is acknowledged, and a
 * crash leaves the one before it. Not in git; an erasure goes through it like through all of `journal/`.
 */
export class ContextStore {
  readonly #fs: FileSystem;
  readonly #folder: string;

  constructor(fs: FileSystem, journal: string) {
    this.#fs = fs;
    this.#folder = path.join(journal, 'working');
  }

  /** Undefined when nothing was saved. */
  find(agent: string, session: string): SavedContext | undefined {
    const text = this.#fs.read(this.#file(agent, session))?.toString('utf8');
    return text === undefined ? undefined : parse(text, `${agent}/${session}`);
  }

  /** Whoever calls holds the lock: two that save at once would count alike. */
  async write(context: SavedContext): Promise<void> {
    const file = this.#file(context.agent, context.session);
    const bytes = Buffer.from(`${JSON.stringify(context)}\n`, 'utf8');
    if (bytes.length > MAX_BYTES) {
      throw new MnemeError('refused', `The context has ${bytes.length} bytes; ${MAX_BYTES} are allowed.`, {
        hint: 'Compact the conversation first (`mneme session compact`). What was saved before is unchanged.',
      });
    }
    this.#fs.makeDirectory(path.dirname(file));
    const temporary = `${file}.new`;
    this.#fs.remove(temporary);
    const written = this.#fs.open(temporary);
    try {
      written.write(bytes, 0);
      await written.sync();
    } finally {
      written.close();
    }
    await this.#fs.rename(temporary, file);
    this.#fs.syncDirectory(path.dirname(file));
  }

  /** False when there was nothing. */
  remove(agent: string, session: string): boolean {
    const file = this.#file(agent, session);
    if (!this.#fs.exists(file)) return false;
    this.#fs.remove(file);
    this.#fs.syncDirectory(path.dirname(file));
    return true;
  }

  /** Every saved context, by agent and session. */
  list(): { readonly agent: string; readonly session: string }[] {
    return this.#fs
      .list(this.#folder)
      .sort()
      .flatMap((agent) =>
        this.#fs
          .list(path.join(this.#folder, agent))
          .filter((name) => name.endsWith('.json'))
          .sort()
          .map((name) => ({ agent, session: name.slice(0, -'.json'.length) })),
      );
  }

  #file(agent: string, session: string): string {
    for (const [what, name] of [
      ['an agent', agent],
      ['a session', session],
    ] as const) {
      if (NAME.test(name)) continue;
      throw new MnemeError('usage', `"${name}" cannot be the name of ${what}.`, {
        hint: 'Use letters, digits, dot, dash and underscore, at most 64 of them.',
      });
    }
    return path.join(this.#folder, agent, `${session}.json`);
  }
}

function parse(text: string, name: string): SavedContext {
  const value = parseJson(text);
  const read = savedContext.safeParse(value);
  if (read.success) return read.data;
  const format = typeof value === 'object' && value !== null && 'format' in value ? value.format : undefined;
  if (typeof format === 'number' && format > CONTEXT_FORMAT) {
    throw new MnemeError('refused', `The context ${name} was saved by a newer Mneme (format ${format}).`, {
      hint: 'Update this one to load it.',
    });
  }
  throw new MnemeError('integrity', `The saved context ${name} cannot be read.`, {
    hint: 'It lies under journal/working/ in the home. Mend the file, or start anew with `mneme session working clear`.',
  });
}
