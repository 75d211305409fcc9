import fs from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestCli } from '../support/cli.ts';
import { call, connectHttp, connectStdio, search, startHttp, until, type HttpServer } from '../support/mcp.ts';

let cli: TestCli;
let client: Client;
let server: HttpServer;
beforeAll(async () => {
  cli = new TestCli();
  await cli.init();
  await cli.ok('remember', 'We deploy on Tuesdays, after the stand-up');
  [server, client] = await Promise.all([startHttp(cli.home), connectStdio(cli.home)]);
});
afterAll(async () => {
  await client.close();
  await server.stop();
});

const knows = async (client: Client, word: string): Promise<boolean> =>
  (await search(client, { query: word, limit: 5 })).hits.some(({ text }) => text.includes(word));

describe('several at once', () => {
  it('two servers and the command line see each other’s writes at once', async () => {
    const [one, other] = [client, await connectHttp(server)];
    for (let round = 0; round < 2; round += 1) {
      await call(one, 'memory_write', { text: `alpaca${round} lives in stable ${round}` });
      expect(await knows(other, `alpaca${round}`)).toBe(true);
      await call(other, 'memory_write', { text: `bison${round} lives in field ${round}` });
      expect(await knows(one, `bison${round}`)).toBe(true);
      await cli.ok('remember', `camel${round} lives in tent ${round}`);
      expect(await knows(one, `camel${round}`)).toBe(true);
      expect(await knows(other, `camel${round}`)).toBe(true);
    }
    expect(await cli.ok('recall', 'bison1')).toContain('bison1');
    await other.close();
  });

  it('the same words written at once by several, in two processes, are kept once', async () => {
    const other = await connectHttp(server);
    const clients = [client, other, client, other];
    const written = await Promise.all(
      clients.map((each) => call(each, 'memory_write', { text: 'The puffin nests on the north cliff' })),
    );
    expect(written.filter(({ isError }) => isError)).toEqual([]);
    expect(new Set(written.map(({ structured }) => structured['id'])).size).toBe(1);
    const { hits } = await search(other, { query: 'puffin cliff', limit: 10 });
    expect(hits.filter(({ text }) => text.includes('puffin'))).toHaveLength(1);
    await other.close();
  });

  it('an edit by hand is found without a command', async () => {
    fs.mkdirSync(path.join(cli.home, 'workspace/memory/reference'), { recursive: true });
    fs.writeFileSync(path.join(cli.home, 'workspace/memory/reference/zebra.md'), '# Zebra\n\nThe zebra has stripes.\n');
    expect(await until(() => knows(client, 'stripes'), Boolean)).toBe(true);
  });
});

describe('a server that runs for long', () => {
  const damage: readonly [string, string, (state: string) => void][] = [
    // The server may be adding a file at that moment.
    ['deleted', 'quokka', (state) => fs.rmSync(state, { recursive: true, maxRetries: 10, retryDelay: 20 })],
    [
      'overwritten with rubbish',
      'wombat',
      (state) => {
        for (const name of fs.readdirSync(state).filter((file) => file.startsWith('index.db'))) {
          fs.writeFileSync(path.join(state, name), 'rubbish '.repeat(4096));
        }
      },
    ],
    ['cut short', 'dingo', (state) => fs.truncateSync(path.join(state, 'index.db'), 5000)],
  ];

  it.each(damage)('survives its index being %s', async (_how, animal, harm) => {
    expect(await knows(client, 'Tuesdays')).toBe(true);
    harm(path.join(cli.home, 'state'));
    expect(await until(() => knows(client, 'Tuesdays'), Boolean)).toBe(true);
    const { isError } = await call(client, 'memory_write', { text: `The ${animal} smiles` });
    expect(isError).toBe(false);
    expect(await until(() => knows(client, animal), Boolean)).toBe(true);
    expect(await cli.ok('recall', animal)).toContain(animal);
  });
});
