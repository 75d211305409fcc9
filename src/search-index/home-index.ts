import { setTimeout } from 'node:timers/promises';
import type { Config } from '../model/config/schema.ts';
import { errorMessage, isMnemeError } from '../model/errors.ts';
import type { Clock } from '../platform/clock.ts';
import type { EmbedderChoice } from '../providers/embeddings/auto.ts';
import type { HomePaths } from '../workspace/home-paths.ts';
import type { Indexable } from '../workspace/registries.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { ChunkContext } from './chunk/draft.ts';
import type { EmbeddingState } from './embed/embed-missing.ts';
import { toIndexedModel, type IndexedModel } from './embed/model.ts';
import { findServingModels } from './embed/serving.ts';
import { embedForModels } from './embed/switch-models.ts';
import type { IndexStatus, SearchIndex } from './port.ts';
import { OpenIndexes, type OpenIndex } from './open-index.ts';
import { SharedTurn } from './shared-turn.ts';
import { HomeFiles } from './sync/home-files.ts';
import type { IndexSync, SyncOptions, SyncReport } from './sync/index-sync.ts';
import { SourceWatcher } from './sync/source-watcher.ts';

export interface HomeIndexParts {
  readonly paths: HomePaths;
  readonly config: Config;
  readonly workspace: Workspace;
  readonly context: ChunkContext;
  readonly clock: Clock;
  /** Opens the configured embedder, when a question or a rebuild first needs it. */
  readonly openEmbedders: () => Promise<readonly EmbedderChoice[]>;
  readonly readVariable: (name: string) => string | undefined;
  readonly deviceName: string;
}

/** What can answer a question now. */
export interface Readiness {
  /** Undefined when the index cannot be used at all; then the files are searched themselves. */
  readonly index: SearchIndex | undefined;
  /** Models whose vectors cover the index. */
  readonly models: readonly IndexedModel[];
  /** What a person should know: what is incomplete, and why. */
  readonly notes: readonly string[];
}

export interface PrepareOptions {
  /** For a question that no conversation answers: those still going on are not taken over for it. */
  readonly withoutLive?: boolean | undefined;
}

/** A question waits this long for a stale index and for missing vectors; what is left is made by the next one. */
const QUESTION_SYNC_MS = 3000;
const QUESTION_EMBED_MS = 1500;
/** A write seldom comes alone. */
const EMBED_DELAY_MS = 300;

/** The note that says which version every model covers, so that a new process need not count. */
const COVERED = 'covered';

function coverageNote(version: string, models: readonly IndexedModel[]): string {
  return [version, ...models.map(({ embedder }) => embedder.id)].join(' ');
}

/** The index of a home: opened when first needed, brought up to date before it answers. */
export class HomeIndex {
  readonly files: HomeFiles;
  readonly #parts: HomeIndexParts;
  readonly #indexes: OpenIndexes;
  readonly #turn: SharedTurn;
  #choices: Promise<readonly EmbedderChoice[]> | undefined;
  #serving:
    | { readonly version: string; readonly models: readonly IndexedModel[]; readonly notes: readonly string[] }
    | undefined;
  #watcher: SourceWatcher | undefined;
  #background: Promise<unknown> = Promise.resolve();
  #isEmbedding = false;
  #onProblem: ((message: string) => void) | undefined;
  readonly #closing = new AbortController();

  constructor(parts: HomeIndexParts) {
    this.#parts = parts;
    this.files = new HomeFiles(parts.paths);
    this.#indexes = new OpenIndexes(parts, this.files);
    this.#turn = new SharedTurn(this.#indexes, parts.clock);
  }

  /** For the door: what was just written is found by the next question, from every process. */
  async takeOver(written: Indexable): Promise<void> {
    await this.#turn.use(({ sync }) => sync.syncChanged(written));
    if (this.#watcher !== undefined) this.#embedSoon();
  }

  /** Brings the index up to date as far as a question can wait, and says what can answer it. */
  async prepare({ withoutLive = false }: PrepareOptions = {}): Promise<Readiness> {
    let notes: string[] = [];
    try {
      const readiness = await this.#turn.use(async (open) => {
        notes = [];
        const isCurrent = await this.#catchUp(open, notes, withoutLive);
        const models = await this.#servingModels(open.index, notes);
        return { index: isCurrent ? open.index : undefined, models };
      });
      return { ...readiness, notes: [...this.#standInNotes(), ...notes] };
    } catch (error) {
      if (!isMnemeError(error)) throw error;
      notes.push(`${error.message}${error.hint === undefined ? '' : ` ${error.hint}`}`);
      return { index: undefined, models: [], notes };
    }
  }

  /** After an answer failed: true when the shared index cannot be used and this machine's own should be asked instead. */
  standIn(error: unknown): boolean {
    return this.#turn.noteTrouble(error);
  }

  /** Why this machine's own index answers in place of the shared one; undefined when it does not. */
  get standInReason(): string | undefined {
    return this.#turn.standInReason;
  }

  #standInNotes(): string[] {
    return this.#turn.standInReason === undefined ? [] : [this.#turn.standInReason];
  }

