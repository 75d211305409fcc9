import { spawn, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openMneme } from '../../src/mneme.ts';
import { initTestHome, makeTemporaryFolder } from '../support/home.ts';

/** The first account of every Hardhat node: known to all the world, and worth nothing. */
const TEST_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
const HARDHAT = path.join(import.meta.dirname, '../../node_modules/.bin/hardhat');

let node: ChildProcess | undefined;
let url: string;

/** A development chain of our own, on a port that is free. */
function startNode(): Promise<string> {
  const folder = makeTemporaryFolder();
  fs.writeFileSync(path.join(folder, 'package.json'), '{"type":"module","private":true}\n');
  fs.writeFileSync(path.join(folder, 'hardhat.config.js'), 'export default {};\n');
  fs.symlinkSync(path.join(import.meta.dirname, '../../node_modules'), path.join(folder, 'node_modules'));
  const child = spawn(HARDHAT, ['node', '--hostname', '127.0.0.1', '--port', '0'], {
    cwd: folder,
    env: { ...process.env, HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true', CI: 'true' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  node = child;
  return new Promise((resolve, reject) => {
    let said = '';
    const listen = (chunk: Buffer): void => {
      said += chunk.toString();
      const [, found] = /(http:\/\/127\.0\.0\.1:\d+)/u.exec(said) ?? [];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    child.on('close', () => reject(new Error(`The node ended: ${said}`)));
  });
}

/** npm leaves the chain's program out when an older Node did the installing; `npm install` again with Node 22 gets it. */
const hasChain = fs
  .readdirSync(path.join(import.meta.dirname, '../../node_modules/@nomicfoundation'))
  .some((name) => name.startsWith('edr-'));

beforeAll(async () => {
  if (!hasChain) return;
  url = await startNode();
  process.env['MNEME_EVM_RPC_URL'] = url;
  process.env['MNEME_EVM_KEY'] = TEST_KEY;
});

afterAll(() => {
  node?.kill();
  delete process.env['MNEME_EVM_RPC_URL'];
  delete process.env['MNEME_EVM_KEY'];
});

describe.skipIf(!hasChain)('an EVM chain', () => {
  it('holds the head in a transaction of its own, and gives it back', async () => {
    const home = path.join(makeTemporaryFolder(), 'home');
    await initTestHome(home);
    const mneme = await openMneme({ home, actor: 'manual' });
    await mneme.chain.add('We anchor on Sundays.');
    const { receipt, head, seq } = await mneme.chain.anchor({ kind: 'evm' });
    expect(receipt).toMatch(/^[0-9a-f]{64}$/u);
    const asked = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'eth_getTransactionByHash',
        params: [`0x${receipt ?? ''}`],
      }),
    });
    const { result } = (await asked.json()) as { result: { input: string; from: string; to: string } };
    expect(result.input).toBe(`0x${head}`);
    expect(result.from).toBe(result.to);
    const verified = await mneme.chain.verify({ anchors: true });
    expect(verified).toMatchObject({ isWhole: true, anchors: [{ kind: 'evm', heads: 1, lastSeq: seq }] });
    expect(verified.anchors?.[0]?.heldSince).toMatch(/^\d{4}-/u);
    // Another chain than the anchored one.
    const receipts = path.join(home, 'chain', 'anchors.jsonl');
    fs.writeFileSync(receipts, fs.readFileSync(receipts, 'utf8').replace(`"seq":${seq}`, `"seq":${seq - 1}`));
    expect((await mneme.chain.verify({ anchors: true })).findings).toMatchObject([{ code: 'rewritten', seq: seq - 1 }]);
    process.env['MNEME_EVM_RPC_URL'] = 'http://127.0.0.1:9';
    await expect(mneme.chain.anchor({ kind: 'evm' })).rejects.toMatchObject({ code: 'failure' });
    expect((await mneme.chain.verify({ anchors: true })).findings).toMatchObject([{ code: 'anchor' }]);
    await mneme.close();
  });
});
