import { costs } from '../../../operations/reasoner/costs.ts';
import { reasonerStatus } from '../../../operations/reasoner/reasoner-status.ts';
import { reasonerTry } from '../../../operations/reasoner/reasoner-try.ts';
import { route } from '../route.ts';

/** Whether everything is well, and what keeps it so. */
export const UPKEEP_ROUTES = {
  costs: route(costs),
  'reasoner status': route(reasonerStatus),
  'reasoner try': route(reasonerTry, { isLong: true }),
};