  /** After a question came across damage: begins anew, as far as a question can wait. */
  async repair(reason: string): Promise<void> {
    const { journalEnd } = this.#parts.workspace;
    const options = { journalEnd, signal: AbortSignal.timeout(QUESTION_SYNC_MS) };
    await this.#turn.use(({ sync }) => sync.startOver(reason, options));
  }

  /** Everything that differs, then every vector that is missing. */
  async sync(options: SyncOptions & EmbedProgress = {}): Promise<SyncReport & EmbedReport> {
    const journalEnd = this.#parts.workspace.journalEnd;
    return this.#work((sync) => sync.syncAll({ ...options, journalEnd }), options);
  }

  async rebuild(options: SyncOptions & EmbedProgress = {}): Promise<SyncReport & EmbedReport> {
    const journalEnd = this.#parts.workspace.journalEnd;
    return this.#work((sync) => sync.rebuild({ ...options, journalEnd }), options);
  }

  async #work(
    body: (sync: IndexSync) => Promise<SyncReport>,
    options: EmbedProgress,
  ): Promise<SyncReport & EmbedReport> {
    const report = await this.#turn.use(async ({ sync, index }) => {
      const done = await body(sync);
      const embedding = await this.#embed(index, options);
      if (index !== this.#indexes.findLocal() && options.signal?.aborted !== true) {
        await index.optimize({ isThorough: true });
      }
      return { ...done, embedding };
    });
    return { ...report, problems: [...this.#standInNotes(), ...report.problems] };
  }

  verify(): Promise<readonly string[]> {
    return this.#turn.use(({ sync }) => sync.verify());
  }

  status(): Promise<IndexStatus> {
    return this.#turn.use(({ index }) => index.status());
  }

  /** The index that answers now. */
  get engine(): SearchIndex {
    return this.#turn.current.index;
  }

  /** What it was made of. */
  get parts(): HomeIndexParts {
    return this.#parts;
  }

  /** The shared index and this machine's own, for moving from one to the other. */
  get indexes(): OpenIndexes {
    return this.#indexes;
  }

  /** Why the index may be incomplete, and why it was last made anew. */
  readState(): ReturnType<IndexSync['readState']> {
    return this.#turn.use(({ sync }) => sync.readState());
  }

  /** In a long-running process: notices live sessions and transcripts as they are written, and makes slow vectors. */
  watch(onProblem: (message: string) => void): void {
    this.#watcher ??= new SourceWatcher(
      this.files,
      { syncFiles: (keys) => this.#turn.use(({ sync }) => sync.syncFiles(keys)) },
      onProblem,
    );
    this.#onProblem = onProblem;
    this.#embedSoon();
  }

  /** Vectors that a write must not wait for are made after it; one run takes all that came meanwhile. */
  #embedSoon(): void {
    if (this.#isEmbedding) return;
    this.#isEmbedding = true;
    this.#background = setTimeout(EMBED_DELAY_MS, undefined, { ref: false })
      .then(() => {
        this.#isEmbedding = false;
        return this.#turn.use(({ index }) => this.#embed(index, { signal: this.#closing.signal }));
      })
      .then(
        (states) => states.flatMap(({ problem }) => problem ?? []),
        (error: unknown) => [{ message: errorMessage(error) }],
      )
      .then((problems) => {
        for (const { message } of problems) this.#onProblem?.(message);
      });
  }

  /** Whether everything acknowledged is in the index. */
  isFresh(): Promise<boolean> {
    return this.#turn.use(({ sync }) => sync.isFresh(this.#parts.workspace.journalEnd));
  }

  /** The embedders the configuration asks for, and why them. */
  choices(): Promise<readonly EmbedderChoice[]> {
    this.#choices ??= this.#parts.openEmbedders();
    return this.#choices;
  }

  /** The models the configuration asks for, whether or not they have vectors yet. */
  async models(): Promise<readonly IndexedModel[]> {
    const { batch_size: batchSize } = this.#parts.config.embedding;
    return (await this.choices()).flatMap(({ provider, embedder }) =>
      embedder === undefined ? [] : [toIndexedModel(provider, embedder, batchSize)],
    );
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#watcher?.close();
    if (!this.#isEmbedding) await this.#background;
    await this.#indexes.close();
    for (const { embedder } of (await this.#choices) ?? []) await embedder?.close();
  }

  /** False when there is more to take over than a question can wait for. */
  async #catchUp({ sync, takeReplacement }: OpenIndex, notes: string[], withoutLive: boolean): Promise<boolean> {
    const { journalEnd } = this.#parts.workspace;
    if (await sync.isFresh(journalEnd)) {
      if (!withoutLive) await sync.syncLive();
      return true;
    }
    const replaced = takeReplacement();
    const report = await sync.syncAll({ journalEnd, signal: AbortSignal.timeout(QUESTION_SYNC_MS) });
    const reason = report.rebuiltBecause ?? replaced;
    if (reason !== undefined) notes.push(`The index could not be used and is made anew: ${reason}.`);
    notes.push(...report.problems);
    if (report.isComplete && !withoutLive) await sync.syncLive();
    return report.isComplete;
  }

  /** Asked again only when somebody has written: it costs more than a question. */
  async #servingModels(index: SearchIndex, notes: string[]): Promise<readonly IndexedModel[]> {
    const version = await index.version();
    if (this.#serving?.version !== version) {
      const own: string[] = [];
      const wanted = await this.#modelsOrNote(own);
      const isKnown = (await index.readNote(COVERED)) === coverageNote(version, wanted);
      const models = isKnown ? wanted : await this.#findServingModels(index, wanted, own);
      this.#serving = { version: await index.version(), models, notes: own };
    }
    notes.push(...this.#serving.notes);
    return this.#serving.models;
  }

  async #findServingModels(
    index: SearchIndex,
    wanted: readonly IndexedModel[],
    notes: string[],
  ): Promise<readonly IndexedModel[]> {
    let isWhole = true;
    for (const model of wanted) {
      const [missing] = await index.listMissingVectors(model.embedder.id, 1);
      if (missing === undefined) continue;
      if (!model.isInstant) {
        isWhole = false;
        continue;
      }
      const [state] = await embedForModels(index, [model], { clock: this.#parts.clock, budgetMs: QUESTION_EMBED_MS });
      if (state?.remaining !== 0) isWhole = false;
      if (state?.problem !== undefined) notes.push(state.problem.message);
    }
    if (isWhole) {
      await index.writeNote(COVERED, coverageNote(await index.version(), wanted));
      return wanted;
    }
    const { serving, pending, isPartial } = findServingModels(
      await index.status(),
      wanted.map(({ embedder }) => embedder.id),
    );
    for (const { model, coverage } of pending) {
      notes.push(
        `${model} has vectors for ${Math.floor(coverage * 100)} % so far; \`mneme index sync\` makes the rest.`,
      );
    }
    const models = wanted.filter(({ embedder }) => serving.some(({ model }) => model === embedder.id));
    if (!isPartial && pending.length === 0) await index.writeNote(COVERED, coverageNote(await index.version(), models));
    return models;
  }

  /** An embedder that cannot be had costs meaning, not the answer. */
  async #modelsOrNote(notes: string[]): Promise<readonly IndexedModel[]> {
    for (const { provider, problem } of await this.choices()) {
      if (problem !== undefined)
        notes.push(`Searching without ${provider}: ${problem.message} ${problem.hint ?? ''}`.trim());
    }
    return this.models();
  }

  async #embed(index: SearchIndex, { signal, onEmbedding }: EmbedProgress): Promise<readonly EmbeddingState[]> {
    return embedForModels(index, await this.models(), {
      clock: this.#parts.clock,
      signal,
      onProgress: onEmbedding,
    });
  }
}

interface EmbedProgress {
  readonly signal?: AbortSignal | undefined;
  readonly onEmbedding?: ((state: EmbeddingState) => void) | undefined;
}

interface EmbedReport {
  readonly embedding: readonly EmbeddingState[];
}
