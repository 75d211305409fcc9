import type { Source, Trust } from '../../model/provenance.ts';
import type { StateDatabase } from '../../platform/sqlite.ts';
import type { Edge, GraphFact, Statements } from './statements.ts';

/** Facts and edges beside the records of `entities.db`: written in the same transaction, so they never disagree. */
export const GRAPH_SCHEMA = `
  CREATE TABLE IF NOT EXISTS edges (
    path TEXT NOT NULL, id TEXT NOT NULL, line INTEGER NOT NULL, relation TEXT NOT NULL, target TEXT NOT NULL,
    since TEXT, until TEXT, learned TEXT, ended INTEGER NOT NULL, successor TEXT,
    source TEXT NOT NULL, trust TEXT NOT NULL, premises TEXT NOT NULL, said TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS edges_by_path ON edges (path);
  CREATE INDEX IF NOT EXISTS edges_by_id ON edges (id);
  CREATE TABLE IF NOT EXISTS facts (
    path TEXT NOT NULL, id TEXT NOT NULL, line INTEGER NOT NULL, text TEXT NOT NULL,
    attribute TEXT, value TEXT, category TEXT, verified INTEGER NOT NULL, last_verified TEXT,
    since TEXT, until TEXT, learned TEXT, ended INTEGER NOT NULL, successor TEXT,
    source TEXT NOT NULL, trust TEXT NOT NULL, premises TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS facts_by_path ON facts (path);
  CREATE INDEX IF NOT EXISTS facts_by_id ON facts (id);
`;

const EDGE = 'path, id, line, relation, target, since, until, learned, ended, successor, source, trust, premises, said';
const FACT =
  'path, id, line, text, attribute, value, category, verified, last_verified, since, until, learned, ended, successor, source, trust, premises';

type Cell = string | number | null;

/** The rows of facts and edges. */
export class GraphRows {
  readonly #state: StateDatabase;

  constructor(state: StateDatabase) {
    this.#state = state;
  }

  put(path: string, { facts, edges }: Statements): void {
    const insertEdge = this.#state.prepare(`INSERT INTO edges (${EDGE}) VALUES (${marks(14)})`);
    for (const edge of edges) {
      const place = [path, edge.id, edge.line, edge.relation, edge.target];
      insertEdge.run(...place, ...timesOf(edge), ...originOf(edge), JSON.stringify(edge.said));
    }
    const insertFact = this.#state.prepare(`INSERT INTO facts (${FACT}) VALUES (${marks(17)})`);
    for (const fact of facts) {
      const { id, line, text, attribute, value, category, verified, lastVerified } = fact;
      const said = [attribute, value, category].map((word) => word ?? null);
      insertFact.run(
        path,
        id,
        line,
        text,
        ...said,
        verified,
        lastVerified ?? null,
        ...timesOf(fact),
        ...originOf(fact),
      );
    }
  }

  remove(path: string): void {
    this.#state.prepare('DELETE FROM edges WHERE path = ?').run(path);
    this.#state.prepare('DELETE FROM facts WHERE path = ?').run(path);
  }

  /** Of entities put since a revision; all of them for 0. */
  edgesSince(revision: number): Edge[] {
    const sql = `SELECT ${prefixed('g', EDGE)} FROM edges g JOIN entities e ON e.path = g.path WHERE e.revision > ?`;
    return this.#rows(sql, revision).map(edgeOf);
  }

  facts(path: string): GraphFact[] {
    return this.#rows(`SELECT ${FACT} FROM facts WHERE path = ? ORDER BY rowid`, path).map(factOf);
  }

  edges(path: string): Edge[] {
    return this.#rows(`SELECT ${EDGE} FROM edges WHERE path = ? ORDER BY rowid`, path).map(edgeOf);
  }

  /** Ids that stand at more than one line, in whichever files; a line that names several things is one. */
  sharedIds(): { readonly id: string; readonly path: string; readonly line: number }[] {
    const places = 'SELECT id, path, line FROM facts UNION SELECT id, path, line FROM edges';
    const sql = `WITH places AS (${places}) SELECT id, path, line FROM places
      WHERE id IN (SELECT id FROM places GROUP BY id HAVING COUNT(*) > 1) ORDER BY id, path, line`;
    return this.#rows(sql).map(([id, path, line]) => ({ id: String(id), path: String(path), line: Number(line) }));
  }

