import type { Config } from '../model/config/schema.ts';
import type { Clock } from '../platform/clock.ts';
import type { Random } from '../platform/random.ts';
import type { ImportPackage } from '../providers/language/vendors.ts';
import type { Eraser } from '../workspace/registries.ts';
import { Ledger } from './ledger/ledger.ts';
import type { CallRecord } from './ledger/prices.ts';
import { AnswerCache } from './model/answer-cache.ts';
import type { Answer, AskOptions, Purpose, Purposes, Reasoner } from './port.ts';

export interface ReasonerParts {
  readonly journalFolder: string;
  readonly stateFolder: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly readVariable: (name: string) => string | undefined;
  /** Takes secrets out of what is sent to a service; as the settings say when not given. */
  readonly redact?: ((text: string) => Promise<string>) | undefined;
  /** Called for every call to a model. */
  readonly onCall?: ((call: CallRecord) => void) | undefined;
  /** The reasoner used without a model; the built-in heuristic when not given. */
  readonly heuristic?: Reasoner | undefined;
  /** Replaceable parts, for tests. */
  readonly cacheDays?: number | undefined;
  readonly maxRepairs?: number | undefined;
  readonly importPackage?: ImportPackage | undefined;
  readonly fetch?: typeof fetch | undefined;
  readonly sleep?: ((milliseconds: number) => Promise<void>) | undefined;
}

/** A reasoner with what it keeps in the home. */
export interface HomeReasoner extends Reasoner {
  readonly erasers: readonly Eraser[];
  close(): void;
}

/** Judgement as the settings ask for it. Nothing is loaded before the first question. */
export function createReasoner(config: Config, parts: ReasonerParts): HomeReasoner {
  return new ConfiguredReasoner(config, parts);
}

class ConfiguredReasoner implements HomeReasoner {
  readonly name: string;
  readonly #config: Config;
  readonly #parts: ReasonerParts;
  readonly #cache: AnswerCache;
  #loaded: Promise<Reasoner> | undefined;

  constructor(config: Config, parts: ReasonerParts) {
    this.name = config.reasoner.provider;
    this.#config = config;
    this.#parts = parts;
    this.#cache = new AnswerCache(parts.stateFolder, parts.clock, parts.cacheDays);
  }

  get erasers(): readonly Eraser[] {
    return [this.#cache];
  }

  async ask<P extends Purpose>(
    purpose: P,
    input: Purposes[P]['input'],
    options?: AskOptions,
  ): Promise<Answer<Purposes[P]['output']>> {
    this.#loaded ??= this.#load();
    return (await this.#loaded).ask(purpose, input, options);
  }

  close(): void {
    this.#cache.close();
  }

  async #load(): Promise<Reasoner> {
    const { reasoner: config, time_zone: timeZone } = this.#config;
    const fallback = this.#parts.heuristic ?? (await import('./heuristic/reasoner.ts')).createHeuristicReasoner();
    const { provider } = config;
    if (provider === 'heuristic') return fallback;
    const [{ createModelReasoner }, { openLanguageProvider }, { PriceTable }] = await Promise.all([
      import('./model/reasoner.ts'),
      import('../providers/language/provider.ts'),
      import('./ledger/prices.ts'),
    ]);
    const { journalFolder: folder, clock } = this.#parts;
    return createModelReasoner({
      ...this.#parts,
      config,
      provider,
      fallback,
      openProvider: () => openLanguageProvider(provider, config, this.#parts),
      redact: this.#parts.redact ?? (await this.#redactBySettings()),
      cache: this.#cache,
      ledger: new Ledger({ folder, clock, timeZone }),
      prices: new PriceTable(config.prices_usd_per_million),
    });
  }

  async #redactBySettings(): Promise<(text: string) => Promise<string>> {
    const { createRedactor } = await import('../workspace/safety/redact.ts');
    const redactor = createRedactor(this.#config.redaction);
    return async (text) => (await redactor.redact(text)).text;
  }
}
