import { hash } from 'node:crypto';
import path from 'node:path';
import { PostgresIndex, type PostgresIndexOptions } from './postgres/postgres-index.ts';
import { trouble } from './postgres/trouble.ts';
import type { HomeIndexParts } from './home-index.ts';
import type { SearchIndex } from './port.ts';
import { SqliteIndex } from './sqlite/sqlite-index.ts';
import type { HomeFiles } from './sync/home-files.ts';
import { IndexSync } from './sync/index-sync.ts';
import { StampTable, ignoredBy } from './sync/stamp-table.ts';

/** Below the home. It can be deleted and is made anew. */
export const SQLITE_FILE = path.join('state', 'index.db');

export interface OpenIndex {
  readonly index: SearchIndex;
  readonly sync: IndexSync;
  /** Why the file had to be made anew when it was opened; told once. */
  readonly takeReplacement: () => string | undefined;
}

/** The indexes of a home: one on this machine, and one that machines share where the settings ask for it. */
export class OpenIndexes {
  readonly #parts: HomeIndexParts;
  readonly #files: HomeFiles;
  readonly #stamps: StampTable[] = [];
  #local: OpenIndex | undefined;
  #shared: OpenIndex | undefined;

  constructor(parts: HomeIndexParts, files: HomeFiles) {
    this.#parts = parts;
    this.#files = files;
  }

  get isShared(): boolean {
    return this.#parts.config.index.engine === 'postgres';
  }

  local(): OpenIndex {
    if (this.#local === undefined) {
      const { paths, clock } = this.#parts;
      const index = new SqliteIndex(path.join(paths.home, SQLITE_FILE), clock);
      this.#local = { index, sync: this.#syncOf(index), takeReplacement: () => index.takeReplacement() };
    }
    return this.#local;
  }

  /** The one on this machine, if anybody has asked for it yet. */
  findLocal(): SearchIndex | undefined {
    return this.#local?.index;
  }

  shared(): OpenIndex {
    if (this.#shared === undefined) {
      const index = openPostgres(this.#parts);
      const sync = this.#syncOf(index, deviceOf(this.#parts));
      this.#shared = { index, sync, takeReplacement: () => undefined };
    }
    return this.#shared;
  }

  async close(): Promise<void> {
    await this.#local?.index.close();
    await this.#shared?.index.close();
    for (const stamps of this.#stamps) stamps.close();
  }

  #syncOf(index: SearchIndex, device?: string): IndexSync {
    const { paths, context, clock, workspace } = this.#parts;
    // One for each index: a file that the stand-in has read while the server was gone is still news to the server.
    const stamps = new StampTable(path.join(paths.state, device === undefined ? 'stamps.db' : 'stamps-shared.db'));
    this.#stamps.push(stamps);
    const ignored = ignoredBy(workspace.git.workspace);
    return new IndexSync({ index, files: this.#files, stamps, context, clock, ignored, device });
  }
}

type ServerParts = Pick<HomeIndexParts, 'config' | 'paths' | 'readVariable' | 'deviceName'>;

export function openPostgres(parts: ServerParts): PostgresIndex {
  return new PostgresIndex(postgresOptions(parts));
}

/** The shared index as the settings describe it; fails where they do not say enough. */
export function postgresOptions(parts: ServerParts): PostgresIndexOptions {
  const { index } = parts.config;
  const url = parts.readVariable(index.postgres_url_env);
  if (url === undefined) throw trouble('settings', new Error(`the variable ${index.postgres_url_env} is not set`));
  if (index.postgres_namespace === null) throw trouble('settings', new Error('index.postgres_namespace is not set'));
  return {
    url,
    schema: index.postgres_schema,
    namespace: index.postgres_namespace,
    device: deviceOf(parts),
    timeoutMs: index.postgres_timeout_ms,
    connections: index.postgres_connections,
  };
}

/** Distinguishes the homes that share an index, also several on one machine. */
export function deviceOf({ paths, deviceName }: Pick<HomeIndexParts, 'paths' | 'deviceName'>): string {
  return hash('sha256', `${deviceName}\0${paths.home}`).slice(0, 12);
}
