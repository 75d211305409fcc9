import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { openMneme } from '../../src/index.ts';
import { TestCli } from '../support/cli.ts';

const drawing = /## What happens in a session[\s\S]*?```\n([\s\S]*?)```/u.exec(
  fs.readFileSync(path.resolve(import.meta.dirname, '../../README.md'), 'utf8'),
)?.[1];

/** Of the drawing, what stands in quotation marks behind a speaker. */
function said(speaker: string): string[] {
  return [...(drawing ?? '').matchAll(new RegExp(`^ ${speaker} +"(.*)"$`, 'gmu'))].map(([, words = '']) => words);
}

it('a session goes as README draws it', async () => {
  const [question = '', answer = ''] = said('you');
  const included = [...(drawing ?? '').matchAll(/│ (\S.*\S) +│/gu)].map(([, line = '']) => line);
  expect(included).toHaveLength(2);

  const cli = new TestCli();
  await cli.init();
  const memory = await openMneme({ home: cli.home });
  for (const line of included) {
    const before = await memory.session.start();
    await before.message('user', line);
    await before.end();
    await memory.extract();
  }
  const session = await memory.session.start();
  await session.message('user', question);
  const { prompt } = await memory.context(question, { session: session.id, event: 'prompt' });
  for (const line of included) expect(prompt).toContain(line);

  await session.message('agent', said('agent')[0] ?? '');
  await session.message('user', answer);
  await session.end();
  await memory.extract();
  const lines = fs.readFileSync(path.join(cli.home, 'workspace/memory/graph/entities/person--user.md'), 'utf8');
  await memory.close();
  expect(lines).toMatch(/We deploy on Tuesdays, after the stand-up\. <!-- .*superseded/u);
  expect(lines).toContain('We now deploy on Thursdays, after the stand-up.');
});
