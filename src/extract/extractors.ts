import { EXTRACTOR_OF_KIND, type Candidate, type KnowledgeKind } from '../model/knowledge.ts';
import type { AskOptions, HeardConversation, Reasoner } from '../reasoner/port.ts';

/** The input of an extractor. */
export interface ExtractorTask {
  readonly conversation: HeardConversation;
  /** Turns before this one were processed before and are context only. */
  readonly fromTurn: string | undefined;
  readonly reasoner: Reasoner;
  readonly options: AskOptions;
}

export interface Found {
  readonly candidates: readonly Candidate[];
  /** The reasoner that judged, and notes to report with it. */
  readonly by: string;
  readonly notes: readonly string[];
}

/** Finds statements worth keeping; never writes. Its name and version stand beside everything it found. */
export interface Extractor {
  readonly name: string;
  readonly version: number;
  find(task: ExtractorTask): Promise<Found>;
}

/** The built-in extractors share one look at the conversation, so their versions move together with it. */
const BUILT_IN_VERSION = 1;

/** The diary entry of a session is no statement; it is made beside them. */
const JOURNAL_EXTRACTOR = 'journal';

export const EXTRACTOR_NAMES: readonly string[] = [...Object.values(EXTRACTOR_OF_KIND), JOURNAL_EXTRACTOR];

/** The built-in extractors that run. */
export interface Chosen {
  readonly kinds: readonly KnowledgeKind[];
  readonly hasJournal: boolean;
  readonly plugins: readonly Extractor[];
}

export function chooseExtractors(names: readonly string[] | undefined, plugins: readonly Extractor[]): Chosen {
  const isChosen = (name: string): boolean => names === undefined || names.includes(name);
  const kinds = Object.entries(EXTRACTOR_OF_KIND) as [KnowledgeKind, string][];
  return {
    kinds: kinds.filter(([, name]) => isChosen(name)).map(([kind]) => kind),
    hasJournal: isChosen(JOURNAL_EXTRACTOR),
    plugins: plugins.filter(({ name }) => isChosen(name)),
  };
}

/** `decisions@1`, as it stands beside what was found. */
export function builtInLabel(kind: KnowledgeKind): string {
  return `${EXTRACTOR_OF_KIND[kind]}@${BUILT_IN_VERSION}`;
}

/** A candidate with the extractor that found it. */
export interface Finding {
  readonly candidate: Candidate;
  readonly extractor: string;
  /** It takes something back and says nothing else: if that is not known, there is nothing to keep. */
  readonly isOnlyRetraction?: boolean | undefined;
}

export interface Findings {
  readonly findings: readonly Finding[];
  readonly by: string;
  readonly notes: readonly string[];
}

/** Runs all chosen extractors; a plug-in that fails loses its own findings and nothing else. */
export async function findAll(chosen: Chosen, task: ExtractorTask): Promise<Findings> {
  const { conversation, fromTurn, reasoner, options } = task;
  const own =
    chosen.kinds.length === 0
      ? { output: [], by: reasoner.name, notes: [] }
      : await reasoner.ask('extract', { conversation, kinds: chosen.kinds, fromTurn }, options);
  const findings: Finding[] = own.output.map((candidate) => ({ candidate, extractor: builtInLabel(candidate.kind) }));
  const notes = [...own.notes];
  for (const plugin of chosen.plugins) {
    const label = `${plugin.name}@${plugin.version}`;
    try {
      const found = await plugin.find(task);
      findings.push(...found.candidates.map((candidate) => ({ candidate, extractor: label })));
      notes.push(...found.notes);
    } catch (error) {
      if (options.signal?.aborted === true) throw error;
      notes.push(`The extractor ${label} failed: ${error instanceof Error ? error.message : String(error)}.`);
    }
  }
  return { findings, by: own.by, notes };
}
