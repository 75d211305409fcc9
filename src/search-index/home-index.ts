import type { Config } from '../model/config/schema.ts';
import { isMnemeError } from '../model/errors.ts';
import type { Clock } from '../platform/clock.ts';
import type { EmbedderChoice } from '../providers/embeddings/create.ts';
import type { HomePaths } from '../workspace/home-paths.ts';
import type { Indexable } from '../workspace/registries.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { ChunkContext } from './chunk/draft.ts';
import { type EmbedOptions, type EmbeddingState, embedForModels, embedMissing } from './embed/embed-missing.ts';
import { findServing, toIndexedModel, type IndexedModel, type ServingModel } from './embed/model.ts';
import type { IndexStatus, SearchIndex } from './port.ts';
import { OpenIndexes, type OpenIndex } from './open-index.ts';
import { HomeFiles } from './sync/home-files.ts';
import type { IndexSync, SyncOptions, SyncReport } from './sync/index-sync.ts';
import { SharedTurn, SourceWatcher } from './sync/source-watcher.ts';

/** Texts in one call: large enough for a service, small enough to be interrupted within a second on this machine. */
const EMBEDDING_BATCH = 50;

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
  /** Questions make no vectors: a process that must answer at once waits for no other that writes. */
  readonly leavesVectors: boolean;
}

/** The index and the models that can answer a question now. */
export interface Readiness {
  /** Undefined when the index cannot be used at all; then the files are searched themselves. */
  readonly index: SearchIndex | undefined;
  /** Models that have vectors, the preferred one last. */
  readonly models: readonly ServingModel[];
  /** Notes for a person: what is incomplete, and why. */
  readonly notes: readonly string[];
}

export interface PrepareOptions {
  /** For a question that no conversation answers: those still going on are not taken over for it. */
  readonly withoutLive?: boolean | undefined;
}

/** A question waits this long for a stale index and for missing vectors; what is left is made by the next one. */
const QUESTION_SYNC_MS = 3000;
const QUESTION_EMBED_MS = 1500;

