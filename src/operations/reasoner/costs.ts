import { z } from 'zod';
import {
  compareWithSeed,
  COST_KEYS,
  forecastCosts,
  groupCosts,
  sumCosts,
  type Comparison,
  type CostKey,
  type CostRow,
  type Forecast,
} from '../../reasoner/ledger/cost-report.ts';
import { Ledger } from '../../reasoner/ledger/ledger.ts';
import { PRICES_AS_OF, PriceTable } from '../../reasoner/ledger/prices.ts';
import { modelFor } from '../../reasoner/model/models.ts';
import { getMoment } from '../history/open-history.ts';
import { defineVerb } from '../verb.ts';
import { isoTime } from '../../model/time.ts';

const input = z.object({
  since: z.string().optional().describe('From this time on: 2026-02-16, yesterday, "3 days ago".'),
  by: z.enum(COST_KEYS).default('purpose').describe('What the rows are: purpose, model or day.'),
  forecast: z.boolean().default(false).describe('What a month will cost if it goes on like this.'),
});

export interface Costs {
  readonly since: string | null;
  readonly by: CostKey;
  readonly rows: readonly CostRow[];
  readonly total: CostRow;
  /** The costs expected at design time, beside the measured ones. */
  readonly comparison: readonly Comparison[];
  readonly forecast: Forecast | null;
  /** When the built-in prices were put together. */
  readonly pricesAsOf: string;
  readonly notes: readonly string[];
}

export const costs = defineVerb({
  name: 'costs',
  summary: 'What language models have cost, and what they will.',
  description:
    'What language models have cost, by the ledger of calls in journal/costs.jsonl and the local price table. Without a model nothing costs anything.',
  input,
  effect: 'read',
  run(context, { since, by, forecast }): Promise<Costs> {
    const { clock, config, workspace } = context;
    const { reasoner, time_zone: timeZone } = config;
    const sinceMs = since === undefined ? undefined : getMoment(context, since, 'start');
    const ledger = new Ledger({ folder: workspace.paths.journal, clock, timeZone });
    const { records: all, unreadableLines } = ledger.readAll();
    const records = all.filter(({ timeMs }) => sinceMs === undefined || timeMs >= sinceMs);
    const nowMs = clock.now();
    const { provider } = reasoner;
    const extractor = provider === 'heuristic' ? undefined : modelFor('extract', provider, reasoner);
    const prices = new PriceTable(reasoner.prices_usd_per_million);
    const price = extractor === undefined ? undefined : prices.find(extractor, nowMs);
    const free = { input: 0, output: 0 };
    return Promise.resolve({
      since: sinceMs === undefined ? null : isoTime(sinceMs),
      by,
      rows: groupCosts(records, by, timeZone),
      total: sumCosts('total', records),
      comparison: compareWithSeed(records),
      forecast: forecast
        ? forecastCosts({
            records: all,
            nowMs,
            price: provider === 'heuristic' ? free : price,
            dailyMaxUsd: reasoner.daily_max_usd,
          })
        : null,
      pricesAsOf: PRICES_AS_OF,
      notes: notesOf(
        records.filter(({ usd }) => usd === undefined).map(({ model }) => model),
        unreadableLines,
      ),
    });
  },
  cli: { path: 'learn costs', formerly: ['costs'], options: { since: { value: 'when' }, by: { value: 'what' } } },
  render: async (view, output) => (await import('./render.ts')).renderCosts(view, output),
});

function notesOf(unpriced: readonly string[], unreadableLines: number): string[] {
  const models = [...new Set(unpriced)];
  return [
    ...(models.length === 0
      ? []
      : [`No price is known for ${models.join(', ')}: set reasoner.prices_usd_per_million. Its tokens are counted.`]),
    ...(unreadableLines === 0 ? [] : [`${unreadableLines} lines of journal/costs.jsonl cannot be read.`]),
  ];
}
