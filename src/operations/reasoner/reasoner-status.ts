import { z } from 'zod';
import { isMnemeError } from '../../model/errors.ts';
import { readVariable } from '../../platform/environment.ts';
import { findConnection, openLanguageProvider } from '../../providers/language/provider.ts';
import { type DayTotals, Ledger, totalsOf } from '../../reasoner/ledger/ledger.ts';
import { PriceTable, type Price } from '../../reasoner/ledger/prices.ts';
import { AnswerCache } from '../../reasoner/model/answer-cache.ts';
import { modelFor, readPrompt } from '../../reasoner/model/models.ts';
import type { Purpose } from '../../reasoner/port.ts';
import type { OperationContext } from '../context.ts';
import { defineVerb } from '../verb.ts';
import { isoTime } from '../../model/time.ts';

const PURPOSES: readonly Purpose[] = [
  'extract',
  'flush',
  'route',
  'summarise',
  'resolve_contradiction',
  'infer',
  'reflect',
  'rewrite_core',
  'gate',
  'rerank',
];
const SHOWN_FAILURES = 5;

export interface ReasonerStatus {
  readonly provider: string;
  /** The source of answers: a model that can be asked, or the heuristic. */
  readonly answers: 'model' | 'heuristic';
  /** Why the model that is set cannot be asked; null when it can, or when none is set. */
  readonly problem: string | null;
  readonly hint: string | null;
  readonly address: string | null;
  readonly key: { readonly variable: string; readonly isSet: boolean } | null;
  readonly purposes: readonly {
    readonly purpose: Purpose;
    readonly model: string | null;
    /** US dollars for a million tokens. */
    readonly price: Price | null;
    readonly promptVersion: number;
  }[];
  readonly today: DayTotals;
  /** The remainder of the day's caps. */
  readonly left: DayTotals;
  readonly purposesLeftUsd: Readonly<Record<string, number>>;
  readonly cachedAnswers: number;
  /** The latest first. */
  readonly failures: readonly {
    readonly time: string;
    readonly purpose: string;
    readonly model: string;
    readonly outcome: string;
    readonly reason: string | null;
  }[];
}

export const reasonerStatus = defineVerb({
  name: 'reasoner status',
  summary: 'Who judges and summarises, with which models, and what is left of the day’s caps.',
  input: z.object({}),
  effect: 'read',
  async run(context): Promise<ReasonerStatus> {
    const { config, clock, workspace } = context;
    const { reasoner } = config;
    const { paths } = workspace;
    const ledger = new Ledger({ folder: paths.journal, clock, timeZone: config.time_zone });
    const today = totalsOf(ledger);
    const { problem, hint, ...connection } = await readConnection(context);
    return {
      provider: reasoner.provider,
      answers: reasoner.provider === 'heuristic' || problem !== null ? 'heuristic' : 'model',
      problem,
      hint,
      ...connection,
      purposes: PURPOSES.map((purpose) => describePurpose(context, purpose)),
      today,
      left: {
        calls: Math.max(0, reasoner.daily_max_calls - today.calls),
        tokens: Math.max(0, reasoner.daily_max_tokens - today.tokens),
        usd: Math.max(0, reasoner.daily_max_usd - today.usd),
      },
      purposesLeftUsd: Object.fromEntries(
        Object.entries(reasoner.purpose_daily_max_usd).map(([purpose, cap]) => [
          purpose,
          Math.max(0, cap - totalsOf(ledger, purpose).usd),
        ]),
      ),
      cachedAnswers: countCached(context),
      failures: readFailures(ledger),
    };
  },
  cli: { path: 'learn reasoner', formerly: ['reasoner status', 'reasoner'] },
  render: async (view, output) => (await import('./render.ts')).renderReasonerStatus(view, output),
});

type Connection = Pick<ReasonerStatus, 'problem' | 'hint' | 'address' | 'key'>;

/** Loads the packages to see whether they are there; nothing is called. */
async function readConnection({ config: { reasoner } }: OperationContext): Promise<Connection> {
  const { provider } = reasoner;
  if (provider === 'heuristic') return { problem: null, hint: null, address: null, key: null };
  const { address, variable, key } = findConnection(provider, reasoner, { readVariable });
  const found = { address: address ?? null, key: { variable, isSet: key !== undefined } };
  try {
    await openLanguageProvider(provider, reasoner, { readVariable });
  } catch (error) {
    if (!isMnemeError(error)) throw error;
    return { ...found, problem: error.message, hint: error.hint ?? null };
  }
  if (modelFor('extract', provider, reasoner) !== undefined) return { ...found, problem: null, hint: null };
  return { ...found, problem: 'No model is named.', hint: 'Run: mneme config set reasoner.small_model NAME' };
}

function describePurpose({ config, clock }: OperationContext, purpose: Purpose): ReasonerStatus['purposes'][number] {
  const { reasoner } = config;
  const { provider } = reasoner;
  const model = provider === 'heuristic' ? undefined : modelFor(purpose, provider, reasoner);
  const prices = new PriceTable(reasoner.prices_usd_per_million);
  const price = model === undefined ? undefined : prices.find(model, clock.now());
  return { purpose, model: model ?? null, price: price ?? null, promptVersion: readPrompt(purpose).version };
}

function countCached({ clock, workspace }: OperationContext): number {
  const cache = new AnswerCache(workspace.paths.state, clock);
  try {
    return cache.count();
  } finally {
    cache.close();
  }
}

function readFailures(ledger: Ledger): ReasonerStatus['failures'] {
  return ledger
    .readAll()
    .records.filter(({ outcome }) => outcome !== 'ok')
    .slice(-SHOWN_FAILURES)
    .reverse()
    .map(({ timeMs, purpose, model, outcome, reason }) => {
      return { time: isoTime(timeMs), purpose, model, outcome, reason: reason ?? null };
    });
}
