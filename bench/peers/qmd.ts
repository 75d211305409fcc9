import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { installed } from './install.ts';
import type { Peer } from './peer.ts';
import { joinRanks, keywords, writeSessions } from './session-files.ts';

interface Found {
  readonly filepath: string;
  readonly body?: string;
}

interface Store {
  update(): Promise<unknown>;
  searchLex(query: string, options: { readonly limit: number }): Promise<Found[]>;
  get(path: string, options: { readonly includeBody: boolean }): Promise<{ readonly body?: string }>;
  close(): Promise<void>;
}

interface Library {
  createStore(options: unknown): Promise<Store>;
}

const LIMIT = 20;

function peer(name: string, settings: string, queries: (question: string) => readonly string[]): Peer {
  return {
    name,
    package: 'qmd',
    module: '@tobilu/qmd',
    settings,
    async build(conversation, folder) {
      const notes = path.join(folder, 'notes');
      writeSessions(conversation, notes);
      const { createStore } = (await import(
        pathToFileURL(installed('qmd', '@tobilu/qmd/dist/index.js')).href
      )) as Library;
      const config = { collections: { talks: { path: notes, pattern: '**/*.md' } } };
      const store = await createStore({ dbPath: path.join(folder, 'qmd.sqlite'), config });
      await store.update();
      return {
        async ask(question) {
          const bodies = new Map<string, string>();
          const rankings: string[][] = [];
          for (const query of queries(question)) {
            const found = await store.searchLex(query, { limit: LIMIT });
            for (const { filepath, body } of found) {
              if (!bodies.has(filepath))
                bodies.set(filepath, body ?? (await store.get(filepath, { includeBody: true })).body ?? '');
            }
            rankings.push(found.map(({ filepath }) => filepath));
          }
          const ranked = joinRanks(rankings);
          return { texts: ranked.map((file) => bodies.get(file) ?? ''), sessions: ranked };
        },
        close: () => store.close(),
      };
    },
  };
}

const FED = 'a Markdown file for each session; search by words only, because its models must be downloaded';

export const qmdPeers: readonly Peer[] = [
  peer('qmd, the question as asked', FED, (question) => [question]),
  peer('qmd, a search for each word', `${FED}; our script joins the results of the words by rank`, keywords),
];
