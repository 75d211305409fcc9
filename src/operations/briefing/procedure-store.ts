import { Procedures } from '../../memory/procedures/procedures.ts';
import type { OperationContext } from '../context.ts';

/** One for an open home: it knows the files it has read. A hook must not load what runs procedures. */
const stores = new WeakMap<OperationContext, Procedures>();

export function procedureStore(context: OperationContext): Procedures {
  const { workspace, clock, random, config, layout } = context;
  const parts = { root: workspace.root, clock, random, timeZone: config.time_zone };
  const known = stores.get(context) ?? new Procedures(parts, layout);
  stores.set(context, known);
  return known;
}
