/** Many clients at once on one home: `npm run test:doors`. The suite runs its short form. */
import { inspect, parseArgs } from 'node:util';
import type { Client } from '@modelcontextprotocol/client';
import { Mneme } from '../../src/mneme.ts';
import { TestCli } from '../support/cli.ts';
import { call, connectHttp, connectStdio, search, startHttp, type StructuredHits } from '../support/mcp.ts';

export interface DoorsResult {
  readonly httpClients: number;
  readonly stdioClients: number;
  readonly writes: number;
  /** Writes that were acknowledged and are not found. */
  readonly lost: number;
  readonly failed: readonly string[];
  /** A round is a write, a search and a read. */
  readonly slowestRoundMs: number;
  readonly seconds: number;
}

/** Each client writes, finds what it wrote, and reads; afterwards somebody else looks for every write. */
export async function runDoors(counts: {
  readonly http: number;
  readonly stdio: number;
  readonly rounds: number;
}): Promise<DoorsResult> {
  const started = Date.now();
  const cli = new TestCli();
  await cli.init();
  // This is about what is lost, not about how long it takes on a machine that has other things to do.
  await cli.ok('config', 'set', 'server.timeout_ms', '110000');
  const server = await startHttp(cli.home);
  const failed: string[] = [];
  const tookMs: number[] = [];
  let serverSaid = '';
  server.child.stderr.on('data', (text: string) => (serverSaid += text));
  const words: string[] = [];
  const work = async (name: string, client: Client): Promise<void> => {
    for (let round = 0; round < counts.rounds; round += 1) {
      const word = `${name}r${round}`;
      const begunAt = performance.now();
      const written = await call(client, 'memory_write', { text: `The code word of this round is ${word}` });
      if (written.isError) failed.push(`${word}: ${written.text}`);
      else words.push(word);
      const { hits = [] }: Partial<StructuredHits> = await search(client, { query: word, limit: 3 });
      if (!hits.some(({ text }) => text.includes(word))) failed.push(`${word} is not found by its own client`);
      const read = await call(client, 'memory_read', { path: written.structured['id'] });
      if (read.isError) failed.push(`${word}: ${read.text}`);
      tookMs.push(performance.now() - begunAt);
    }
  };
  const workConnected = async (name: string, connect: () => Promise<Client>): Promise<void> => {
    try {
      const client = await connect();
      try {
        await work(name, client);
      } finally {
        await client.close();
      }
    } catch (error) {
      // One client's broken connection must not hide what became of the others.
      failed.push(`${name}: ${inspect(error, { depth: 3, breakLength: Infinity })}`);
    }
  };
  const together = (count: number, name: string, connect: () => Promise<Client>): Promise<unknown> =>
    Promise.all(Array.from({ length: count }, (_, number) => workConnected(`${name}${number}`, connect)));
  await together(counts.http, 'walrus', () => connectHttp(server));
  // While the server still holds the home: each of these is a process of its own.
  await together(counts.stdio, 'heron', () => connectStdio(cli.home));
  const failure = await server.stop();
  if (failure !== undefined) failed.push(failure);
  if (failed.length > 0 && serverSaid !== '') failed.push(`The server said: ${serverSaid}`);
  const lost = await countLost(cli.home, words);
  const { code, out } = await cli.run(['check']);
  if (code !== 0) failed.push(`mneme check: ${out}`);
  return {
    httpClients: counts.http,
    stdioClients: counts.stdio,
    writes: words.length,
    lost,
    failed,
    slowestRoundMs: Math.round(Math.max(...tookMs)),
    seconds: Math.round((Date.now() - started) / 1000),
  };
}

/** Asked of somebody who opens the home afterwards. */
async function countLost(home: string, words: readonly string[]): Promise<number> {
  const mneme = await Mneme.open({ home });
  let lost = 0;
  for (const word of words) {
    const { hits } = await mneme.recall(word, { limit: 3 });
    if (!hits.some(({ text }) => text.includes(word))) lost += 1;
  }
  await mneme.close();
  return lost;
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      http: { type: 'string', default: '50' },
      stdio: { type: 'string', default: '10' },
      rounds: { type: 'string', default: '2' },
    },
  });
  const { http, stdio, rounds } = values;
  const result = await runDoors({ http: Number(http), stdio: Number(stdio), rounds: Number(rounds) });
  console.log(JSON.stringify(result));
  process.exitCode = result.failed.length > 0 || result.lost > 0 ? 1 : 0;
}
