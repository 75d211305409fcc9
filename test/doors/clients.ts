/** Many clients at once on one home: `npm run test:doors`. The suite runs its short form. */
import { parseArgs } from 'node:util';
import { TestCli } from '../support/cli.ts';
import { call, connectHttp, connectStdio, search, startHttp } from '../support/mcp.ts';

export interface DoorsResult {
  readonly httpClients: number;
  readonly stdioClients: number;
  readonly writes: number;
  /** Writes that were acknowledged and are not found. */
  readonly lost: number;
  readonly failed: readonly string[];
  readonly seconds: number;
}

/** Each client writes, finds what it wrote, and reads; afterwards a fresh process looks for every write. */
export async function runDoors(counts: {
  readonly http: number;
  readonly stdio: number;
  readonly rounds: number;
}): Promise<DoorsResult> {
  const started = Date.now();
  const cli = new TestCli();
  await cli.ok('init', '--yes');
  const server = await startHttp(cli.home);
  const failed: string[] = [];
  const words: string[] = [];
  const work = async (name: string, connect: () => ReturnType<typeof connectHttp>): Promise<void> => {
    const client = await connect();
    for (let round = 0; round < counts.rounds; round += 1) {
      const word = `${name}r${round}`;
      const written = await call(client, 'memory_write', { text: `The code word of this round is ${word}` });
      if (written.isError) failed.push(`${word}: ${written.text}`);
      else words.push(word);
      const { hits } = await search(client, { query: word, limit: 3 });
      if (!hits.some(({ text }) => text.includes(word))) failed.push(`${word} is not found by its own client`);
      const read = await call(client, 'memory_read', { path: written.structured['id'] });
      if (read.isError) failed.push(`${word}: ${read.text}`);
    }
    await client.close();
  };
  const together = (count: number, name: string, connect: () => ReturnType<typeof connectHttp>): Promise<unknown> =>
    Promise.all(Array.from({ length: count }, (_, number) => work(`${name}${number}`, connect)));
  await together(counts.http, 'walrus', () => connectHttp(server));
  // While the server still holds the home: each of these is a process of its own.
  await together(counts.stdio, 'heron', () => connectStdio(cli.home));
  const failure = await server.stop();
  if (failure !== undefined) failed.push(failure);
  let lost = 0;
  for (const word of words) if (!(await cli.ok('recall', word, '--limit', '3')).includes(word)) lost += 1;
  const seconds = Math.round((Date.now() - started) / 1000);
  return { httpClients: counts.http, stdioClients: counts.stdio, writes: words.length, lost, failed, seconds };
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
