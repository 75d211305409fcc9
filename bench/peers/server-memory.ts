import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { installed } from './install.ts';
import type { Peer } from './peer.ts';
import { joinRanks, keywords } from './session-files.ts';

interface Graph {
  readonly entities: readonly { readonly name: string; readonly observations: readonly string[] }[];
}

export const serverMemory: Peer = {
  name: 'MCP server-memory',
  package: 'server-memory',
  module: '@modelcontextprotocol/server-memory',
  settings:
    'an entity for each session, an observation for each turn; a call for each word; our script joins the results by rank, because it has no ranking',
  async build({ sessions }, folder) {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [installed('server-memory', '@modelcontextprotocol/server-memory/dist/index.js')],
      env: { MEMORY_FILE_PATH: path.join(folder, 'memory.json') },
      stderr: 'ignore',
    });
    const client = new Client({ name: 'bench', version: '1' });
    await client.connect(transport);
    const entities = sessions.map(({ id, turns }) => ({
      name: id,
      entityType: 'session',
      observations: turns.map(({ speaker, text }) => `${speaker}: ${text}`),
    }));
    await client.callTool({ name: 'create_entities', arguments: { entities } });
    const search = async (query: string): Promise<Graph> => {
      const { structuredContent, content } = await client.callTool({ name: 'search_nodes', arguments: { query } });
      const [first] = content;
      return (structuredContent ?? JSON.parse(first?.type === 'text' ? first.text : '{"entities":[]}')) as Graph;
    };
    return {
      ...(transport.pid === null ? {} : { processes: [transport.pid] }),
      async ask(question) {
        const texts = new Map<string, string>();
        const rankings: string[][] = [];
        for (const word of keywords(question)) {
          const { entities: found } = await search(word);
          for (const { name, observations } of found) texts.set(name, observations.join('\n'));
          rankings.push(found.map(({ name }) => name));
        }
        const ranked = joinRanks(rankings);
        return { texts: ranked.map((name) => texts.get(name) ?? ''), sessions: ranked };
      },
      close: () => client.close(),
    };
  },
};
