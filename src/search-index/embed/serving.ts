import type { IndexStatus } from '../port.ts';

export interface ModelCoverage {
  readonly model: string;
  /** Share of the passages that have a vector of this model. */
  readonly coverage: number;
}

export interface Serving {
  /** The models to ask now; none: words alone. */
  readonly serving: readonly ModelCoverage[];
  /** Models the configuration wants that are not ready yet. */
  readonly pending: readonly ModelCoverage[];
  /** Some passages can be found only by their words so far. */
  readonly isPartial: boolean;
}

/** The last writes wait for their vectors; that is no reason to go back to another model. */
const ENOUGH = 0.95;

/**
 * Which models answer a question while vectors are being made. `wanted` is what the configuration asks for; `openable`
 * are models whose embedder can be had besides, since a question has to be embedded by the model it is compared with.
 */
export function findServingModels(
  status: IndexStatus,
  wanted: readonly string[],
  openable: readonly string[] = [],
): Serving {
  const coverageOf = (model: string): ModelCoverage => ({ model, coverage: coverageIn(status, model) });
  const all = wanted.map(coverageOf);
  const ready = all.filter(({ coverage }) => coverage >= ENOUGH);
  const pending = all.filter(({ coverage }) => coverage < ENOUGH);
  const serving = ready.length > 0 ? ready : chooseFallback(pending, openable.map(coverageOf));
  return { serving, pending, isPartial: serving.some(({ coverage }) => coverage < 1) };
}

/** A former model that covers more than any wanted one; otherwise what the wanted ones have so far. */
function chooseFallback(pending: readonly ModelCoverage[], former: readonly ModelCoverage[]): readonly ModelCoverage[] {
  const [best] = former.toSorted((left, right) => right.coverage - left.coverage);
  const bestPending = Math.max(0, ...pending.map(({ coverage }) => coverage));
  if (best !== undefined && best.coverage > bestPending) return [best];
  return pending.filter(({ coverage }) => coverage > 0);
}

function coverageIn({ passages, models }: IndexStatus, model: string): number {
  if (passages === 0) return 1;
  return (models.find((state) => state.model === model)?.vectors ?? 0) / passages;
}
