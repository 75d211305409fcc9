import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recordCli } from './cli.ts';
import { recordHttp, recordMcp } from './http.ts';
import { recordLibrary } from './library.ts';
import { atFixedTime } from './normal.ts';

let backToNow: () => void;
beforeEach(() => {
  backToNow = atFixedTime();
});
afterEach(() => backToNow());

describe('what every verb answers', () => {
  it('over HTTP', async () => {
    await expect(await recordHttp()).toMatchFileSnapshot('http.txt');
  });

  it('on the command line, as text', async () => {
    await expect(await recordCli(false)).toMatchFileSnapshot('cli-text.txt');
  });

  it('on the command line, as JSON', async () => {
    await expect(await recordCli(true)).toMatchFileSnapshot('cli-json.txt');
  });

  it('in the library', async () => {
    await expect(await recordLibrary()).toMatchFileSnapshot('library.txt');
  });

  it('over MCP', async () => {
    await expect(await recordMcp()).toMatchFileSnapshot('mcp.txt');
  });
});
