import { heldIds } from './later.ts';
import { useQuery } from './query.ts';

/** Thousands of proposals take the server a while: what the page is opened for is asked first. */
const AFTER_VIEW_MS = 700;

/** The number of decisions pending in the inbox. */
export function useWaiting(): number {
  const proposals = useQuery('proposals list', {}, { on: ['proposal'], debounceMs: AFTER_VIEW_MS });
  const alerts = useQuery('audit alerts', {}, { on: ['alert', 'mutation'], debounceMs: AFTER_VIEW_MS });
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
