import { DatabaseSync } from 'node:sqlite';

/** SQLite's own full-text search over the same texts: what everybody would take first. */
export class FullTextSearch {
  readonly #database = new DatabaseSync(':memory:');

  fill(texts: Iterable<string>): void {
    this.#database.exec(`CREATE VIRTUAL TABLE t USING fts5(text, tokenize = 'porter unicode61')`);
    const insert = this.#database.prepare('INSERT INTO t(text) VALUES (?)');
    this.#database.exec('BEGIN');
    for (const text of texts) insert.run(text);
    this.#database.exec('COMMIT');
  }

  find(question: string): number {
    const words = question.toLowerCase().match(/[a-z]+/gu) ?? [];
    const query = words.map((word) => `"${word}"`).join(' OR ');
    return this.#database.prepare('SELECT rowid FROM t WHERE t MATCH ? ORDER BY rank LIMIT 50').all(query).length;
  }

  close(): void {
    this.#database.close();
  }
}
