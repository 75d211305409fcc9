import fs from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { TestCli } from '../support/cli.ts';
import { call, connectHttp, connectStdio, search, startHttp, until } from '../support/mcp.ts';

async function makeHome(): Promise<TestCli> {
  const cli = new TestCli();
  await cli.ok('init', '--yes');
  await cli.ok('remember', 'We deploy on Tuesdays, after the stand-up');
  return cli;
}

const knows = async (client: Client, word: string): Promise<boolean> =>
  (await search(client, { query: word, limit: 5 })).hits.some(({ text }) => text.includes(word));

describe('several at once', () => {
  it('20 clients write and search, and every write is there', async () => {
    const cli = await makeHome();
    const server = await startHttp(cli.home);
    const names = Array.from({ length: 20 }, (_, number) => `walrus${number}`);
    const found = await Promise.all(
      names.map(async (name) => {
        const client = await connectHttp(server);
        const { isError } = await call(client, 'memory_write', { text: `The code word of this client is ${name}` });
        const isFound = await knows(client, name);
        await client.close();
        return !isError && isFound;
      }),
    );
    expect(found).toEqual(names.map(() => true));
    expect(await server.stop()).toBeUndefined();
    const { hits } = await cli.json<{ hits: { text: string }[] }>(
      'recall',
      'code word of this client',
      '--tokens',
      '4000',
    );
    const texts = hits.map(({ text }) => text).join('\n');
    expect(names.filter((name) => !new RegExp(`${name}\\b`, 'u').test(texts))).toEqual([]);
    expect(await cli.ok('check')).not.toContain('error');
  });

  it('two servers and the command line see each other’s writes at once', async () => {
    const cli = await makeHome();
    const server = await startHttp(cli.home);
    const [one, other] = await Promise.all([connectStdio(cli.home), connectHttp(server)]);
    await Promise.all([knows(one, 'deploy'), knows(other, 'deploy')]);
    for (let round = 0; round < 5; round += 1) {
      await call(one, 'memory_write', { text: `alpaca${round} lives in stable ${round}` });
      expect(await knows(other, `alpaca${round}`)).toBe(true);
      await call(other, 'memory_write', { text: `bison${round} lives in field ${round}` });
      expect(await knows(one, `bison${round}`)).toBe(true);
      await cli.ok('remember', `camel${round} lives in tent ${round}`);
      expect(await knows(one, `camel${round}`)).toBe(true);
      expect(await knows(other, `camel${round}`)).toBe(true);
    }
    expect(await cli.ok('recall', 'bison4')).toContain('bison4');
    await Promise.all([one.close(), other.close()]);
    await server.stop();
  });

  it('an edit by hand is found without a command', async () => {
    const cli = await makeHome();
    const client = await connectStdio(cli.home);
    await knows(client, 'deploy');
    fs.mkdirSync(path.join(cli.home, 'workspace/memory/reference'), { recursive: true });
    fs.writeFileSync(path.join(cli.home, 'workspace/memory/reference/zebra.md'), '# Zebra\n\nThe zebra has stripes.\n');
    expect(await until(() => knows(client, 'stripes'), Boolean)).toBe(true);
    await client.close();
  });
});

describe('a server that runs for long', () => {
  const damage: readonly [string, (state: string) => void][] = [
    // The server may be adding a file at that moment.
    ['deleted', (state) => fs.rmSync(state, { recursive: true, maxRetries: 10, retryDelay: 20 })],
    [
      'overwritten with rubbish',
      (state) => {
        for (const name of fs.readdirSync(state).filter((file) => file.startsWith('index.db'))) {
          fs.writeFileSync(path.join(state, name), 'rubbish '.repeat(4096));
        }
      },
    ],
    ['cut short', (state) => fs.truncateSync(path.join(state, 'index.db'), 5000)],
  ];

  it.each(damage)('survives its index being %s', async (_how, harm) => {
    const cli = await makeHome();
    const client = await connectStdio(cli.home);
    expect(await knows(client, 'Tuesdays')).toBe(true);
    harm(path.join(cli.home, 'state'));
    expect(await until(() => knows(client, 'Tuesdays'), Boolean)).toBe(true);
    const { isError } = await call(client, 'memory_write', { text: 'The quokka smiles' });
    expect(isError).toBe(false);
    expect(await until(() => knows(client, 'quokka'), Boolean)).toBe(true);
    await client.close();
    expect(await cli.ok('recall', 'quokka')).toContain('quokka');
  });
});
