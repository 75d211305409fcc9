import type { StoreParts } from '../memory/stores/plan.ts';
import type { Config } from '../model/config/schema.ts';
import type { Actor } from '../model/mutation.ts';
import type { Scope } from '../model/provenance.ts';
import type { Clock } from '../platform/clock.ts';
import type { Random } from '../platform/random.ts';
import type { Alerts } from '../audit/alerts.ts';
import type { CriticalChecksums } from '../audit/checksums.ts';
import type { AuditTrail } from '../audit/trail.ts';
import type { ChainRecorder } from '../chain/record/recorder.ts';
import type { Proposals } from '../proposals/proposals.ts';
import type { Layout } from '../workspace/formats/layout.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { AccessLog } from '../memory/decay/access-log.ts';
import type { Actions } from '../memory/procedures/workflow/actions.ts';
import type { EntityRegistry } from '../memory/stores/registry/registry.ts';
import type { Extractor } from '../extract/extractors.ts';
import type { MemorySearch } from '../retrieve/search.ts';
import type { ChunkContext } from '../search-index/chunk/draft.ts';
import type { HomeIndex } from '../search-index/home-index.ts';
import type { WriteQueue } from '../workspace/write-queue.ts';
import type { BackgroundWorker } from './background/background-worker.ts';
import type { HomeParts } from './home-parts.ts';
import type { WriterGate } from './writer-gate.ts';

/** A second home beside the open one, such as the copy a reconstruction works on. */
export interface AnotherHome {
  readonly home: string;
  readonly config: Config;
  readonly layout: Layout;
}

export interface OpenedHome {
  readonly context: OperationContext;
  close(): Promise<void>;
}

/** Given by the composition root: verbs cannot put a home together themselves. */
type OpenAnother = (another: AnotherHome) => Promise<OpenedHome>;

/** An open home, as every verb sees it. A copy with another actor or scope is the same home for another caller. */
export interface OperationContext {
  readonly home: string;
  readonly config: Config;
  readonly layout: Layout;
  readonly workspace: Workspace;
  /** For writes that may wait; `workspace.commit` is for those that may not. */
  readonly writes: WriteQueue;
  readonly proposals: Proposals;
  readonly audit: AuditTrail;
  readonly alerts: Alerts;
  readonly checksums: CriticalChecksums;
  /** The provable history: notes what is to be entered, and enters it later. */
  readonly chain: ChainRecorder;
  /** The derived index, and the search over it. */
  readonly homeIndex: HomeIndex;
  readonly search: MemorySearch;
  readonly access: AccessLog;
  /** Everybody and everything the memory has a file for. */
  readonly entities: EntityRegistry;
  /** Extractors that the host brought along. */
  readonly extractors: readonly Extractor[];
  /** The actions workflows may use: the built-in ones, and those that the host registered. */
  readonly actions: Actions;
  readonly chunkContext: ChunkContext;
  /** Parts that only some verbs need: opened on first use. */
  readonly parts: HomeParts;
  readonly clock: Clock;
  readonly random: Random;
  /** On whose behalf; the CLI's `--as`. */
  readonly actor: Actor;
  /** The one private scope that whoever asks is bound to; `visible-to.ts` says what that means. */
  readonly confinedTo?: Scope | undefined;
  /** Where machines share a memory and one of them writes: whether it is this one. Absent where everybody writes. */
  readonly writer?: WriterGate | undefined;
  /** Does background work for this process: another one, or a part of it. Absent where nobody does. */
  readonly worker?: BackgroundWorker | undefined;
  /** Opens a second home beside this one, with the same clock and the same plug-ins. */
  readonly openAnother: OpenAnother;
  /** Things found while opening that a person should hear of (a broken mneme.yaml, an edit kept out of history). */
  readonly notices: readonly string[];
}

/** The parts that every store of an open home plans with. */
export function storePartsOf({
  workspace,
  clock,
  random,
  config,
}: Pick<OperationContext, 'workspace' | 'clock' | 'random' | 'config'>): StoreParts {
  return { root: workspace.root, clock, random, timeZone: config.time_zone };
}