  /** Facts and edges that name a successor nobody has. */
  lostSuccessors(): { readonly path: string; readonly line: number; readonly successor: string }[] {
    const unknown = (table: string): string =>
      `NOT EXISTS (SELECT 1 FROM ${table} named WHERE named.id = ended.successor)`;
    const places = (table: string): string =>
      `SELECT path, line, successor FROM ${table} ended WHERE successor IS NOT NULL AND ${unknown('facts')} AND ${unknown('edges')}`;
    return this.#rows(`${places('facts')} UNION ${places('edges')} ORDER BY path, line`).map(
      ([path, line, successor]) => ({ path: String(path), line: Number(line), successor: String(successor) }),
    );
  }

  factsById(id: string): GraphFact[] {
    return this.#rows(`SELECT ${FACT} FROM facts WHERE id = ? ORDER BY path`, id).map(factOf);
  }

  edgesById(id: string): Edge[] {
    return this.#rows(`SELECT ${EDGE} FROM edges WHERE id = ? ORDER BY path`, id).map(edgeOf);
  }

  /** Facts with a property that has one value at a time, in the order of the files. */
  factsWithAttribute(): GraphFact[] {
    return this.#rows(`SELECT ${FACT} FROM facts WHERE attribute IS NOT NULL ORDER BY path, rowid`).map(factOf);
  }

  factsWithPremises(): GraphFact[] {
    return this.#rows(`SELECT ${FACT} FROM facts WHERE premises <> '[]' ORDER BY path, rowid`).map(factOf);
  }

  counts(): { readonly facts: number; readonly relations: number } {
    const count = (table: string): number => Number(this.#rows(`SELECT COUNT(*) FROM ${table}`)[0]?.[0]);
    return { facts: count('facts'), relations: count('edges') };
  }

  #rows(sql: string, ...values: readonly Cell[]): Cell[][] {
    const statement = this.#state.prepare(sql);
    statement.setReturnArrays(true);
    return statement.all(...values) as unknown as Cell[][];
  }
}

function marks(count: number): string {
  return Array.from({ length: count }, () => '?').join(', ');
}

function prefixed(table: string, columns: string): string {
  return columns
    .split(', ')
    .map((column) => `${table}.${column}`)
    .join(', ');
}

function timesOf({ meta, isSuperseded }: Edge | GraphFact): Cell[] {
  const { from, until, learned, superseded_by: successor } = meta;
  return [from ?? null, until ?? null, learned ?? null, isSuperseded ? 1 : 0, successor ?? null];
}

function originOf({ source, trust, premises }: Edge | GraphFact): Cell[] {
  return [source, trust, JSON.stringify(premises)];
}

function edgeOf(row: readonly Cell[]): Edge {
  const [path, id, line, relation, target] = row;
  return Object.assign(statementOf([path, id, line], row.slice(5)), {
    relation: String(relation),
    target: String(target),
    said: listOf(row[13]),
  });
}

function factOf(row: readonly Cell[]): GraphFact {
  const [path, id, line, text, attribute, value, category, verified, lastVerified] = row;
  return Object.assign(statementOf([path, id, line], row.slice(9)), {
    text: String(text),
    attribute: attribute?.toString(),
    value: value?.toString(),
    category: category?.toString(),
    verified: Number(verified),
    lastVerified: lastVerified?.toString(),
  });
}

function statementOf(
  [path, id, line]: readonly (Cell | undefined)[],
  [from, until, learned, ended, successor, source, trust, premises]: readonly Cell[],
): Omit<Edge, 'relation' | 'target' | 'said'> {
  return {
    path: String(path),
    id: String(id),
    line: Number(line),
    isSuperseded: ended === 1,
    meta: {
      from: from?.toString(),
      until: until?.toString(),
      learned: learned?.toString(),
      superseded_by: successor?.toString(),
    },
    source: String(source) as Source,
    trust: String(trust) as Trust,
    premises: listOf(premises),
  };
}

function listOf(cell: Cell | undefined): readonly string[] {
  return cell === '[]' ? NONE : (JSON.parse(String(cell)) as string[]);
}

/** Nearly every statement has none: one list serves them all. */
const NONE: readonly string[] = [];
