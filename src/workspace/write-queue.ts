import { type CommitRequest, type CommitResult, keepPermit } from './door/request.ts';

/** When a write happens (S2 §8.1). It is acknowledged when it has happened, never before. */
export const WRITE_STRATEGIES = ['immediate', 'batched', 'deferred', 'conditional'] as const;
export type WriteStrategy = (typeof WRITE_STRATEGIES)[number];

export interface WriteOptions {
  readonly strategy?: WriteStrategy | undefined;
  /** 0 to 1; from the threshold on a write is immediate whatever its strategy. */
  readonly importance?: number | undefined;
  /** Asked when the write is due; false drops it. With `conditional`, importance decides when this is not given. */
  readonly condition?: (() => boolean | Promise<boolean>) | undefined;
}

export interface WriteQueueOptions {
  readonly commit: (request: CommitRequest) => Promise<CommitResult>;
  readonly strategy: WriteStrategy;
  readonly batchSize: number;
  readonly batchIntervalMs: number;
  readonly idleMs: number;
  readonly immediateImportance: number;
  readonly conditionalImportance: number;
}

/** S2's figures. A write takes milliseconds here and waits only where its caller asks for it. */
export const WRITE_RULES = {
  strategy: 'immediate',
  batchSize: 10,
  batchIntervalMs: 30_000,
  idleMs: 60_000,
  immediateImportance: 0.8,
  conditionalImportance: 0.3,
} as const;

interface Queued {
  readonly run: () => Promise<void>;
}

/**
 * Holds writes back: `batched` until there are enough of them or time is up, `deferred` until nothing else has been
 * written for an interval. What waits here is in memory only and not acknowledged; closing writes it.
 */
export class WriteQueue {
  readonly #options: WriteQueueOptions;
  #batched: Queued[] = [];
  #deferred: Queued[] = [];
  #batchTimer: NodeJS.Timeout | undefined;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(options: WriteQueueOptions) {
    this.#options = options;
  }

  /** Resolves with the result, or with undefined when a condition said no. */
  write(request: CommitRequest, options: WriteOptions = {}): Promise<CommitResult | undefined> {
    this.#restartIdleTimer();
    const strategy = this.#effectiveStrategy(options);
    if (strategy === 'immediate') return this.#options.commit(request);
    if (strategy === 'conditional') {
      const isImportant = (): boolean => (options.importance ?? 0) >= this.#options.conditionalImportance;
      return this.#commitIf(request, options.condition ?? isImportant);
    }
    return new Promise((resolve, reject) => {
      const run = keepPermit(() => this.#commitIf(request, options.condition).then(resolve, reject));
      if (strategy === 'batched') this.#addToBatch({ run });
      else this.#deferred.push({ run });
    });
  }

  get waiting(): number {
    return this.#batched.length + this.#deferred.length;
  }

  /** Writes everything that waits, as one batch of the write path. */
  async flush(): Promise<void> {
    clearTimeout(this.#batchTimer);
    this.#batchTimer = undefined;
    const due = [...this.#batched, ...this.#deferred];
    this.#batched = [];
    this.#deferred = [];
    await Promise.all(due.map(({ run }) => run()));
  }

  async close(): Promise<void> {
    await this.flush();
    clearTimeout(this.#idleTimer);
  }

  #effectiveStrategy({ strategy, importance }: WriteOptions): WriteStrategy {
    if ((importance ?? 0) >= this.#options.immediateImportance) return 'immediate';
    return strategy ?? this.#options.strategy;
  }

  async #commitIf(request: CommitRequest, condition: WriteOptions['condition']): Promise<CommitResult | undefined> {
    if (condition !== undefined && !(await condition())) return undefined;
    return this.#options.commit(request);
  }

  #addToBatch(queued: Queued): void {
    this.#batched.push(queued);
    if (this.#batched.length >= this.#options.batchSize) void this.flush();
    else this.#batchTimer ??= setTimeout(() => void this.flush(), this.#options.batchIntervalMs);
  }

  #restartIdleTimer(): void {
    clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(() => void this.flush(), this.#options.idleMs).unref();
  }
}
