import { isMnemeError } from '../model/errors.ts';
import type { OperationContext } from './context.ts';
import { describeUnfinished } from './forget/unfinished.ts';

/** The index in short, without opening a model: `status` must not wait for one. */
export interface IndexSummary {
  readonly passages: number;
  readonly documents: number;
  readonly bytes: number;
  /** Models that vectors were made with, and for which share of the passages. */
  readonly models: readonly { readonly model: string; readonly coverage: number }[];
  /** The provider set in the configuration. */
  readonly provider: string;
  /** Whether everything acknowledged is in it; otherwise the next question brings it up to date. */
  readonly isFresh: boolean;
  /** Why it may lack something; null when it does not. */
  readonly dirty: string | null;
  /** Why this machine's own index answers in place of the shared one; null when it does not. */
  readonly standIn: string | null;
  /** Why it cannot be used; null when it can. */
  readonly problem: string | null;
}

export async function readIndexSummary({ homeIndex, config }: OperationContext): Promise<IndexSummary> {
  const { provider } = config.embedding;
  try {
    const { passages, documents, bytes, models } = await homeIndex.status();
    const { dirty } = await homeIndex.readState();
    return {
      passages,
      documents,
      bytes,
      models: models.map(({ model, vectors }) => ({ model, coverage: passages === 0 ? 1 : vectors / passages })),
      provider,
      isFresh: await homeIndex.isFresh(),
      dirty: dirty ?? null,
      standIn: homeIndex.standInReason ?? null,
      problem: null,
    };
  } catch (error) {
    // The index can be made again at any time; that it is broken is news, not a reason to say nothing else.
    if (!isMnemeError(error)) throw error;
    const nothing = {
      passages: 0,
      documents: 0,
      bytes: 0,
      models: [],
      provider,
      isFresh: false,
      dirty: null,
      standIn: null,
    };
    return { ...nothing, problem: error.message };
  }
}

/** Everything a person should hear of, also what an earlier command has told already: opening tells news only. */
export function standingNotices({ notices, workspace }: Pick<OperationContext, 'notices' | 'workspace'>): string[] {
  const unfinished = describeUnfinished(workspace.paths.journal).map(({ message, hint }) => `${message} ${hint}`);
  return [...new Set([...notices, ...workspace.keptOut(), ...unfinished])];
}
