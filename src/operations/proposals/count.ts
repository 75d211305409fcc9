import { z } from 'zod';
import { countOf } from '../command-line/plain.ts';
import type { OperationContext } from '../context.ts';
import { defineVerb } from '../verb.ts';
import { visibleTo } from '../visible-to.ts';
import { visibleProposals } from './find.ts';

export interface WaitingDecisions {
  readonly proposals: number;
  /** Changes of critical files that nobody has answered for. */
  readonly alerts: number;
  /** Files were edited outside Mneme, and nobody has said by whom: one question, however many there are. */
  readonly hasOutsideEdits: boolean;
}

/** Lists of thousands take seconds and megabytes; a number beside a menu needs neither. */
export const countProposals = defineVerb({
  name: 'proposals count',
  summary: 'Count what waits for a decision: proposals, alerts, and edits made outside Mneme.',
  examples: ['mneme proposals count'],
  input: z.strictObject({}),
  effect: 'read',
  reach: 'filtered',
  async run(context): Promise<WaitingDecisions> {
    const { proposals } = context.proposals.list({ state: ['pending', 'deferred', 'stale'] });
    return { proposals: visibleProposals(context, proposals).length, ...(await countAlerts(context)) };
  },
  render: (_view, { proposals, alerts, hasOutsideEdits }) =>
    `${countOf(proposals, 'proposal')}, ${countOf(alerts, 'alert')}${hasOutsideEdits ? ', edits from outside' : ''}\n`,
});

/** Alerts are for who sees the whole memory. */
async function countAlerts(context: OperationContext): Promise<Omit<WaitingDecisions, 'proposals'>> {
  if (!visibleTo(context).seesHome) return { alerts: 0, hasOutsideEdits: false };
  return context.alerts.counted();
}
