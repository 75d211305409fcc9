import type { Config } from '../model/config/schema.ts';
import { errorMessage, isMnemeError, systemCode } from '../model/errors.ts';
import type { Clock } from '../platform/clock.ts';
import { isPrivateEnvironment } from '../platform/environment.ts';
import type { AccessLog } from '../memory/decay/access-log.ts';
import { FORGOTTEN_TURNS_FILE, parseForgottenTurns } from '../memory/forgotten-turns.ts';
import { createFader } from '../memory/decay/fading.ts';
import type { DecayStatus } from '../memory/decay/relevance.ts';
import type { ChunkContext } from '../search-index/chunk/draft.ts';
import type { ServingModel } from '../search-index/embed/model.ts';
import type { HomeIndex } from '../search-index/home-index.ts';
import type { SearchFilter, SearchIndex, StoredPassage } from '../search-index/port.ts';
import { createRedactor, type Redactor } from '../workspace/safety/redact.ts';
import type { Hit } from './hit.ts';
import { toHits } from './hits.ts';
import { retrieve, type Answer, type Question, type QuestionModel, type RetrievalParts } from './retriever.ts';
import type { Reranker } from './rerank.ts';
import {
  type KnownNames,
  SNIPPET_CHARS,
  type Tuning,
  createKnownNames,
  retrievalSettings,
  scanFiles,
} from './settings.ts';

const NO_TURNS: ReadonlySet<string> = new Set();

export interface SearchRequest {
  readonly text: string;
  readonly filter: SearchFilter;
  readonly limit: number;
  readonly tokens: number | undefined;
  readonly tokensPerCandidate?: number | undefined;
  /** Only memories that are this fresh. */
  readonly statuses?: readonly DecayStatus[] | undefined;
  /** Leaves everything else out. */
  readonly isWanted?: Question['isWanted'];
  readonly isUnfinished?: boolean | undefined;
  /** Only what the workspace says: no conversation, and so nothing of those still going on has to be taken over first. */
  readonly isWorkspaceOnly?: boolean | undefined;
  /** `all` for questions of a person or an agent, `bundled` where nobody can wait long; otherwise only models that cost nothing to load. */
  readonly models?: 'all' | 'bundled' | 'instant' | undefined;
  /** Used when `search.rerank` is on and the program brings none of its own. */
  readonly reranker?: Reranker | undefined;
  /** Only to look: that it was asked is not noted down. */
  readonly isUnlisted?: boolean | undefined;
  /** Answer from these documents instead of the home's index: the past. */
  readonly at?: { readonly index: SearchIndex; readonly nowMs: number } | undefined;
}

export interface SearchResult {
  readonly hits: readonly Hit[];
  readonly mode: 'hybrid' | 'lexical' | 'scan';
  readonly answer: Answer;
  /** Notes on this answer for a person: a stale index, a model that is not ready. */
  readonly notes: readonly string[];
}

export interface SimilarResult {
  readonly to: { readonly id: string; readonly path: string; readonly text: string };
  readonly hits: readonly Hit[];
  readonly notes: readonly string[];
}

export interface SearchParts {
  readonly home: HomeIndex;
  readonly access: AccessLog;
  readonly config: Config;
  readonly context: ChunkContext;
  readonly clock: Clock;
  /** Other weights than the usual ones: what an ablation measures. */
  readonly tuning?: Tuning | undefined;
  /** One question and then the end: what only pays over many questions is not loaded. */
  readonly isShortLived?: boolean | undefined;
  /** Used when `search.rerank` is on. */
  readonly reranker?: Reranker | undefined;
}

/** All that most who ask need. */
export type Asking = Pick<MemorySearch, 'ask'>;

/** Answers questions from the index, or from the files themselves when there is none. */
export class MemorySearch {
  readonly #parts: SearchParts;
  readonly #redactor: Redactor;
  #names: { readonly version: string; readonly names: KnownNames } | undefined;

  constructor(parts: SearchParts) {
    this.#parts = parts;
    this.#redactor = createRedactor(parts.config.redaction);
  }

  async ask(request: SearchRequest): Promise<SearchResult> {
    const result = await this.#answer(request);
    const isUnlisted = request.isUnlisted === true || isPrivateEnvironment();
    if (request.at !== undefined || isUnlisted || request.text === '') return result;
    const note = await this.#recordListing(request.text, result);
    return note === undefined ? result : { ...result, notes: [...result.notes, note] };
  }

