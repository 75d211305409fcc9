import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { initTestHome, makeTemporaryFolder } from '../support/home.ts';
import { openMneme, type Mneme } from '../../src/index.ts';
import { must } from '../../src/model/errors.ts';

let m: Mneme;
let nowMs = Date.parse('2026-03-02T18:00:00Z');

beforeEach(async () => {
  nowMs = Date.parse('2026-03-02T18:00:00Z');
  const home = makeTemporaryFolder();
  await initTestHome(home);
  // Nothing that is said becomes a fact.
  fs.appendFileSync(path.join(home, 'mneme.yaml'), 'extract:\n  trigger: manual\n');
  m = await openMneme({ home, actor: 'human:user', parts: { clock: { now: () => nowMs } } });
});
afterEach(() => m.close());

async function say(id: string, text: string, at: string): Promise<void> {
  nowMs = Date.parse(at);
  const session = await m.session.start({ id });
  await session.message('user', text);
  await session.end();
}

it('a reflection asks once about what was said otherwise before, which never became facts', async () => {
  await say('s1', 'our feature flags live in postgres', '2026-03-02T18:00:00Z');
  await say('s2', 'the lamp in the hall is green', '2026-03-03T18:00:00Z');
  await say('s3', 'the feature flags live in consul', '2026-03-09T18:00:00Z');
  const { text, proposal } = await m.reflect();
  expect(text).toContain(
    'You said “our feature flags live in postgres” (2 March (s1#t1)), but later “the feature flags live in consul” (9 March (s3#t1)). Which of them holds?',
  );
  expect(text).not.toContain('lamp in the hall is green” (3 March (s2#t1)), but');
  await m.approve({ ids: [must(proposal, 'a reflection')] });
  await say('s4', 'we moved the desks', '2026-03-16T18:00:00Z');
  expect((await m.reflect()).text).not.toContain('postgres');
});

it('a reflection does not ask about what was forgotten, or said in another scope', async () => {
  await say('s1', 'our feature flags live in postgres', '2026-03-02T18:00:00Z');
  nowMs += 60_000;
  const hidden = await m.session.start({ id: 's2', scope: 'project:quay' });
  await hidden.message('user', 'the pump house opens at 7');
  await hidden.end();
  await m.extract({ sessions: ['s1'] });
  const { code } = await m.forget('feature flags live in postgres');
  await m.confirmForget(must(code, 'a code'));
  await say('s3', 'the feature flags live in consul', '2026-03-09T18:00:00Z');
  await say('s4', 'the pump house opens at 9', '2026-03-10T18:00:00Z');
  const { text } = await m.reflect();
  expect(text).not.toContain('postgres');
  expect(text).not.toContain('opens at 7');
});
