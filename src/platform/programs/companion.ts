import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { MnemeError } from '../../model/errors.ts';
import { encodeFrame, FrameReader, type Closing, type Failure, type Frame, type StartOrder } from './frames.ts';
import { writeWhenFree } from './start.ts';

/** Events of a program for its caller. */
export interface ProgramListener {
  readonly onOutput: (bytes: Buffer) => void;
  readonly onErrors: (bytes: Buffer) => void;
  readonly onClosed: (closing: Closing) => void;
  readonly onFailed: (error: Error) => void;
}

/** A program that runs elsewhere. */
export interface RemoteProgram {
  /** Resolves when the way to the program is free for more. */
  readonly write: (bytes: Uint8Array) => Promise<void>;
  readonly end: () => void;
}

/** The small process that starts programs for this one; see `starter.ts` for why. */
export class Companion {
  readonly #child: ChildProcess & { readonly stdin: Writable; readonly stdout: Readable };
  readonly #listeners = new Map<number, ProgramListener>();
  #lastId = 0;
  #isAlive = true;

  private constructor(file: string) {
    this.#child = spawn(process.execPath, [file], {
      // It is Node whatever options this process was given, a debugger's port among them.
      env: { ...process.env, NODE_OPTIONS: '', ELECTRON_RUN_AS_NODE: '1' },
      stdio: ['pipe', 'pipe', 'ignore'],
      windowsHide: true,
    });
    const reader = new FrameReader();
    this.#child.stdin.on('error', () => undefined);
    this.#child.stdout.on('data', (piece: Buffer) => {
      for (const frame of reader.read(piece)) this.#hear(frame);
    });
    this.#child.on('error', () => this.#mourn());
    this.#child.on('close', () => this.#mourn());
    // An idle companion keeps nobody from ending; it ends with us.
    this.#child.unref();
    (this.#child.stdin as Socket).unref();
    this.#keepAwake();
  }

  /** Undefined where its file is not beside this one, as in a program that bundled us into its own. */
  static start(): Companion | undefined {
    const file = ['./starter.ts', './starter.js']
      .map((name) => fileURLToPath(new URL(name, import.meta.url)))
      .find((candidate) => existsSync(candidate));
    return file === undefined ? undefined : new Companion(file);
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  launch(order: StartOrder, listener: ProgramListener): RemoteProgram {
    this.#lastId += 1;
    const id = this.#lastId;
    this.#listeners.set(id, listener);
    this.#keepAwake();
    void this.#send(encodeFrame('start', id, Buffer.from(JSON.stringify(order), 'utf8')));
    return {
      write: (bytes) => this.#send(encodeFrame('input', id, bytes)),
      end: () => void this.#send(encodeFrame('end', id)),
    };
  }

  #send(bytes: Buffer): Promise<void> {
    return writeWhenFree(this.#child.stdin, bytes);
  }

  #hear({ kind, id, body }: Frame): void {
    const listener = this.#listeners.get(id);
    if (listener === undefined) return;
    if (kind === 'output') listener.onOutput(body);
    else if (kind === 'errors') listener.onErrors(body);
    else {
      this.#listeners.delete(id);
      this.#keepAwake();
      const told: unknown = JSON.parse(body.toString('utf8'));
      if (kind === 'closed') listener.onClosed(told as Closing);
      else listener.onFailed(asError(told as Failure));
    }
  }

  /** Holds this process while a program runs, as a child of its own would. */
  #keepAwake(): void {
    const stdout = this.#child.stdout as Socket;
    if (this.#listeners.size > 0) stdout.ref();
    else stdout.unref();
  }

  #mourn(): void {
    if (!this.#isAlive) return;
    this.#isAlive = false;
    const error = new MnemeError('failure', 'The process that starts git for this one was ended from outside.', {
      hint: 'Nothing is lost; what was under way is done with the next command.',
    });
    for (const listener of this.#listeners.values()) listener.onFailed(error);
    this.#listeners.clear();
  }
}

function asError({ code, message }: Failure): Error {
  return Object.assign(new Error(message), code === undefined ? {} : { code });
}
