/**
 * Puts the same calls to the real `@modelcontextprotocol/server-memory` from npm and to `mneme mcp --compat server-memory`, and prints
 * where the answers differ: `npm run test:compat`.
 */
import fs from 'node:fs';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { initTestHome, makeTemporaryFolder } from '../support/home.ts';
import { runProgram } from './run-program.ts';

const FOLDER = path.join(import.meta.dirname, 'packages', 'server-memory');
const REAL = path.join(FOLDER, 'node_modules/@modelcontextprotocol/server-memory/dist/index.js');
const MNEME = path.resolve(import.meta.dirname, '../../bin/mneme');

type Call = readonly [tool: string, args: Record<string, unknown>];

const zoe = { name: 'Zoe', entityType: 'person', observations: ['Likes tea', 'Lives in Bern'] };
const orbit = { name: 'Orbit', entityType: 'project', observations: [] };
const shop = { name: 'Web Shop', entityType: 'customer_account', observations: ['First line\nsecond line'] };
const relations = [
  { from: 'Zoe', to: 'Orbit', relationType: 'works_on' },
  { from: 'Zoe', to: 'Orbit', relationType: 'maintains' },
  { from: 'Orbit', to: 'Web Shop', relationType: 'runs in' },
];

/** What clients of that server do: everything it has, twice, with names it does not know, and what was taken away. */
const CALLS: readonly Call[] = [
  ['read_graph', {}],
  ['create_entities', { entities: [zoe, orbit, shop] }],
  ['create_entities', { entities: [zoe] }],
  ['create_relations', { relations }],
  ['create_relations', { relations: [relations[0]] }],
  ['add_observations', { observations: [{ entityName: 'Orbit', contents: ['Is written in Rust', 'Is fast'] }] }],
  ['add_observations', { observations: [{ entityName: 'Orbit', contents: ['Is fast'] }] }],
  [
    'add_observations',
    {
      observations: [
        { entityName: 'Orbit', contents: ['Never written'] },
        { entityName: 'Nobody', contents: ['x'] },
      ],
    },
  ],
  ['read_graph', {}],
  ['search_nodes', { query: 'rust' }],
  ['search_nodes', { query: 'nothing like this' }],
  ['open_nodes', { names: ['Zoe'] }],
  ['open_nodes', { names: ['Nobody'] }],
  ['delete_observations', { deletions: [{ entityName: 'Zoe', observations: ['Likes tea', 'Never said'] }] }],
  ['delete_relations', { relations: [relations[1]] }],
  ['read_graph', {}],
  ['delete_entities', { entityNames: ['Web Shop', 'Nobody'] }],
  ['read_graph', {}],
];

async function connect(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Client> {
  const client = new Client({ name: 'compare', version: '1' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...args],
    stderr: 'ignore',
    env: { ...getDefaultEnvironment(), ...env },
  });
  await client.connect(transport);
  return client;
}

/** What a client reads, without the order that a graph does not have; of an error only that it is one. */
async function answerOf(client: Client, [name, args]: Call): Promise<string> {
  const result = await client.callTool({ name, arguments: args });
  if (result.isError === true) return 'an error';
  const [first] = result.content;
  const text = first?.type === 'text' ? first.text : '';
  return /^[[{]/u.test(text) ? JSON.stringify(sorted(JSON.parse(text)), undefined, 1) : text;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value))
    return value.map(sorted).toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, sorted(inner)]));
}

const npm = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
const installed = await runProgram('npm', npm, { cwd: FOLDER, env: process.env, limitMs: 200_000 });
if (installed.code !== 0 || !fs.existsSync(REAL)) throw new Error(`server-memory was not installed: ${installed.out}`);
const home = makeTemporaryFolder();
await initTestHome(home);
const real = await connect([REAL], { MEMORY_FILE_PATH: path.join(makeTemporaryFolder(), 'memory.jsonl') });
const ours = await connect([MNEME, '--home', home, 'mcp', '--compat', 'server-memory'], { MNEME_WORKER: 'off' });
let differing = 0;
for (const call of CALLS) {
  const [theirs, mine] = [await answerOf(real, call), await answerOf(ours, call)];
  if (theirs === mine) continue;
  differing += 1;
  console.log(`${call[0]} ${JSON.stringify(call[1])}\n--- server-memory\n${theirs}\n--- mneme\n${mine}\n`);
}
await Promise.all([real.close(), ours.close()]);
console.log(`${CALLS.length - differing} passed, ${differing} failed`);
process.exitCode = differing === 0 ? 0 : 1;
