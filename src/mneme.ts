import { errorMessage, MnemeError } from './model/errors.ts';
import type { ActionContext, ActionOptions, InputSchema } from './memory/procedures/workflow/actions.ts';
import { composeHome, type OpenOptions } from './compose-home.ts';
import type { OperationContext } from './operations/context.ts';
import { createLibrary } from './verb-registry/library.ts';
import type { Library } from './verb-registry/verbs.generated.ts';
import { closeHome } from './operations/close-home.ts';
import { EXTRACTOR_NAMES, type Extractor } from './extract/extractors.ts';
import { closeIdleSessions } from './operations/session/open-sessions.ts';
import { createSessionStart, type StartSession } from './operations/session/session.ts';
import { workInBackground } from './runtime/worker/own-worker.ts';

/** An open home: what is no verb. */
class OpenHome {
  /** The parts that operations run on; for interfaces and tests, not part of the public API. */
  readonly internals: OperationContext;
  readonly #onProblem: OpenOptions['onProblem'];
  /** The list that operations look into, so that it can grow. */
  readonly #extractors: Extractor[];
  #background: Promise<unknown> = Promise.resolve();
  readonly #stop = new AbortController();
  #closing: Promise<void> | undefined;
  /** Closing, but steps of procedures are still under way. */
  #isFinishing = false;

  private constructor(internals: OperationContext, extractors: Extractor[], onProblem: OpenOptions['onProblem']) {
    this.internals = internals;
    this.#extractors = extractors;
    this.#onProblem = onProblem;
  }

  /** Opens a home; `compose-home.ts` says of what it is made. */
  static async open(options: OpenOptions): Promise<Mneme> {
    const extractors = [...(options.extractors ?? [])];
    const home = new OpenHome(await composeHome({ ...options, extractors }), extractors, options.onProblem);
    if (options.mode === undefined && home.internals.workspace.obstacle === undefined) home.#closeIdleSessions(options);
    const assertOpen = (): Promise<never> | undefined => home.#assertOpen();
    const library = createLibrary(home.internals, assertOpen);
    const session = { ...library.session, start: createSessionStart(home.internals, assertOpen) };
    return Object.assign(home, library, { session });
  }

  /** Something workflows may do from now on, in this process. They run nothing that was not registered. */
  registerAction<Input>(
    name: string,
    schema: InputSchema<Input> | undefined,
    run: (input: Input, context: ActionContext) => unknown,
    options: ActionOptions = {},
  ): void {
    this.internals.actions.register(name, schema, run, options);
  }

  /** Finds statements in conversations from now on, beside the built-in extractors; what it finds is kept by the same rules. */
  registerExtractor(extractor: Extractor): void {
    if (this.#extractors.some(({ name }) => name === extractor.name) || EXTRACTOR_NAMES.includes(extractor.name)) {
      throw new MnemeError('conflict', `There is an extractor called ${extractor.name} already.`, {
        hint: 'Give it another name; it stands beside what the extractor found.',
      });
    }
    this.#extractors.push(extractor);
  }

  /** Brings git in step and lets go of the home. Closing again does nothing more. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#stop.abort();
    // A step that is under way may still need the home; nothing else comes in between.
    const { runs } = this.internals.parts;
    this.#isFinishing = !runs.isEmpty;
    const unfinished = this.#isFinishing ? await runs.pause() : [];
    this.#isFinishing = false;
    for (const problem of unfinished) this.#onProblem?.(problem);
    for (const problem of await closeHome(this.internals, this.#background)) this.#onProblem?.(problem);
  }

  /** A crash may have left some open; a process that ends soon spends little on it, the next one does the rest. */
  #closeIdleSessions({ watch, onProblem }: OpenOptions): void {
    const { clock } = this.internals;
    // A second is what opening a home may spend on sessions that a crash left open.
    const untilMs = watch === true ? Infinity : clock.now() + 1000;
    const closing = closeIdleSessions(this.internals, untilMs).catch((error: unknown) =>
      onProblem?.(errorMessage(error)),
    );
    this.#background = closing.then(() => workInBackground(this.internals, this.#stop.signal, onProblem));
  }

  /** Fails early: a later call would fail somewhere deep inside, with a message of no help. */
  #assertOpen(): Promise<never> | undefined {
    if (this.#closing === undefined || this.#isFinishing) return undefined;
    const error = new MnemeError('usage', `The home ${this.internals.home} was closed.`, {
      hint: 'Open it again with openMneme().',
    });
    return Promise.reject(error);
  }
}

/** An open home. Every verb of the library is a method here. */
export type Mneme = OpenHome & Library & { readonly session: { readonly start: StartSession } };

export const Mneme = { open: openMneme };

/** Opens a home that `mneme init` made. */
export function openMneme(options: OpenOptions = {}): Promise<Mneme> {
  return OpenHome.open(options);
}
