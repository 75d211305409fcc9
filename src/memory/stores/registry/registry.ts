import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { EntityMention } from '../../../model/knowledge.ts';
import { scopeCanSee, type Scope } from '../../../model/provenance.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Layout } from '../../../workspace/formats/layout.ts';
import { isWorkspace, type Indexable } from '../../../workspace/registries.ts';
import { statementsOf, type Statements } from '../../graph/statements.ts';
import type { GraphRows } from '../../graph/rows.ts';
import { parseDocument } from '../../../workspace/markdown/document.ts';
import { parseEntityWithIds } from '../entities/entity-edit.ts';
import {
  isEntityPath,
  isSameStamp,
  listEntityFiles,
  MAX_ENTITY_BYTES,
  readDecoded,
  readHeadText,
  readText,
  stampOf,
} from './entity-files.ts';
import { formsOf, readRecord, type EntityRecord } from './entity-record.ts';
import { KnownNames, wordsOfEntity } from './known-names.ts';
import { foldName, tellingWords } from './names.ts';
import { type Follower, RecordTable } from './record-table.ts';
import { resolveName, type Resolution, type ResolveOptions } from './resolve.ts';

export interface EntityRegistryParts {
  /** The folder of the workspace's files. */
  readonly root: string;
  /** The folder of what can be deleted. */
  readonly state: string;
  readonly layout: Layout;
  readonly clock: Clock;
  /** Up to where everything is acknowledged, so that an unchanged home need not be looked through. */
  readonly journalEnd?: (() => string) | undefined;
}

export interface SyncOptions {
  /** Look at every file: some never reach the journal, such as one that is too large for it. */
  readonly isThorough?: boolean | undefined;
}

/** Up to where the journal is in the table. */
const KNOWN_TO = 'knownTo';

/** A transaction of this size is over in a few hundredths of a second. */
const BATCH_FILES = 200;

/** Everybody and everything the memory has a file for, found by name without reading the files. */
export class EntityRegistry {
  readonly #parts: EntityRegistryParts;
  #opened: RecordTable | undefined;
  /** The copies in memory, with the state of the table that each was taken from. */
  readonly #followers = new Map<
    Follower,
    { readonly identity: string; readonly revision: number; readonly look: number }
  >();
  /** Counts the occasions on which somebody may have written: between two of them nobody has to look. */
  #look = 0;
  readonly #names = new KnownNames();

  constructor(parts: EntityRegistryParts) {
    this.#parts = parts;
  }

