import path from 'node:path';
import type { World, Notice } from '../../compile/world.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import { scanFiles } from '../../retrieve/settings.ts';
import type { TopicSource } from '../../topics/port.ts';
import type { OperationContext } from '../context.ts';
import { OutsideLines } from './outside-lines.ts';
import { pendingLines, isCriticalChange, readAcknowledgements } from '../../audit/acknowledgement.ts';
import { nameOfActor, roleOf } from '../../model/mutation.ts';
import { isTrustedAtLeast, type Scope } from '../../model/provenance.ts';
import { shorten } from '../../model/text.ts';
import {
  type NumberedProposal,
  PENDING_MEMORIES,
  quoteInline,
  statusOf,
} from '../../proposals/agents/pending-memories.ts';
import type { Proposal } from '../../proposals/proposal.ts';
import { numberedProposals, visibleProposals } from '../proposals/find.ts';

/** The home as it is. */
export async function openWorld(context: OperationContext): Promise<World> {
  const { homeIndex, search, config, layout, chunkContext, clock, parts } = context;
  const { index, models, notes } = await homeIndex.prepare();
  const procedures = await parts.procedures();
  const outside = new OutsideLines(context);
  return {
    nowMs: clock.now(),
    index: index ?? (await scanFiles(homeIndex.files, chunkContext)),
    search,
    config,
    layout,
    isPast: false,
    models,
    readFile: async (path) => {
      const text = homeIndex.files.read({ source: 'workspace', path })?.text;
      return text === undefined ? undefined : outside.mark(path, text);
    },
    listActiveEntities: () => parts.activeEntities.list(),
    listProcedures: () => procedures.all(),
    topics: watchersOf(context),
    listNotices: (scope) => listNotices(context, scope),
    notes,
  };
}

/** Where topics may stand. */
const TOPIC_FOLDERS = ['topics', 'memory/scopes'];

/** Loaded only in a home that has topics: a hook has no time for watchers that watch nothing. */
function watchersOf(context: OperationContext): TopicSource | undefined {
  const { root } = context.workspace;
  const hasSome = TOPIC_FOLDERS.some((folder) => nodeFileSystem.list(path.join(root, folder)).length > 0);
  if (!hasSome) return undefined;
  return {
    activeTopics: async (request) => (await context.parts.topics()).topics.activeTopics(request),
  };
}

/** A person reads a handful; the rest is a number. */
const MAX_LISTED = 5;
const AUDIT_LOG = 'memory/meta/audit.log';

/**
 * Lists what needs a person, from files alone: an agent that starts must not wait for git. Changes of critical files that
 * nobody answered for, then proposals.
 */
export async function listNotices(context: OperationContext, scope: Scope): Promise<readonly Notice[]> {
  return [...(await alertNotices(context)), ...agentNotices(context, scope), ...proposalNotices(context, scope)];
}

async function alertNotices({ audit, checksums, config }: OperationContext): Promise<Notice[]> {
  if (!config.alerts.enabled || !config.alerts.at_session_start) return [];
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

/** Proposals of a private scope are told only there. */
function isToldIn(scope: Scope): (proposal: Proposal) => boolean {
  return ({ scope: owner = 'shared' }) => owner === 'shared' || owner === scope;
}

/** The memories that sub-agents proposed, for the batch review at a session's start (S4 §13.4). */
function agentNotices(context: OperationContext, scope: Scope): Notice[] {
  const { review } = context.config.agents;
  const waiting = numberedProposals(context).filter(
    ({ proposal }) => isToldIn(scope)(proposal) && proposal.state === 'pending',
  );
  if (waiting.length === 0) return [];
  const contested = waiting.filter(({ against, denies }) => against.length > 0 || denies.length > 0).length;
  const who = review === 'manual' ? 'Tell the user' : 'Review them now';
  const marks = contested === 0 ? '' : `, ${contested} of them contradicted`;
  const head = {
    id: 'agents',
    path: PENDING_MEMORIES,
    text: `${waiting.length} memor${waiting.length === 1 ? 'y' : 'ies'} proposed by sub-agents wait${marks}. ${who}: \`mneme agents review\`.`,
  };
  return [head, ...waiting.slice(0, MAX_LISTED).map(agentNotice)];
}

function agentNotice(numbered: NumberedProposal): Notice {
  const { id, actor, statement, title, confidence = 'unknown', trust } = numbered.proposal;
  // Content from outside is shown on request, never injected.
  const said = isTrustedAtLeast(trust, 'agent') ? (statement?.content ?? title) : `something from ${trust} sources`;
  const text = `${nameOfActor(actor)} proposes (${confidence} confidence, ${statusOf(numbered)}): ${shorten(said)} (${id})`;
  return { id, path: PENDING_MEMORIES, text: quoteInline(text), trust };
}

function proposalNotices(context: OperationContext, scope: Scope): Notice[] {
  const { proposals: all } = context.proposals.list({ state: ['pending', 'stale'] });
  const isBatched = ({ actor, state }: Proposal): boolean => roleOf(actor) === 'subagent' && state === 'pending';
  const waiting = visibleProposals(context, all).filter(
    (proposal) => isToldIn(scope)(proposal) && !isBatched(proposal),
  );
  const listed = waiting.slice(0, MAX_LISTED).map((proposal) => ({
    id: proposal.id,
    path: context.proposals.pathOf(proposal.id),
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