/** The note that says which version every model covers, so that a new process need not count. */
const COVERED = 'covered';
/** The note with the day and the problem of an embedder that was told last. */
const TOLD = 'told';

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
    | { readonly version: string; readonly models: readonly ServingModel[]; readonly notes: readonly string[] }
    | undefined;
  #watcher: SourceWatcher | undefined;
  /** Two at once in one process would make the same vectors twice. */
  #embedding: Promise<unknown> = Promise.resolve();
  #hasWritten = false;
  #onWritten: () => void = () => undefined;

  constructor(parts: HomeIndexParts) {
    this.#parts = parts;
    this.files = new HomeFiles(parts.paths);
    this.#indexes = new OpenIndexes(parts, this.files);
    this.#turn = new SharedTurn(this.#indexes, parts.clock);
  }

  /** For the write path: what was just written is found by the next question, from every process. */
  async takeOver(written: Indexable): Promise<void> {
    await this.#turn.use(({ sync }) => sync.syncChanged(written));
    this.#noteWritten();
  }

  /** Whether this process has put something into the index that may lack vectors. */
  get hasWritten(): boolean {
    return this.#hasWritten;
  }

  /** Called for everything this process puts into the index. */
  listen(onWritten: () => void): void {
    this.#onWritten = onWritten;
  }

  #noteWritten(): void {
    this.#hasWritten = true;
    this.#onWritten();
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
      const { signal, onEmbedding: onProgress, vectors } = options;
      const embedding = await this.#embed(index, { signal, onProgress }, vectors);
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

  /** The parts it was made of. */
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

  /** In a long-running process: notices live sessions and transcripts as they are written. */
  watch(onProblem: (message: string) => void): void {
    const syncFiles: IndexSync['syncFiles'] = async (keys) => {
      const problems = await this.#turn.use(({ sync }) => sync.syncFiles(keys));
      this.#noteWritten();
      return problems;
    };
    this.#watcher ??= new SourceWatcher(this.files, { syncFiles }, onProblem);
  }

  /**
   * For background work: brings the index up to date and makes some of the vectors that are missing. Every file that was
   * learned into leaves its former passages behind, which each new process would read: they go as soon as it pays.
   */
  embedSome(options: Omit<EmbedOptions, 'clock'>): Promise<readonly EmbeddingState[]> {
    return this.#turn.use(async (open) => {
      if (!(await open.sync.isFresh(this.#parts.workspace.journalEnd))) await this.#catchUp(open, [], false);
      const states = await this.#embed(open.index, options);
      await open.index.optimize();
      return states;
    });
  }

  /** Whether a passage has no vector of a model that the configuration asks for. */
  lacksVectors(): Promise<boolean> {
    return this.#turn.use(async ({ index }) => {
      for (const { embedder } of await this.models()) {
        if ((await index.listMissingVectors(embedder.id, 1)).length > 0) return true;
      }
      return false;
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

  /** The models the configuration asks for, whether or not they have vectors yet; the preferred one last. */
  async models(): Promise<readonly IndexedModel[]> {
    return this.#toModels((await this.choices()).filter(({ isFormer }) => isFormer !== true));
  }

  #toModels(choices: readonly EmbedderChoice[]): readonly IndexedModel[] {
    return choices.flatMap(({ provider, embedder }) =>
      embedder === undefined ? [] : [toIndexedModel(provider, embedder, EMBEDDING_BATCH)],
    );
  }

  /** The configured models that have vectors in an index that is not the home's own. */
  async modelsOf(index: SearchIndex): Promise<readonly ServingModel[]> {
    return findServing(await index.status(), await this.models());
  }

  async close(): Promise<void> {
    await this.#watcher?.close();
    await this.#embedding;
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
  async #servingModels(index: SearchIndex, notes: string[]): Promise<readonly ServingModel[]> {
    const version = await index.version();
    if (this.#serving?.version !== version) {
      const own: string[] = [];
      const wanted = await this.#modelsOrNote(index, notes);
      const isWhole = (await index.readNote(COVERED)) === coverageNote(version, wanted);
      const models = isWhole
        ? wanted.map((model) => ({ ...model, coverage: 1 }))
        : await this.#findServingModels(index, wanted, own);
      this.#serving = { version: await index.version(), models, notes: own };
    }
    notes.push(...this.#serving.notes);
    return this.#serving.models;
  }

  /** Makes the vectors a question can wait for. Those of slower models are made by whoever embeds in the background. */
  async #findServingModels(
    index: SearchIndex,
    wanted: readonly IndexedModel[],
    notes: string[],
  ): Promise<readonly ServingModel[]> {
    for (const model of this.#parts.leavesVectors ? [] : wanted.filter(({ isInstant }) => isInstant)) {
      const state = await embedMissing(index, model, { clock: this.#parts.clock, budgetMs: QUESTION_EMBED_MS });
      if (state.problem !== undefined) notes.push(state.problem.message);
      else if (state.remaining !== 0)
        notes.push(`${state.remaining ?? 'Some'} passages are found by their words only so far.`);
    }
    const status = await index.status();
    const serving = findServing(status, wanted);
    if (serving.length === wanted.length && serving.every(({ coverage }) => coverage === 1)) {
      await index.writeNote(COVERED, coverageNote(await index.version(), wanted));
      return serving;
    }
    return findServing(status, this.#toModels(await this.choices()));
  }

  /** An embedder that cannot be had costs meaning, not the answer. */
  async #modelsOrNote(index: SearchIndex, notes: string[]): Promise<readonly IndexedModel[]> {
    const problems = (await this.choices()).flatMap(({ provider, problem }) =>
      problem === undefined ? [] : [`Searching without ${provider}: ${problem.message} ${problem.hint ?? ''}`.trim()],
    );
    notes.push(...(await this.toldFirst(index, problems)));
    return this.models();
  }

  /** Those of an embedder's problems that were not told today: an answer need not repeat what `doctor` says at any time. */
  async toldFirst(index: SearchIndex, problems: readonly string[]): Promise<readonly string[]> {
    if (problems.length === 0) return [];
    const told = `${new Date(this.#parts.clock.now()).toISOString().slice(0, 10)} ${problems.join(' ')}`;
    if ((await index.readNote(TOLD)) === told) return [];
    await index.writeNote(TOLD, told);
    return problems;
  }

  async #embed(
    index: SearchIndex,
    options: Omit<EmbedOptions, 'clock'>,
    vectors: EmbedProgress['vectors'] = 'all',
  ): Promise<readonly EmbeddingState[]> {
    const models = await this.models();
    const all = { ...options, clock: this.#parts.clock };
    const embed = async (): Promise<readonly EmbeddingState[]> => {
      if (vectors === 'all') return embedForModels(index, models, all);
      const states: EmbeddingState[] = [];
      for (const model of models) if (model.isInstant) states.push(await embedMissing(index, model, all));
      return states;
    };
    const embedding = this.#embedding.then(embed);
    this.#embedding = embedding.catch(() => undefined);
    return embedding;
  }
}

interface EmbedProgress {
  readonly signal?: AbortSignal | undefined;
  readonly onEmbedding?: ((state: EmbeddingState) => void) | undefined;
  /** `instant`: vectors that take long are left to background work. */
  readonly vectors?: 'all' | 'instant' | undefined;
}

interface EmbedReport {
  readonly embedding: readonly EmbeddingState[];
}
