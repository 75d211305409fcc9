import { UlidFactory } from '../model/ids.ts';
import { nodeFileSystem } from '../platform/fs.ts';
import { SettledFolders } from '../platform/settled-folders.ts';
import type { Procedures } from '../memory/procedures/procedures.ts';
import type { SyncOptions } from '../memory/stores/registry/registry.ts';
import { Sessions } from '../capture/sessions.ts';
import type { Stores } from '../extract/place.ts';
import { Learning } from './background/learning.ts';
import { ActiveEntities } from './briefing/active-entities.ts';
import { type OperationContext, storePartsOf } from './context.ts';
import type { OpenExtraction } from './extract/open-extraction.ts';
import { FinishedErasures } from './forget/plan-file.ts';
import type { OpenGraph } from './graph/open-graph.ts';
import type { Workflows } from './procedures/open-workflows.ts';
import { ActiveRuns } from './procedures/active-runs.ts';
import type { OpenTopics } from './topics/open-topics.ts';

/**
 * Parts of an open home that only some verbs need. Each is opened when it is first asked for, and once: contexts that
 * differ in who asks share them. What returns a promise is also loaded only then, because a hook has no time for it.
 */
export class HomeParts {
  /** Background learning from conversations that ended in this process. */
  readonly learning: Learning;
  /** The workflows that this process drives. */
  readonly runs = new ActiveRuns();
  readonly activeEntities: ActiveEntities;
  readonly finishedErasures = new FinishedErasures();
  /** For the nightly jobs of a process that stays: which folders of packed files it need not walk again. */
  readonly settledFolders = new SettledFolders();
  /** Ids of receipts: those of the same millisecond keep their order. */
  readonly receiptIds: UlidFactory;
  readonly #home: OperationContext;
  #sessions: Sessions | undefined;
  #graph: Promise<OpenGraph> | undefined;
  #topics: Promise<OpenTopics> | undefined;
  #procedures: Promise<Procedures> | undefined;
  #stores: Promise<Stores> | undefined;
  #workflows: Promise<Workflows> | undefined;
  #extraction: Promise<OpenExtraction> | undefined;

  constructor(home: Omit<OperationContext, 'parts'>) {
    this.#home = { ...home, parts: this };
    this.learning = new Learning(this.#home);
    this.activeEntities = new ActiveEntities(home);
    this.receiptIds = new UlidFactory((length) => home.random.bytes(length));
  }

  sessions(): Sessions {
    const { workspace, clock, random, config } = this.#home;
    this.#sessions ??= new Sessions({
      paths: workspace.paths,
      fs: nodeFileSystem,
      redactor: workspace.redactor,
      commit: (request) => workspace.commit(request),
      clock,
      random,
      timeZone: config.time_zone,
    });
    return this.#sessions;
  }

  /** In step with everything acknowledged, by whichever process; a report on the whole also looks at what never was. */
  async graph(options: SyncOptions = {}): Promise<OpenGraph> {
    this.#graph ??= import('./graph/open-graph.ts').then(({ openGraph }) => openGraph(this.#home));
    const open = await this.#graph;
    await open.graph.sync(options);
    return open;
  }

  topics(): Promise<OpenTopics> {
    this.#topics ??= import('./topics/open-topics.ts').then(({ openTopics }) => openTopics(this.#home));
    return this.#topics;
  }

  /** The files of procedures. */
  procedures(): Promise<Procedures> {
    this.#procedures ??= import('../memory/procedures/procedures.ts').then(
      ({ Procedures }) => new Procedures(storePartsOf(this.#home), this.#home.layout),
    );
    return this.#procedures;
  }

  /** The parts that plan changes to each store. */
  stores(): Promise<Stores> {
    this.#stores ??= Promise.all([import('./stores/open-stores.ts'), this.procedures()]).then(
      ([{ openStores }, procedures]) => openStores(this.#home, procedures),
    );
    return this.#stores;
  }

  /** The part that runs procedures. */
  workflows(): Promise<Workflows> {
    this.#workflows ??= Promise.all([import('./procedures/open-workflows.ts'), this.procedures()]).then(
      ([{ openWorkflows }, procedures]) => openWorkflows(this.#home, procedures),
    );
    return this.#workflows;
  }

  /** The part that turns conversations into knowledge. */
  extraction(): Promise<OpenExtraction> {
    this.#extraction ??= Promise.all([import('./extract/open-extraction.ts'), this.stores()]).then(
      ([{ openExtraction }, stores]) => openExtraction(this.#home, stores),
    );
    return this.#extraction;
  }

  /** Closes what holds files open. */
  async close(): Promise<void> {
    this.#sessions?.close();
    this.#sessions = undefined;
    const extraction = await this.#extraction;
    extraction?.close();
    this.#extraction = undefined;
  }
}