  /** Brings the table in step with the files; before a piece of work, and nearly free when nobody wrote since. */
  async sync({ isThorough = false }: SyncOptions = {}): Promise<void> {
    this.#look += 1;
    const end = this.#parts.journalEnd?.();
    if (!isThorough && end !== undefined && this.#reading((table) => table.readNote(KNOWN_TO)) === end) return;
    for (const batch of this.#reading(() => this.#findStale())) {
      this.#take(batch);
      // SQLite never waits for anything: without a pause nobody else's work would get through.
      await setImmediate();
    }
    if (end !== undefined) this.#table.writing(() => this.#table.writeNote(KNOWN_TO, end));
  }

  /** For the write path's indexers: what was just written is known to the next question, in every process. */
  takeOver({ acknowledged, span, selfCommitted }: Indexable): void {
    const files = acknowledged.filter(({ record }) => isWorkspace(record)).flatMap(({ record }) => record.files);
    const paths = new Set([...files.map((file) => file.path), ...selfCommitted]);
    const entities = [...paths].filter((file) => isEntityPath(file, this.#parts.layout));
    this.#look += 1;
    // The table was not used yet: the first query updates it, so this write need not wait.
    if (entities.length === 0 && this.#opened === undefined) return;
    this.#reading((table) =>
      table.writing(() => {
        this.#put(entities);
        // Where somebody wrote without telling the table, only a look at all files closes the gap.
        table.advanceNote(KNOWN_TO, span.from, span.to);
      }),
    );
  }

  /** Whom a name means; see `resolveName`. */
  resolve(name: string, options: ResolveOptions = {}): Resolution {
    return this.#reading((table) =>
      resolveName(name, options, {
        byForm: (form) => table.byForm(form),
        byId: (id) => table.byId(id),
        tellingWords: (entity) => wordsOfEntity(entity, readText(this.#parts.root, entity.path) ?? ''),
        contextWords: tellingWords,
      }),
    );
  }

  /** The entity of that id which a scope sees: its own before the shared one. */
  findById(id: string, scope: Scope = 'shared'): EntityRecord | undefined {
    const visible = this.#reading((table) => table.byId(id)).filter((record) => scopeCanSee(scope, record.scope));
    return visible.find((record) => record.scope === scope) ?? visible[0];
  }

  findByPath(file: string): EntityRecord | undefined {
    return this.#reading((table) => table.byPath(file));
  }

  /** Everybody who has this name or alias as a whole, in any scope. */
  sharingName(name: string): readonly EntityRecord[] {
    return this.#reading((table) => table.byForm(foldName(name))).filter(({ kind }) => kind !== 'part');
  }

  /** Every name of whatever is called so. */
  namesOf(name: string): readonly string[] {
    return this.sharingName(name).flatMap((record) => [record.name].concat(record.aliases));
  }

  all(): readonly EntityRecord[] {
    return this.#reading((table) => table.all());
  }

  /** The person whose memory this is, if they have a file. */
  findUser(scope: Scope = 'shared'): EntityRecord | undefined {
    return this.#reading((table) => table.users()).find((record) => scopeCanSee(scope, record.scope));
  }

  /** Every name the shared memory knows, aliases and unambiguous first and last names too. */
  known(): readonly EntityMention[] {
    // Names are asked for now and then, and then as they are: another process may have written since.
    this.#look += 1;
    return this.follow(this.#names).all();
  }

  /**
   * Brings something kept in memory in step with the table, free when nobody wrote since. What another process wrote is
   * seen after the next `sync`, so that a piece of work sees one state.
   */
  follow<T extends Follower>(follower: T): T {
    const known = this.#followers.get(follower);
    const look = this.#look;
    if (known?.look === look) return follower;
    return this.#reading((table) => {
      const { identity } = table;
      const isSame = known?.identity === identity;
      if (isSame && known.revision === table.revision()) {
        this.#followers.set(follower, { ...known, look });
        return follower;
      }
      if (!isSame) follower.reset();
      table.lookAtChanges(isSame ? known.revision : 0, (changes) => {
        follower.apply(changes);
        this.#followers.set(follower, { identity, revision: changes.revision, look });
      });
      return follower;
    });
  }

  /** The rows of facts and edges, for questions that need few of them. */
  readRows<T>(body: (rows: GraphRows) => T): T {
    return this.#reading((table) => body(table.graph));
  }

  /**
   * The files that the table has otherwise than they are, after everything known to have changed was taken over: somebody
   * wrote to the table, or its stamps were no use. Reads every file.
   */
  async findDisagreements(): Promise<string[]> {
    await this.sync({ isThorough: true });
    const { root, layout } = this.#parts;
    const found = listEntityFiles(root, layout);
    const present = new Set(found);
    const known = this.#reading((table) => table.stamps());
    const wrong = [...known.keys()].filter((file) => !present.has(file));
    for (const [index, file] of found.entries()) {
      if (!this.#isAsRead(file)) wrong.push(file);
      if (index % BATCH_FILES === 0) await setImmediate();
    }
    return wrong.sort();
  }

  /** Makes the table from the files, whatever was in it. */
  async rebuild(): Promise<number> {
    this.#table.makeAnew();
    await this.sync({ isThorough: true });
    return this.all().length;
  }

  #isAsRead(file: string): boolean {
    const stamp = stampOf(this.#parts.root, file);
    const read = stamp === undefined ? undefined : readEntityFile(this.#parts.root, file, stamp.size);
    return this.#reading((table) => {
      const record = table.byPath(file);
      if (read === undefined || record === undefined) return read === undefined && record === undefined;
      const { graph } = table;
      const rows = { record, facts: graph.facts(file), edges: graph.edges(file), forms: table.forms(file) };
      const forms = formsOf(read.record)
        .map(({ form }) => form)
        .sort();
      return isDeepStrictEqual(plain(rows), plain({ record: read.record, ...read.statements, forms }));
    });
  }

  close(): void {
    this.#opened?.close();
    this.#opened = undefined;
    this.#followers.clear();
  }

  get #table(): RecordTable {
    this.#opened ??= new RecordTable(path.join(this.#parts.state, 'entities.db'));
    return this.#opened;
  }

  #reading<T>(body: (table: RecordTable) => T): T {
    const table = this.#table;
    return table.orEmptied(
      () => body(table),
      () => {
        for (const batch of this.#findStale()) this.#take(batch);
      },
    );
  }

  /** The paths whose files differ from what the table knows, and those whose files are gone. */
  #findStale(): string[][] {
    const { root, layout } = this.#parts;
    const known = this.#table.stamps();
    const found = listEntityFiles(root, layout);
    const present = new Set(found);
    const gone = [...known.keys()].filter((file) => !present.has(file));
    const stale = [...gone, ...found.filter((file) => !isSameStamp(known.get(file), stampOf(root, file)))];
    return Array.from({ length: Math.ceil(stale.length / BATCH_FILES) }, (_, index) =>
      stale.slice(index * BATCH_FILES, (index + 1) * BATCH_FILES),
    );
  }

  #take(files: readonly string[]): void {
    this.#look += 1;
    this.#table.writing(() => this.#put(files));
  }

  /** Read while nobody else writes the table: what is put is never older than what another process has put. */
  #put(files: readonly string[]): void {
    const { root, clock } = this.#parts;
    const table = this.#table;
    for (const file of files) {
      const stamp = stampOf(root, file);
      const read = stamp === undefined ? undefined : readEntityFile(root, file, stamp.size);
      if (stamp === undefined || read === undefined) table.remove(file);
      else table.put(read.record, read.statements, stamp, clock.now());
    }
  }
}

/** Drops undefined properties, which the table treats as absent. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

const NO_STATEMENTS: Statements = { facts: [], edges: [] };

function readEntityFile(
  root: string,
  file: string,
  size: number,
): { readonly record: EntityRecord; readonly statements: Statements } | undefined {
  if (size > MAX_ENTITY_BYTES) {
    const head = readHeadText(root, file);
    if (head === undefined) return undefined;
    const damage = `it has ${Math.round(size / 1e6)} MB, more than the ${Math.round(MAX_ENTITY_BYTES / 1e6)} that are read`;
    return { record: { ...readRecord(file, head), damage }, statements: NO_STATEMENTS };
  }
  const decoded = readDecoded(root, file);
  if (decoded === undefined) return undefined;
  if (decoded.kind === 'binary') {
    const damage = `it is not text (${decoded.reason})`;
    return { record: { ...readRecord(file, ''), damage }, statements: NO_STATEMENTS };
  }
  const { text } = decoded;
  const entity = parseEntityWithIds(parseDocument(text), file);
  return { record: readRecord(file, text), statements: statementsOf(file, entity) };
}
