import { heldDecisions } from './later.ts';
import { useQuery } from './query.ts';

/** The page asks first for the thing it is opened for. */
const AFTER_VIEW_MS = 700;

/** The number of decisions pending in the inbox. */
export function useWaiting(): number {
  const { data } = useQuery(
    'proposals count',
    {},
    { on: ['proposal', 'alert', 'mutation'], debounceMs: AFTER_VIEW_MS },
  );
  if (data === undefined) return 0;
  const { proposals, alerts, hasOutsideEdits } = data;
  return Math.max(0, proposals + alerts + Number(hasOutsideEdits) - heldDecisions.value);
}
