import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AnswerOf } from '../../src/client/client.ts';
import { Dashboard } from './support/dashboard.ts';

const MANY = 10_000;
const MAX_NODES = 3000;

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await Dashboard.open();
});
afterAll(() => dashboard.close());

/** Lets the page see a much longer answer than the home has. */
async function lengthen<Answer>(page: Page, name: string, change: (answer: Answer) => Answer): Promise<void> {
  await page.route(`**/api/v1/${name}*`, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: change((await response.json()) as Answer) });
  });
}

const countNodes = (page: Page): Promise<number> => page.locator('*').count();

it('lists ten thousand files on a small page, finds one, and folds a folder', async () => {
  const { page, context, problems } = await dashboard.visit();
  await lengthen<AnswerOf<'files list'>>(page, 'files/list', (answer) => ({
    ...answer,
    files: [
      ...answer.files,
      ...Array.from({ length: MANY }, (_, number) =>
        Object.assign({}, answer.files[0], { path: `memory/reference/note-${String(number).padStart(5, '0')}.md` }),
      ),
    ],
  }));
  await dashboard.go(page, 'memory/files/memory/reference/note-09000.md');
  const files = page.getByRole('navigation', { name: 'Files' });
  await files.getByText('note-09000.md').waitFor();
  expect(await countNodes(page)).toBeLessThan(MAX_NODES);
  await page.getByLabel('Find a file').fill('note-07777');
  await files.getByText('note-07777.md').waitFor();
  await page.getByLabel('Find a file').fill('');
  await dashboard.go(page, 'memory/files/MEMORY.md');
  await files.getByText('MEMORY.md').waitFor();
  const folder = files.getByRole('button', { name: /memory\/reference/u });
  expect(await folder.getAttribute('aria-expanded')).toBe('false');
  await folder.click();
  await files.getByText('note-00000.md').waitFor();
  expect(await countNodes(page)).toBeLessThan(MAX_NODES);
  // The file of that name is not really there.
  expect(problems.filter((problem) => !problem.includes('404'))).toEqual([]);
  await context.close();
});

it('shows a day of ten thousand entries a stretch at a time', async () => {
  const { page, context, problems } = await dashboard.visit();
  await lengthen<AnswerOf<'timeline'>>(page, 'timeline', (answer) => ({
    ...answer,
    days: answer.days.map((day, at) => {
      const [episode] = answer.days.flatMap(({ episodes }) => episodes);
      if (at > 0 || episode === undefined) return day;
      const many = Array.from({ length: MANY }, (_, number) =>
        Object.assign({}, episode, { startLine: number + 1, title: `Entry ${number}` }),
      );
      return { ...day, episodes: many };
    }),
  }));
  await dashboard.go(page, 'time');
  await page.getByText('Entry 0', { exact: true }).waitFor();
  expect(await countNodes(page)).toBeLessThan(MAX_NODES);
  await page.getByRole('button', { name: 'Earlier days' }).click();
  await page.getByText('Entry 120', { exact: true }).waitFor();
  expect(await page.getByText('Entry 0', { exact: true }).count()).toBe(0);
  expect(await countNodes(page)).toBeLessThan(MAX_NODES);
  await page.getByRole('button', { name: 'Later days' }).click();
  await page.getByText('Entry 0', { exact: true }).waitFor();
  expect(problems).toEqual([]);
  await context.close();
});

it('shows a long conversation, and a file of ten thousand lines, in parts', async () => {
  const { page, context, problems } = await dashboard.visit();
  const { session } = dashboard.server.mneme;
  await session.start({ id: 'long-talk' });
  for (let number = 0; number < 150; number += 1)
    await session.message('long-talk', 'user', `- point ${number}\n- and a **second**`);
  await dashboard.go(page, 'time/talk/long-talk?turn=t70');
  await page.locator('.turn.target').waitFor();
  expect(await countNodes(page)).toBeLessThan(MAX_NODES);
  const lines = Array.from({ length: MANY }, (_, number) => `- item ${number}`).join('\n');
  await dashboard.server
    .client('owner')
    .call('files save', { path: 'memory/reference/long.md', text: `# Long\n\n${lines}\n`, baseHash: null });
  await dashboard.go(page, 'memory/files/memory/reference/long.md?line=5003');
  await page.getByText('item 5000', { exact: true }).waitFor();
  expect(await page.locator('.target').textContent()).toBe('item 5000');
  expect(await countNodes(page)).toBeLessThan(MAX_NODES);
  await page.getByRole('button', { name: 'Part after' }).click();
  await page.getByText('item 5000', { exact: true }).waitFor({ state: 'detached' });
  expect(problems).toEqual([]);
  await context.close();
});
