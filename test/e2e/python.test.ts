import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { serveTestHome } from '../support/http-server.ts';

const page = path.resolve(import.meta.dirname, '../../docs/python.md');
const hasPython = spawnSync('python3', ['--version']).status === 0;

describe.skipIf(!hasPython)('docs/python.md', () => {
  it('shows a program that runs against the HTTP API', async () => {
    const program = /^```python\n([\s\S]*?)^```$/mu.exec(fs.readFileSync(page, 'utf8'))?.[1] ?? '';
    const server = await serveTestHome();
    const env = { ...process.env, MNEME_URL: server.url, MNEME_TOKEN: server.token('main') };
    const child = spawn('python3', ['-c', program], { env });
    let out = '';
    let err = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      out += chunk;
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      err += chunk;
    });
    const [code] = (await once(child, 'close')) as [number | null];
    const { hits } = await server.mneme.recall('Where did I move to in May?');
    await server.close();
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/<memory>[\s\S]*allergic to walnuts[\s\S]*<\/memory>\nagent [\s\S]*allergic to walnuts/u);
    expect(hits.map(({ text }) => text).join('\n')).toContain('Porto');
  });
});
