import { briefing } from '../../../operations/briefing.ts';
import { diffBriefings, showReceipt } from '../../../operations/briefing/receipts.ts';
import { listReceipts } from '../../../operations/browse/receipts.ts';
import { compact } from '../../../operations/compact.ts';
import { why } from '../../../operations/why.ts';
import { route } from '../route.ts';

/** What is remembered: written, found, told, faded, put away. */
export const MEMORY_ROUTES = {
  why: route(why),
  context: route(briefing, { method: 'POST' }),
  'context list': route(listReceipts),
  'context show': route(showReceipt),
  'context diff': route(diffBriefings, { method: 'POST' }),
  compact: route(compact, { isLong: true }),
};
