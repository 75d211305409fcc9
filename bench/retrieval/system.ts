import fs from 'node:fs';
import path from 'node:path';
import type { Config } from '../../src/model/config/schema.ts';
import { openMneme, type Mneme } from '../../src/mneme.ts';
import { initHome } from '../../src/operations/home/init.ts';
import { syncIndex } from '../../src/operations/search/index-operations.ts';
import { MemorySearch } from '../../src/retrieve/search.ts';
import type { Tuning } from '../../src/retrieve/settings.ts';
import { must } from '../../src/model/errors.ts';
import { embeddedText } from '../../src/search-index/passage.ts';
import { makeTemporaryFolder } from '../../test/support/home.ts';
import { SeededRandom } from '../../test/support/seeded-random.ts';
import type { Conversation } from './conversations.ts';
import { BUDGETS, type Budget, type SystemAnswer } from './measure.ts';
import type { Tier } from './tiers.ts';
import { DAY_MS } from '../../src/model/time.ts';

/** Turns carry no time of their own in these sets; a conversation takes its time. */
const TURN_MS = 30_000;

/** A conversation in a home of its own, imported and indexed the way a user's would be. */
export class ConversationHome {
  readonly folder: string;
  readonly #mneme: Mneme;
  readonly #prefix: string;
  /** Passages in the order in which `cover` takes them. */
  #order: readonly number[] | undefined;

  private constructor(folder: string, mneme: Mneme, prefix: string) {
    this.folder = folder;
    this.#mneme = mneme;
    this.#prefix = prefix;
  }

  static async build(
    conversation: Conversation,
    tier: Tier,
    coverage: 'whole' | 'static' = 'whole',
  ): Promise<ConversationHome> {
    const folder = makeTemporaryFolder('mneme-bench-');
    await initHome({ home: folder, timeZone: 'UTC', isFull: false, command: ['mneme'] });
    fs.appendFileSync(path.join(folder, 'mneme.yaml'), tier.configuration);
    const prefix = `${conversation.id.replaceAll(/\W+/gu, '-')}-`;
    const logFile = path.join(folder, 'import.jsonl');
    fs.writeFileSync(logFile, toJsonLines(conversation, prefix));
    const lastMs = Math.max(...conversation.sessions.map(({ startedMs }) => startedMs));
    const mneme = await openMneme({
      home: folder,
      parts: { clock: { now: () => lastMs + DAY_MS } },
      embedding: tier.embedding,
    });
    await mneme.import({ from: 'transcript', path: logFile });
    if (coverage === 'whole') await syncIndex(mneme.internals);
    return new ConversationHome(folder, mneme, prefix);
  }

  /** Gives the first so many of `order` a vector of the preferred model; the rest has the static table's only. */
  async cover(order: CoverageOrder, share: number, known: Map<string, Float32Array>): Promise<void> {
    const { homeIndex } = this.#mneme.internals;
    await homeIndex.prepare();
    const model = must((await homeIndex.models()).at(-1), 'a model');
    const { passages } = await homeIndex.engine.status();
    const missing = await homeIndex.engine.listMissingVectors(model.embedder.id, passages);
    const view = await homeIndex.engine.view({ scopes: ['shared'] });
    this.#order ??= orderOf(await view.findRecent(passages), order);
    const chosen = new Set(this.#order.slice(0, Math.round(this.#order.length * share)));
    const entries: { passage: number; vector: Float32Array }[] = [];
    for (const entry of missing.filter(({ passage }) => chosen.has(passage))) {
      const text = embeddedText(entry, model.withDay);
      const vector = known.get(text) ?? must((await model.embedder.embed([text], 'document'))[0], 'a vector');
      known.set(text, vector);
      entries.push({ passage: entry.passage, vector });
    }
    await homeIndex.engine.putVectors(model.embedder.id, model.embedder.dimensions, entries);
  }

  /** Asks through the library, or, with settings of its own, through the search behind it. */
  async ask(question: string, tuning?: Tuning): Promise<{ byBudget: Map<Budget, SystemAnswer>; tookMs: number }> {
    const { homeIndex, access, config, chunkContext, clock } = this.#mneme.internals;
    const search =
      tuning && new MemorySearch({ home: homeIndex, access, config, context: chunkContext, clock, tuning });
    const byBudget = new Map<Budget, SystemAnswer>();
    const startedMs = performance.now();
    for (const tokens of BUDGETS) {
      const request = {
        text: question,
        filter: { scopes: ['shared'] as const },
        limit: 10,
        tokens,
        models: 'all' as const,
      };
      const { hits } =
        search === undefined ? await this.#mneme.recall(question, { tokens }) : await search.ask(request);
      const sessions = hits.map(({ provenance }) => (provenance.session ?? '').slice(this.#prefix.length));
      byBudget.set(tokens, { texts: hits.map(({ text }) => text), sessions });
    }
    return { byBudget, tookMs: (performance.now() - startedMs) / BUDGETS.length };
  }

  get config(): Config {
    return this.#mneme.internals.config;
  }

  get mneme(): Mneme {
    return this.#mneme;
  }

  /** Of the sessions' ids. */
  get prefix(): string {
    return this.#prefix;
  }

  async close(): Promise<void> {
    await this.#mneme.close();
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
}

export const COVERAGE_ORDERS = ['newest', 'random'] as const;
export type CoverageOrder = (typeof COVERAGE_ORDERS)[number];

/** Moves chance's choice to the front; the order of `latest` otherwise. */
function orderOf(latest: readonly number[], order: CoverageOrder): readonly number[] {
  if (order === 'newest') return latest;
  const random = new SeededRandom(21);
  return latest
    .map((passage) => ({ passage, key: random.number() }))
    .sort((left, right) => left.key - right.key)
    .map(({ passage }) => passage);
}

function toJsonLines({ sessions }: Conversation, prefix: string): string {
  const lines = sessions.flatMap(({ id, startedMs, turns }) =>
    turns.map(({ speaker, text }, index) => {
      const who = speaker === 'agent' ? { role: 'agent' } : { role: 'user', name: speaker };
      const time = new Date(startedMs + index * TURN_MS).toISOString();
      return JSON.stringify({ session: `${prefix}${id}`, time, ...who, text });
    }),
  );
  return `${lines.join('\n')}\n`;
}
