import { pendingLines, isCriticalChange, readAcknowledgements } from '../../audit/acknowledgement.ts';
import type { Notice } from '../../compile/world.ts';
import { proposalPath } from '../../proposals/proposal.ts';
import type { OperationContext } from '../context.ts';

/** A person reads a handful; the rest is a number. */
const MAX_LISTED = 5;
const AUDIT_LOG = 'memory/meta/audit.log';

/**
 * What waits for a person, from files alone: an agent that starts must not wait for git. Changes of critical files that
 * nobody answered for, then proposals.
 */
export async function listNotices(context: OperationContext): Promise<readonly Notice[]> {
  return [...(await alertNotices(context)), ...proposalNotices(context)];
}

async function alertNotices({ audit, checksums }: OperationContext): Promise<Notice[]> {
  const lines = audit.lines();
  const waiting = pendingLines(lines).filter(isCriticalChange);
  const { mismatches } = await checksums.compare(readAcknowledgements(lines));
  const byPath = new Map(
    waiting.map(({ file, actor }) => [file, `${actor} changed ${file} and nobody has confirmed it`]),
  );
  for (const { path } of mismatches) {
    if (!byPath.has(path)) byPath.set(path, `${path} differs from its last confirmed state`);
  }
  return [...byPath].map(([path, what]) => ({
    id: `alert:${path}`,
    // Where the notice stands; the file itself may be told whole, and would seem to say this already.
    path: AUDIT_LOG,
    text: `Alert: ${what}. Tell the user; \`mneme audit\` shows it.`,
  }));
}

function proposalNotices({ proposals }: OperationContext): Notice[] {
  const { proposals: waiting } = proposals.list({ state: ['pending', 'stale'] });
  const listed = waiting.slice(0, MAX_LISTED).map((proposal) => ({
    id: proposal.id,
    path: proposalPath(proposal.id),
    text: `Waiting for approval: ${proposal.title} (${proposal.kind} from ${proposal.actor}, \`mneme approve ${proposal.id}\`)`,
  }));
  const more = waiting.length - listed.length;
  const rest = {
    id: 'proposals',
    path: 'memory/meta/proposals',
    text: `${more} more proposals wait: \`mneme proposals\``,
  };
  return more > 0 ? [...listed, rest] : listed;
}
