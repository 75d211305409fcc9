import { hash } from 'node:crypto';
import path from 'node:path';
import { z } from 'zod';
import { MnemeError } from '../../model/errors.ts';
import { roleOf } from '../../model/mutation.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import { parseEpisodes } from '../../workspace/formats/episode.ts';
import { parseTranscript } from '../../workspace/formats/transcript.ts';
import { parseDocument } from '../../workspace/markdown/document.ts';
import { plainName, readPacked } from '../../workspace/packed.ts';
import { type Attempt, attemptsInEpisodes } from '../../memory/procedures/learn/attempts.ts';
import { draftProcedure, type LearnedDraft } from '../../memory/procedures/learn/draft.ts';
import { attemptsOf } from '../../memory/procedures/learn/signs.ts';
import { findSequences } from '../../memory/procedures/learn/sequences.ts';
import type { Proposed } from '../../proposals/request.ts';
import type { OperationContext } from '../context.ts';
import { defineVerb } from '../verb.ts';

/** Conversations in which the same steps went well: twice is chance. */
const LEARN_MIN_REPEATS = 3;

const input = z.object({
  dryRun: z.boolean().default(false).describe('Show what could be learned and propose nothing.'),
  minRepeats: z.number().int().min(2).optional().describe('Conversations it has to go well in; 3 when not given.'),
  limit: z.number().int().min(1).default(10).describe('Proposals at most; the best supported first.'),
});

export type LearnInput = z.input<typeof input>;

export interface LearnControls {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: { readonly done: number; readonly total: number }) => void) | undefined;
}

export interface LearnedProcedure extends Omit<LearnedDraft, 'signs'> {
  readonly path: string;
  readonly proposal: string | null;
  /** `known`: a procedure of that sort is there already. */
  readonly outcome: Proposed['outcome'] | 'known' | 'not-proposed';
}

export interface LearnResult {
  readonly learned: readonly LearnedProcedure[];
  /** Requests with several steps that were looked at. */
  readonly attempts: number;
  readonly wentWell: number;
  readonly isDryRun: boolean;
}

export const learnProcedures = defineVerb({
  name: 'procedure learn',
  summary: 'Propose procedures from what went well several times.',
  description: 'Propose procedures from what went well several times. Nothing changes before somebody approves.',
  examples: ['mneme procedure learn --dry-run'],
  input,
  effect: 'write',
  withoutLease: 'proposes',
  run: (context, given, controls?: LearnControls): Promise<LearnResult> => learn(context, given, controls),
  http: { isLong: true },
  library: { name: 'procedures.learn' },
  cli: {
    controls: ({ signal, report }) => ({
      signal,
      onProgress: ({ done, total }) => report(`reading conversations: ${done} of ${total}`),
    }),
  },
  render: async ({ style }, output) => (await import('./render-proposals.ts')).renderLearned(style, output),
});

async function learn(
  context: OperationContext,
  given: z.output<typeof input>,
  controls?: LearnControls,
): Promise<LearnResult> {
  const attempts = await readAttempts(context, controls);
  const minRepeats = given.minRepeats ?? LEARN_MIN_REPEATS;
  const drafts = findSequences(attempts, minRepeats)
    .map(draftProcedure)
    .sort((left, right) => right.learnedFrom.length - left.learnedFrom.length || right.steps.length - left.steps.length)
    .slice(0, given.limit);
  const learned: LearnedProcedure[] = [];
  for (const draft of drafts) learned.push(await proposeDraft(context, draft, given.dryRun));
  return {
    learned,
    attempts: attempts.length,
    wentWell: attempts.filter(({ wentWell }) => wentWell).length,
    isDryRun: given.dryRun,
  };
}

async function readAttempts(context: OperationContext, { signal, onProgress }: LearnControls = {}): Promise<Attempt[]> {
  const { repositories } = context.workspace.paths;
  const transcripts = path.join(repositories.raw.workTree, 'conversations');
  const episodes = path.join(repositories.workspace.workTree, 'memory', 'episodes');
  const files = [transcripts, episodes].flatMap((folder) =>
    nodeFileSystem
      .listFiles(folder)
      .filter((file) => plainName(file).endsWith('.md'))
      .sort()
      .map((file) => ({ isEpisode: folder === episodes, full: path.join(folder, file) })),
  );
  const attempts: Attempt[] = [];
  for (const [done, { isEpisode, full }] of files.entries()) {
    if (signal?.aborted === true) throw stopped();
    onProgress?.({ done, total: files.length });
    const document = parseDocument(readPacked(nodeFileSystem, full)?.toString('utf8') ?? '');
    attempts.push(
      ...(isEpisode ? attemptsInEpisodes(parseEpisodes(document), full) : attemptsOf(parseTranscript(document))),
    );
    // Years of conversations: whoever waits for a timer or a key press should not wait for all of them.
    if (done % 50 === 49) await new Promise((resolve) => setImmediate(resolve));
  }
  return attempts;
}

function stopped(): MnemeError {
  return new MnemeError('failure', 'Stopped before every conversation was read.', {
    hint: 'Nothing was proposed; `mneme procedure learn` begins again.',
  });
}

async function proposeDraft(
  context: OperationContext,
  draft: LearnedDraft,
  isDryRun: boolean,
): Promise<LearnedProcedure> {
  const { store } = await context.parts.workflows();
  const { signs, ...shown } = draft;
  const known = store.findCalled(draft.name);
  if (known !== undefined) return { ...shown, path: known.path, proposal: null, outcome: 'known' };
  const plan = store.planAdd({ ...draft, tags: ['learned'] });
  const about = { ...shown, path: plan.path };
  const signature = `seq:${hash('sha256', signs.join('\n')).slice(0, 16)}`;
  const earlier = context.proposals
    .list({ kind: 'procedure' })
    .proposals.find(({ trigger = '' }) => trigger.endsWith(signature));
  if (earlier !== undefined && earlier.state !== 'withdrawn') {
    const outcome =
      earlier.state === 'rejected' ? 'rejected-before' : earlier.state === 'applied' ? 'known' : 'already-open';
    return { ...about, proposal: earlier.id, outcome };
  }
  if (isDryRun) return { ...about, proposal: null, outcome: 'not-proposed' };
  const change = plan.changes[0];
  const after = change !== undefined && 'edit' in change ? change.edit(undefined) : undefined;
  const { id, outcome } = await context.proposals.propose({
    kind: 'procedure',
    title: `Learn "${draft.name}"`,
    why: `The same ${draft.steps.length} steps went well in ${draft.learnedFrom.length} conversations.`,
    evidence: draft.learnedFrom,
    // A person who asks what could be learned has not written it: they decide.
    actor: roleOf(context.actor) === 'human' ? 'bot:procedures' : context.actor,
    trust: draft.trust,
    confidence: draft.confidence,
    trigger: `procedure learn ${signature}`,
    changes: [{ path: plan.path, after }],
  });
  return { ...about, proposal: id, outcome };
}
