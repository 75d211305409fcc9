import fs from 'node:fs';
import path from 'node:path';
import type { Alert, ExternalEdit } from '../audit/alerts.ts';
import { readRepositoryState } from '../workspace/git/drain.ts';
import { coreUsage } from '../workspace/formats/core.ts';
import { parseDocument } from '../workspace/markdown/document.ts';
import { decodeText } from '../workspace/safety/limits.ts';
import { nodeFileSystem } from '../platform/fs.ts';
import { z } from 'zod';
import { describeBackground, type BackgroundStatus } from './background/describe.ts';
import { type IndexSummary, readIndexSummary, standingNotices } from './index-summary.ts';
import { countWaiting, type WaitingConversations } from './extract/waiting.ts';
import { visibleProposals } from './proposals/find.ts';
import { describeErasedRemotes } from './forget/unfinished.ts';
import type { OperationContext } from './context.ts';
import { defineVerb } from './verb.ts';
import { hideForeignItems, seesFile, visibleTo } from './visible-to.ts';

export interface Status {
  readonly home: string;
  readonly workspace: { readonly path: string; readonly layout: string; readonly files: number };
  readonly git: {
    readonly branch: string | null;
    readonly lastCommit: string | null;
    /** Why acknowledged changes are not in git yet; empty when it is in step. */
    readonly waiting: readonly string[];
  };
  /** The fill level of MEMORY.md; null when there is none. */
  readonly core: CoreStatus | null;
  readonly index: IndexSummary;
  /** Conversations that nothing was learned from yet: recorded here, and imported. */
  readonly waiting: WaitingConversations;
  /** Open sessions of which nothing is kept. */
  readonly privateSessions: readonly string[];
  /** Background learning and embedding: the progress, and the time the rest takes. */
  readonly background: BackgroundStatus;
  readonly alerts: readonly Alert[];
  /** Edits that did not come through Mneme and that nobody has answered for. */
  readonly externalEdits: readonly ExternalEdit[];
  readonly proposals: readonly {
    readonly id: string;
    readonly kind: string;
    readonly title: string;
    readonly from: string;
  }[];
  readonly notices: readonly string[];
}

export interface CoreStatus {
  readonly tokens: number;
  readonly maxTokens: number;
  readonly lines: number;
  readonly maxLines: number;
  /** The fuller of the two: 1 is exactly full. */
  readonly share: number;
}

export const status = defineVerb({
  name: 'status',
  summary: 'Show what there is, what waits for you, and what needs attention.',
  examples: ['mneme status', 'mneme status --json'],
  input: z.object({}),
  effect: 'read',
  reach: 'filtered',
  async run(context): Promise<Status> {
    const { workspace } = context;
    const { postponed } = await workspace.drain();
    if (postponed.length === 0) await context.audit.sync();
    const git = workspace.git.workspace;
    const state = await readRepositoryState(git);
    const tracked = await git.fields(['ls-files', '-z']);
    const pending = context.proposals.list({ state: ['pending', 'deferred', 'stale'] });
    const { seesHome } = visibleTo(context);
    const reported = await context.alerts.reported();
    const whole = { index: await readIndexSummary(context), waiting: countWaiting(context) };
    const { index, waiting } = seesHome ? whole : withoutCounts(whole);
    const sessions = context.parts.sessions();
    // Where things lie on this machine, and what is wrong with them, is for who looks after it.
    const placeOf = (full: string): string => (seesHome ? full : path.basename(full));
    return {
      home: placeOf(context.home),
      workspace: {
        path: placeOf(workspace.root),
        layout: context.layout.name,
        files: tracked.filter((file) => seesFile(context, file)).length,
      },
      git: {
        branch: state.branch?.replace('refs/heads/', '') ?? null,
        lastCommit: seesHome ? (state.tip ?? null) : null,
        waiting: postponed,
      },
      core: readCore(context),
      index,
      waiting,
      privateSessions: seesHome ? sessions.list().filter((session) => sessions.isPrivate(session)) : [],
      background: await describeBackground(context, waiting, index),
      alerts: reported.alerts.filter(({ path: file }) => seesFile(context, file)),
      externalEdits: reported.externalEdits.filter(({ path: file }) => seesFile(context, file)),
      proposals: visibleProposals(context, pending.proposals).map(({ id, kind, title, actor }) => ({
        id,
        kind,
        title,
        from: actor,
      })),
      notices: seesHome
        ? [
            ...standingNotices(context),
            ...(await describeErasedRemotes(workspace)).map(({ message, hint }) => `${message} ${hint}`),
            ...pending.problems.map((problem) => problem.message),
            ...foreignLock(path.join(git.location.gitDir, 'index.lock')),
          ]
        : ['How much there is of everything is told to those who see the whole memory.'],
    };
  },
  cli: { section: 'everyday', notes: ({ notices }) => notices },
  render: async (view, result) => (await import('./render-status.ts')).renderStatus(view, result),
});

/** Counts are removed: the sums would reveal how much other scopes remember. */
function withoutCounts({ index }: { readonly index: IndexSummary }): {
  readonly index: IndexSummary;
  readonly waiting: WaitingConversations;
} {
  return {
    index: { ...index, passages: 0, documents: 0, bytes: 0, models: [] },
    waiting: { own: 0, imported: 0 },
  };
}

function readCore(context: OperationContext): CoreStatus | null {
  const caps = context.config.core;
  const bytes = nodeFileSystem.read(path.join(context.workspace.root, 'MEMORY.md'));
  const decoded = bytes === undefined ? undefined : decodeText(bytes);
  if (decoded?.kind !== 'text') return null;
  const { tokens, lines, share } = coreUsage(parseDocument(hideForeignItems(visibleTo(context), decoded.text)), caps);
  return { tokens, maxTokens: caps.max_tokens, lines, maxLines: caps.max_lines, share };
}

function foreignLock(lock: string): string[] {
  return fs.existsSync(lock) ? [`A git command holds ${lock}; if none is running, remove that file.`] : [];
}
