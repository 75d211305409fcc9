import path from 'node:path';
import { readVariable } from '../../platform/environment.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import { StateDatabase } from '../../platform/sqlite.ts';
import { createReasoner, type HomeReasoner } from '../../reasoner/create.ts';
import type { ExtractionParts } from '../../extract/extraction.ts';
import { likenessBy } from '../../extract/likeness.ts';
import type { Stores } from '../../extract/place.ts';
import { holdLock } from '../../workspace/lock.ts';
import type { OperationContext } from '../context.ts';

/** The parts that turn conversations into knowledge, for one open home. */
export interface OpenExtraction extends ExtractionParts {
  readonly reasoner: HomeReasoner;
  readonly stores: Stores;
  /** Locks session processing: two processes would both find the same things new. */
  exclusively<T>(body: () => Promise<T>): Promise<T>;
  close(): void;
}

export function openExtraction(context: OperationContext, stores: Stores): OpenExtraction {
  const { workspace, proposals, config, clock, random, layout, search, homeIndex } = context;
  const { journal, state, repositories } = workspace.paths;
  const root = repositories.workspace.workTree;
  const reasoner = createReasoner(config, {
    journalFolder: journal,
    stateFolder: state,
    clock,
    random,
    readVariable,
  });
  workspace.registries.erasers.push(...reasoner.erasers);
  const known = {
    root,
    fs: nodeFileSystem,
    layout,
    timeZone: config.time_zone,
    search,
    likeness: likenessBy(homeIndex),
  };
  let lock: StateDatabase | undefined;
  return {
    workspace,
    proposals,
    stores,
    known,
    reasoner,
    fs: nodeFileSystem,
    config,
    exclusively: (body) => {
      lock ??= new StateDatabase(path.join(state, 'extract.db'), 'CREATE TABLE IF NOT EXISTS extraction (id INTEGER)');
      return holdLock(lock.connection, 'extraction', { clock, random }, body);
    },
    close: () => {
      reasoner.close();
      lock?.close();
    },
  };
}
