import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Peer } from './peer.ts';
import { keywords } from './session-files.ts';

const WINDOW = 6;
const STRIDE = 3;
const LIMIT = 60;

/** SQLite's full-text search and nothing else: what anybody has without a memory system. */
export const fts5: Peer = {
  name: 'SQLite FTS5, windows',
  settings:
    'a window of 6 turns starts at every third turn; stop words are dropped and the other words joined by OR; a turn is returned once, in the best window that has it',
  build({ sessions }, folder) {
    const database = new DatabaseSync(path.join(folder, 'fts.db'));
    database.exec(
      "CREATE VIRTUAL TABLE windows USING fts5(text, session UNINDEXED, first UNINDEXED, tokenize = 'porter')",
    );
    const insert = database.prepare('INSERT INTO windows VALUES (?, ?, ?)');
    database.exec('BEGIN');
    const lines = new Map(
      sessions.map(({ id, turns }) => [id, turns.map(({ speaker, text }) => `${speaker}: ${text}`)]),
    );
    for (const [session, all] of lines) {
      for (let first = 0; first === 0 || first + WINDOW - STRIDE < all.length; first += STRIDE) {
        insert.run(all.slice(first, first + WINDOW).join('\n'), session, first);
      }
    }
    database.exec('COMMIT');
    const search = database.prepare('SELECT session, first FROM windows WHERE windows MATCH ? ORDER BY rank LIMIT ?');
    return Promise.resolve({
      ask(question) {
        const query = keywords(question).map((word) => `"${word}"`);
        const rows = query.length === 0 ? [] : search.all(query.join(' OR '), LIMIT);
        const taken = new Set<string>();
        const texts = rows.map(({ session, first }) => {
          const all = lines.get(String(session)) ?? [];
          const fresh = all.slice(Number(first), Number(first) + WINDOW).filter((_, at) => {
            const place = `${String(session)}#${Number(first) + at}`;
            return !taken.has(place) && taken.add(place);
          });
          return fresh.join('\n');
        });
        return Promise.resolve({ texts, sessions: rows.map(({ session }) => String(session)) });
      },
      close() {
        database.close();
        return Promise.resolve();
      },
    });
  },
};