  /** An answer that cannot be noted down is an answer all the same. Returns why it was not, in words. */
  async #recordListing(text: string, { mode, hits }: SearchResult): Promise<string | undefined> {
    const { clock, access } = this.#parts;
    // All of it, since a secret cut off in the middle is not recognised.
    const { text: query } = await this.#redactor.redact(text);
    try {
      const listed = hits.map(({ id, score }) => ({ id, score }));
      access.recordListing({ time: clock.now(), query, mode, hits: listed });
      return undefined;
    } catch (error) {
      if (systemCode(error) === undefined) throw error;
      return `That this was asked could not be noted down: ${errorMessage(error)}.`;
    }
  }

  /** Finds passages like an item, a turn or a whole file; undefined when there is no such thing. */
  async askSimilar(
    idOrPath: string,
    { filter, limit }: Pick<SearchRequest, 'filter' | 'limit'>,
  ): Promise<SimilarResult | undefined> {
    const { index, models, notes } = await this.#parts.home.prepare();
    const source = { index: index ?? (await this.#scan()), models, notes };
    const view = await source.index.view(filter);
    const own = await view.read(await view.findItem(idOrPath));
    const [first] = own;
    if (first === undefined) return undefined;
    const isOwn = new Set(own.map(({ number }) => number));
    const isOther = ({ number }: StoredPassage): boolean => !isOwn.has(number);
    const text = own.map((passage) => passage.text).join('\n');
    const request = { text, filter, limit, tokens: undefined, isWanted: isOther, models: 'all' as const };
    const result = await this.#retrieve(request, source, this.#parts.clock.now());
    return { to: { id: first.id, path: first.document.path, text }, hits: result.hits, notes: result.notes };
  }

  #scan(): Promise<SearchIndex> {
    return scanFiles(this.#parts.home.files, this.#parts.context);
  }

  /** From the index; one found damaged is made anew, once. */
  async #answer(request: SearchRequest, isRepaired = false): Promise<SearchResult> {
    if (request.at !== undefined) {
      const models = await this.#parts.home.modelsOf(request.at.index);
      return this.#retrieve(request, { index: request.at.index, models, notes: [] }, request.at.nowMs);
    }
    const nowMs = this.#parts.clock.now();
    const { index, models, notes } = await this.#parts.home.prepare({ withoutLive: request.isWorkspaceOnly });
    if (index !== undefined) {
      try {
        return await this.#retrieve(request, { index, models, notes }, nowMs);
      } catch (error) {
        if (isRepaired) throw error;
        // The server went away in the middle of the question: this machine's own index answers it.
        if (this.#parts.home.standIn(error)) return await this.#answer(request, true);
        if (!isMnemeError(error, 'integrity')) throw error;
        await this.#parts.home.repair(error.message);
        const again = await this.#answer(request, true);
        return { ...again, notes: [`${error.message} It was made anew.`, ...again.notes] };
      }
    }
    const scanned = await this.#scan();
    const why =
      'The index is not ready, so the files themselves were searched, by words alone; `mneme index sync` makes it.';
    const result = await this.#retrieve(request, { index: scanned, models: [], notes: [...notes, why] }, nowMs);
    return { ...result, mode: 'scan' };
  }

  async #retrieve(
    request: SearchRequest,
    source: {
      readonly index: SearchIndex;
      readonly models: readonly ServingModel[];
      readonly notes: readonly string[];
    },
    nowMs: number,
  ): Promise<SearchResult> {
    const { config } = this.#parts;
    const { text, filter, limit, tokens, tokensPerCandidate, statuses, isUnfinished } = request;
    const uses = this.#parts.access.readUses();
    // The weight of a passage whatever the question (DESIGN §13); for the past, as it was then.
    const fadedBy = request.at === undefined ? this.#parts.access.fadingNow(nowMs) : nowMs;
    const fade = createFader(uses, fadedBy, config.decay);
    // Forgotten memories are archived; the turns that state them are left out like the archive.
    const notes = this.#parts.home.files.read({ source: 'workspace', path: FORGOTTEN_TURNS_FILE });
    const hidden = filter.withArchived === true ? NO_TURNS : parseForgottenTurns(notes?.text ?? '');
    const isWanted = (passage: StoredPassage): boolean =>
      !hidden.has(passage.id) &&
      (request.isWorkspaceOnly !== true || passage.document.source === 'workspace') &&
      (statuses?.includes(fade(passage).status) ?? true) &&
      (request.isWanted?.(passage) ?? true);
    const isAsked = ({ isInstant, isBundled }: ServingModel): boolean =>
      isInstant || request.models === 'all' || (isBundled && request.models === 'bundled');
    const parts: RetrievalParts = {
      index: source.index,
      models: (this.#parts.tuning?.hybrid ?? true) ? source.models.filter(isAsked).map(toQuestionModel) : [],
      settings: retrievalSettings(config.time_zone, this.#parts.tuning),
      names: () => this.#knownNames(source.index),
      uses,
      isShortLived: this.#parts.isShortLived ?? false,
      reranker: config.search.rerank ? (this.#parts.reranker ?? request.reranker) : undefined,
      freshnessOf: (passage) => fade(passage).relevance,
    };
    const answer = await askAgainOnConflict(() =>
      retrieve({ text, filter, nowMs, limit, tokens, tokensPerCandidate, isUnfinished, isWanted }, parts),
    );
    const hits = toHits(answer, SNIPPET_CHARS);
    const failed = await this.#parts.home.toldFirst(source.index, answer.failed);
    return { hits, mode: answer.mode, answer, notes: [...source.notes, ...failed, ...answer.notes] };
  }

  /** Names change with the index only; making their tables costs more than a question. */
  async #knownNames(index: SearchIndex): Promise<KnownNames> {
    const version = await index.version();
    if (this.#names?.version !== version) {
      this.#names = { version, names: createKnownNames(await index.listSpeakers(), await index.listEntities()) };
    }
    return this.#names.names;
  }
}

/** Attempts when another process renumbers or empties the index during a question. */
const MAX_ATTEMPTS = 3;

async function askAgainOnConflict<T>(ask: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask();
    } catch (error) {
      if (!isMnemeError(error, 'conflict') || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

function toQuestionModel({ embedder, isInstant, coverage }: ServingModel): QuestionModel {
  return { embedder, kind: isInstant ? 'static' : 'sentence', isWhole: coverage === 1 };
}
