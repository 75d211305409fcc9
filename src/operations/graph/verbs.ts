import type { z } from 'zod';
import type { OperationContext } from '../context.ts';
import { runOperation, type Operation } from '../operation.ts';
import type { GraphAdded, GraphAddInput } from './add.ts';
import type { AliasResult, GraphAliasInput } from './alias.ts';
import type { ContradictionReport, GraphContradictionsInput } from './contradictions.ts';
import type { DuplicateReport, GraphDuplicatesInput } from './duplicates.ts';
import type { GraphExport, GraphExportInput } from './export.ts';
import type { FactResult, GraphFactInput } from './fact.ts';
import type { GraphIndexed, GraphIndexInput } from './index-file.ts';
import type { GraphInferInput, Inferred } from './infer.ts';
import type { GraphLinkInput, GraphUnlinkInput, LinkResult, UnlinkResult } from './link.ts';
import type { EntityList, GraphListInput } from './list.ts';
import type { GraphMergeInput, GraphSplitInput, MergeProposed, SplitProposed } from './merge.ts';
import type { GraphQueryInput, QueryResult } from './query.ts';
import type { GraphRenameInput, RenameResult } from './rename.ts';
import type { GraphSet, GraphSetInput } from './set.ts';
import type { GraphShowInput, ShownEntity } from './show.ts';
import type { GraphDecisionInput, GraphTaskInput, ItemResult } from './tasks.ts';
import type { GraphTimelineInput, Timeline } from './timeline.ts';
import type { GraphVerifyInput, Verification } from './verify.ts';
import type { FoundPath, GraphNeighboursInput, GraphPathInput, Neighbours } from './walk.ts';

/** Rejects when the home was closed; undefined while it is open. */
type AssertOpen = () => Promise<never> | undefined;

/** People, projects, things, as the library offers them: `m.graph.add({ name, type })`. */
export class GraphVerbs {
  readonly #context: OperationContext;
  readonly #assertOpen: AssertOpen;

  constructor(context: OperationContext, assertOpen: AssertOpen) {
    this.#context = context;
    this.#assertOpen = assertOpen;
  }

  add(input: GraphAddInput): Promise<GraphAdded> {
    return this.#run(async () => (await import('./add.ts')).graphAdd, input);
  }

  set(input: GraphSetInput): Promise<GraphSet> {
    return this.#run(async () => (await import('./set.ts')).graphSet, input);
  }

  fact(entity: string, text: string, options: Omit<GraphFactInput, 'entity' | 'text'> = {}): Promise<FactResult> {
    return this.#run(async () => (await import('./fact.ts')).graphFact, { ...options, entity, text });
  }

  task(entity: string, options: Omit<GraphTaskInput, 'entity'>): Promise<ItemResult> {
    return this.#run(async () => (await import('./tasks.ts')).graphTask, { ...options, entity });
  }

  decision(entity: string, options: Omit<GraphDecisionInput, 'entity'>): Promise<ItemResult> {
    return this.#run(async () => (await import('./tasks.ts')).graphDecision, { ...options, entity });
  }

  alias(entity: string, alias: string, options: Omit<GraphAliasInput, 'entity' | 'alias'> = {}): Promise<AliasResult> {
    return this.#run(async () => (await import('./alias.ts')).graphAlias, { ...options, entity, alias });
  }

  link(from: string, relation: string, to: string, options: LinkOptions = {}): Promise<LinkResult> {
    return this.#run(async () => (await import('./link.ts')).graphLink, { ...options, from, relation, to });
  }

  unlink(from: string, to: string, options: Omit<GraphUnlinkInput, 'from' | 'to'> = {}): Promise<UnlinkResult> {
    return this.#run(async () => (await import('./link.ts')).graphUnlink, { ...options, from, to });
  }

  /** Every link in the workspace follows. */
  rename(entity: string, name: string, options: Omit<GraphRenameInput, 'entity' | 'name'> = {}): Promise<RenameResult> {
    return this.#run(async () => (await import('./rename.ts')).graphRename, { ...options, entity, name });
  }

  /** Files a proposal; nothing changes before it is approved. */
  merge(from: string, into: string, options: Omit<GraphMergeInput, 'from' | 'into'> = {}): Promise<MergeProposed> {
    return this.#run(async () => (await import('./merge.ts')).graphMerge, { ...options, from, into });
  }

  /** Files a proposal; nothing changes before it is approved. */
  split(input: GraphSplitInput): Promise<SplitProposed> {
    return this.#run(async () => (await import('./merge.ts')).graphSplit, input);
  }

  show(entity: string, options: Omit<GraphShowInput, 'entity'> = {}): Promise<ShownEntity> {
    return this.#run(async () => (await import('./show.ts')).graphShow, { ...options, entity });
  }

  list(input: GraphListInput = {}): Promise<EntityList> {
    return this.#run(async () => (await import('./list.ts')).graphList, input);
  }

  neighbours(entity: string, options: Omit<GraphNeighboursInput, 'entity'> = {}): Promise<Neighbours> {
    return this.#run(async () => (await import('./walk.ts')).graphNeighbours, { ...options, entity });
  }

  path(from: string, to: string, options: Omit<GraphPathInput, 'from' | 'to'> = {}): Promise<FoundPath> {
    return this.#run(async () => (await import('./walk.ts')).graphPath, { ...options, from, to });
  }

  timeline(entity: string, options: Omit<GraphTimelineInput, 'entity'> = {}): Promise<Timeline> {
    return this.#run(async () => (await import('./timeline.ts')).graphTimeline, { ...options, entity });
  }

  query(input: GraphQueryInput): Promise<QueryResult> {
    return this.#run(async () => (await import('./query.ts')).graphQuery, input);
  }

  infer(input: GraphInferInput = {}): Promise<Inferred> {
    return this.#run(async () => (await import('./infer.ts')).graphInfer, input);
  }

  verify(id: string, options: Omit<GraphVerifyInput, 'id'> = {}): Promise<Verification> {
    return this.#run(async () => (await import('./verify.ts')).graphVerify, { ...options, id });
  }

  contradictions(input: GraphContradictionsInput = {}): Promise<ContradictionReport> {
    return this.#run(async () => (await import('./contradictions.ts')).graphContradictions, input);
  }

  duplicates(input: GraphDuplicatesInput = {}): Promise<DuplicateReport> {
    return this.#run(async () => (await import('./duplicates.ts')).graphDuplicates, input);
  }

  /** Writes memory/graph/index.md anew. */
  index(input: GraphIndexInput = {}): Promise<GraphIndexed> {
    return this.#run(async () => (await import('./index-file.ts')).graphIndex, input);
  }

  export(input: GraphExportInput = {}): Promise<GraphExport> {
    return this.#run(async () => (await import('./export.ts')).graphExport, input);
  }

  async #run<Input extends z.ZodType, Output>(
    load: () => Promise<Operation<Input, Output>>,
    input: z.input<Input>,
  ): Promise<Output> {
    await this.#assertOpen();
    return runOperation(await load(), this.#context, input);
  }
}

type LinkOptions = Omit<GraphLinkInput, 'from' | 'relation' | 'to'>;
