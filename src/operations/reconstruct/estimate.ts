import type { Config } from '../../model/config/schema.ts';
import { PriceTable } from '../../reasoner/ledger/prices.ts';
import { modelFor } from '../../reasoner/model/models.ts';

/** The expected cost of processing the conversations again, before any model is asked. */
export interface ReplayEstimate {
  readonly provider: string;
  /** null where no model is asked, or none is named. */
  readonly model: string | null;
  readonly calls: number;
  readonly tokensIn: number;
  readonly tokensOut: number;
  /** null for a model whose price nobody told. */
  readonly usd: number | null;
}

const CHARS_PER_TOKEN = 4;
/** Instructions, schema and the known names, in front of every conversation. */
const PROMPT_TOKENS = 1800;
/** The output is a small part of what was said, but never empty. */
const OUTPUT_SHARE = 0.25;
const LEAST_OUTPUT_TOKENS = 200;
const DIARY_TOKENS = 300;

export function estimateReplay(
  config: Config,
  conversations: readonly { readonly characters: number }[],
  { hasJournal, nowMs }: { readonly hasJournal: boolean; readonly nowMs: number },
): ReplayEstimate {
  const { provider, prices_usd_per_million: prices } = config.reasoner;
  if (provider === 'heuristic') return { provider, model: null, calls: 0, tokensIn: 0, tokensOut: 0, usd: 0 };
  const said = conversations.map(({ characters }) => Math.ceil(characters / CHARS_PER_TOKEN));
  const tokensIn = said.reduce((sum, tokens) => sum + tokens + PROMPT_TOKENS, 0);
  const found = said.reduce((sum, tokens) => sum + Math.max(LEAST_OUTPUT_TOKENS, tokens * OUTPUT_SHARE), 0);
  const asked = [
    { model: modelFor('extract', provider, config.reasoner), tokensIn, tokensOut: Math.round(found) },
    ...(hasJournal
      ? [
          {
            model: modelFor('summarise', provider, config.reasoner),
            tokensIn,
            tokensOut: said.length * DIARY_TOKENS,
          },
        ]
      : []),
  ];
  const table = new PriceTable(prices);
  const costs = asked.map(({ model, ...tokens }) =>
    model === undefined ? undefined : table.cost(model, tokens, nowMs),
  );
  return {
    provider,
    model: asked[0]?.model ?? null,
    calls: said.length * asked.length,
    tokensIn: asked.reduce((sum, each) => sum + each.tokensIn, 0),
    tokensOut: asked.reduce((sum, each) => sum + each.tokensOut, 0),
    usd: costs.reduce<number | null>((sum, cost) => (sum === null || cost === undefined ? null : sum + cost), 0),
  };
}
