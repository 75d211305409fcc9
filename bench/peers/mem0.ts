import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { openStaticEmbedder } from '../../src/providers/embeddings/static.ts';
import { installed } from './install.ts';
import type { Peer } from './peer.ts';

interface Memory {
  add(messages: readonly unknown[], options: unknown): Promise<unknown>;
  search(query: string, options: unknown): Promise<{ readonly results: readonly { readonly memory: string }[] }>;
}

interface Library {
  readonly Memory: new (config: unknown) => Memory;
}

const LIMIT = 120;
const USER = 'bench';

/** mem0 needs an embedder; without a key it gets the static table of this package. */
export const mem0: Peer = {
  name: 'mem0 (library)',
  package: 'mem0',
  module: 'mem0ai',
  settings:
    'a memory for each turn with infer: false (no language model); vectors of Mneme’s static table, because it has none of its own; better-sqlite3 at the version of our lockfile, because the older version it asks for has no build for Node 24',
  async build({ sessions }, folder) {
    process.env['MEM0_TELEMETRY'] = 'false';
    const { Memory } = (await import(pathToFileURL(installed('mem0', 'mem0ai/dist/oss/index.mjs')).href)) as Library;
    const embedder = openStaticEmbedder();
    const embed = async (texts: readonly string[], kind: 'query' | 'document'): Promise<number[][]> =>
      (await embedder.embed([...texts], kind)).map((vector) => [...vector]);
    const model = {
      embedQuery: async (text: string) => (await embed([text], 'query'))[0],
      embedDocuments: (texts: readonly string[]) => embed(texts, 'document'),
    };
    const memory = new Memory({
      embedder: { provider: 'langchain', config: { model, embeddingDims: embedder.dimensions } },
      vectorStore: {
        provider: 'memory',
        config: { collectionName: 'bench', dimension: embedder.dimensions, dbPath: path.join(folder, 'vectors.db') },
      },
      llm: { provider: 'openai', config: { apiKey: 'none' } },
      historyDbPath: path.join(folder, 'history.db'),
    });
    for (const { turns } of sessions) {
      for (const { speaker, text } of turns) {
        await memory.add([{ role: 'user', content: `${speaker}: ${text}` }], { userId: USER, infer: false });
      }
    }
    return {
      async ask(question) {
        const { results } = await memory.search(question, { filters: { user_id: USER }, topK: LIMIT });
        return { texts: results.map((hit) => hit.memory), sessions: [] };
      },
      close: () => Promise.resolve(),
    };
  },
};
