import fs from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { must } from '../../src/model/errors.ts';
import { Mneme } from '../../src/mneme.ts';
import { compatTools } from '../../src/interfaces/mcp/compat/server-memory.ts';
import { toErrorResult, toMcpError } from '../../src/interfaces/mcp/tool-error.ts';
import { initTestHome, makeTemporaryFolder } from '../support/home.ts';
import { CALLS, readAnswer } from './compat-calls.ts';

const RECORDED = path.join(import.meta.dirname, 'server-memory-answers.json');

it('answers each call as server-memory did when it was recorded', async () => {
  const home = makeTemporaryFolder();
  await initTestHome(home);
  const mneme = await Mneme.open({ home });
  onTestFinished(() => mneme.close());
  const tools = compatTools('server-memory', 'full');
  const recorded = JSON.parse(fs.readFileSync(RECORDED, 'utf8')) as readonly unknown[];
  expect(recorded).toHaveLength(CALLS.length);
  for (const [at, [name, args]] of CALLS.entries()) {
    const tool = must(
      tools.find((one) => one.name === name),
      name,
    );
    const call = {
      access: { mode: 'full', actor: 'bot:main' },
      context: { ...mneme.internals, actor: 'bot:main' },
    } as const;
    let answer: CallToolResult;
    try {
      answer = await tool.run({ ...call, conceal: (text) => text }, args);
    } catch (error) {
      answer = toErrorResult(toMcpError(error, { home, workspace: undefined, userHome: undefined }));
    }
    expect(readAnswer(answer), `${at}: ${name} ${JSON.stringify(args)}`).toEqual(recorded[at]);
  }
});
