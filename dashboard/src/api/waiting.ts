import { heldIds } from './later.ts';
import { useQuery } from './query.ts';

/** How many decisions wait in the inbox. */
export function useWaiting(): number {
  const proposals = useQuery('proposals list', {}, { on: ['proposal'] });
  const alerts = useQuery('audit alerts', {}, { on: ['alert', 'mutation'] });
  const held = heldIds.value;
  const isShown = ({ references }: { readonly references: readonly string[] }): boolean =>
    !references.some((reference) => held.has(reference));
  const outside = alerts.data?.externalEdits.some(isShown) === true ? 1 : 0;
  return (
    (proposals.data?.proposals.filter(({ id }) => !held.has(id)).length ?? 0) +
    (alerts.data?.alerts.filter(isShown).length ?? 0) +
    outside
  );
}
