import { ackAudit, pruneAudit, queryAudit, rebuildAudit } from '../../../operations/audit.ts';
import { listAlerts } from '../../../operations/browse/alerts.ts';
import { addProposal } from '../../../operations/proposals/add.ts';
import {
  approve,
  deferProposal,
  rebaseProposal,
  reject,
  withdrawProposal,
} from '../../../operations/proposals/approve.ts';
import { listProposals, showProposal } from '../../../operations/proposals/show.ts';
import { rollback } from '../../../operations/rollback.ts';
import { route } from '../route.ts';

/** What waits for a decision, what was changed by whom, and how to take it back. */
export const REVIEW_ROUTES = {
  'proposals list': route(listProposals),
  'proposals show': route(showProposal),
  'proposals add': route(addProposal),
  'proposals defer': route(deferProposal),
  'proposals withdraw': route(withdrawProposal),
  'proposals rebase': route(rebaseProposal),
  approve: route(approve),
  reject: route(reject),
  audit: route(queryAudit),
  'audit alerts': route(listAlerts),
  'audit ack': route(ackAudit),
  'audit rebuild': route(rebuildAudit, { isLong: true }),
  'audit prune': route(pruneAudit, { isLong: true }),
  rollback: route(rollback, { isLong: true }),
};
