import { afterAll, beforeAll, expect, it } from 'vitest';
import { Dashboard } from './support/dashboard.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await Dashboard.open();
});
afterAll(() => dashboard.close());

const HOSTILE = [
  '# <img src=x onerror="window.hacked = 1">',
  '',
  '<script>window.hacked = 1</script>',
  '<iframe src="https://example.org"></iframe>',
  '<a href="javascript:window.hacked=1">raw</a>',
  '[link](javascript:window.hacked=1) [data](data:text/html,<script>window.hacked=1</script>) [vb](vbscript:x)',
  '![picture](https://example.org/spy.png)',
  '<style>body { display: none }</style>',
  '[[<b>bold</b>|<img src=x onerror="window.hacked = 1">]]',
  '`<script>window.hacked = 1</script>`',
  '<div style="position:fixed;inset:0">cover</div>',
  '[half an escape](%E0%A4.md)',
  '',
].join('\n\n');

// SPEC PAGE-1, PAGE-3
it('shows hostile content as words', async () => {
  const owner = dashboard.server.client('owner');
  await owner.call('files save', { path: 'memory/reference/hostile.md', text: HOSTILE, baseHash: null });
  await owner.call('remember', {
    text: 'hostilefinding <img src=x onerror="window.hacked = 1"> <script>window.hacked=1</script>',
  });
  const { page, context, problems } = await dashboard.visit('memory/files/memory/reference/hostile.md');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.locator('.prose').getByText('[picture: picture]').waitFor();
  const prose = page.locator('.prose').first();
  expect(await prose.locator('script, iframe, img, style, [style], [onerror]').count()).toBe(0);
  expect(
    await prose.locator('a[href^="javascript:"], a[href^="data:"], a[href^="vbscript:"], a[href=""]').count(),
  ).toBe(0);
  for (const view of [
    'now',
    'time/changes',
    'memory?q=hostilefinding',
    'time',
    'memory/files/memory/reference/hostile.md',
  ])
    await dashboard.go(page, view);
  expect(await page.evaluate('window.hacked')).toBeUndefined();
  expect(asked.filter((url) => !url.startsWith(dashboard.server.url))).toEqual([]);
  expect(problems).toEqual([]);
  await context.close();
});

it('shows texts made to be slow as they are, and goes on', async () => {
  const owner = dashboard.server.client('owner');
  const slow = { comments: 'x <!--'.repeat(15_000), quotations: '>'.repeat(90_000) };
  for (const [name, text] of Object.entries(slow)) {
    await owner.call('files save', { path: `memory/reference/${name}.md`, text: `${text}\n`, baseHash: null });
    const { page, context, problems } = await dashboard.visit(`memory/files/memory/reference/${name}.md`);
    await page.locator('.prose pre').waitFor();
    await dashboard.go(page, 'now');
    expect(problems).toEqual([]);
    await context.close();
  }
});

it('shows at once in every tab what an agent writes', async () => {
  const one = await dashboard.visit('now');
  const two = await dashboard.visit('time/changes');
  await one.page.locator('.connection[data-state=live]').first().waitFor({ state: 'attached' });
  await two.page.locator('.connection[data-state=live]').first().waitFor({ state: 'attached' });
  await Promise.all(
    Array.from({ length: 8 }, (_, number) => dashboard.server.mneme.remember(`The agent wrote line ${number} of many`)),
  );
  await one.page.getByLabel('What to remember').fill('A person wrote at the same time');
  await one.page.getByRole('button', { name: 'Remember' }).click();
  for (const { page } of [one, two]) {
    await page
      .getByText(/The agent wrote line 7 of many/u)
      .first()
      .waitFor();
    await page
      .getByText(/A person wrote at the same time/u)
      .first()
      .waitFor();
  }
  const { hits } = await dashboard.server
    .client('owner')
    .call('recall', { query: 'The agent wrote line of many', limit: 20 });
  expect(hits.filter(({ text }) => text.includes('of many')).length).toBeGreaterThanOrEqual(8);
  await one.context.close();
  await two.context.close();
});

it('answers the latest question only, however slow the server is', async () => {
  const { page, context } = await dashboard.visit('memory');
  await page.route('**/api/v1/recall', async (route) => {
    const { query } = route.request().postDataJSON() as { query: string };
    // The first answer would come last.
    const waitMs = query === 'SQLite' ? 1500 : 50;
    await new Promise((resolve) => {
      setTimeout(resolve, waitMs);
    });
    await route.continue().catch(() => undefined);
  });
  await page.getByRole('searchbox').fill('SQLite');
  await page.waitForTimeout(300);
  await page.getByRole('searchbox').fill('lives in Aarhus');
  await page.locator('.hit').filter({ hasText: 'Aarhus' }).first().waitFor();
  await page.waitForTimeout(1800);
  expect(await page.locator('.hit').first().textContent()).toContain('Aarhus');
  await context.close();
});

it('says what to do when a question fails, and tries again', async () => {
  const { page, context } = await dashboard.visit();
  await page.route('**/api/v1/timeline*', (route) =>
    route.fulfill({
      status: 503,
      contentType: 'application/json',
      body: '{"error":{"code":"busy","message":"Too much at once.","hint":"Wait a moment."}}',
    }),
  );
  await page.goto(`${dashboard.server.url}/#/time`);
  await page.getByRole('alert').filter({ hasText: 'Wait a moment.' }).waitFor();
  await page.unroute('**/api/v1/timeline*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('Skagen goes live').first().waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
  await context.close();
});

it('says when the connection is lost, keeps what was typed, and comes back', async () => {
  const { page, context } = await dashboard.visit('memory/files/MEMORY.md');
  await page.locator('.connection[data-state=live]').first().waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Edit MEMORY.md').fill('half a thought');
  await context.setOffline(true);
  await page.getByText('Offline.').waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Mneme does not answer.').waitFor();
  expect(await page.getByLabel('Edit MEMORY.md').inputValue()).toBe('half a thought');
  await context.setOffline(false);
  await page.getByText('Offline.').waitFor({ state: 'detached' });
  await page.locator('.connection[data-state=live]').first().waitFor({ state: 'attached' });
  await context.close();
});

it('changes nothing with a token that may only look, and says why', async () => {
  const { page, context } = await dashboard.visit('now', { role: 'viewer' });
  await page.getByText('Read only.').waitFor();
  expect(await page.getByLabel('What to remember').count()).toBe(0);
  await dashboard.go(page, 'inbox');
  const enabled = await page.locator('main button.primary:enabled, main button.danger:enabled').count();
  expect(enabled).toBe(0);
  await page.getByRole('link', { name: /What harbours ask for/u }).click();
  const approve = page.getByRole('button', { name: 'Approve', exact: true });
  expect(await approve.getAttribute('title')).toContain('may only read');
  const status = await page.evaluate(
    "fetch('/api/v1/remember', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{\"text\":\"x\"}' }).then((answer) => answer.status)",
  );
  expect(status).toBe(403);
  await context.close();
});

it('asks for a token over the page when the session has ended, and goes on by itself when another tab is let in', async () => {
  const { page, context } = await dashboard.visit();
  await page.getByLabel('What to remember').fill('Half a thought');
  const cookies = await context.cookies();
  await context.clearCookies();
  await page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name: 'System' }).click();
  const dialog = page.getByRole('dialog', { name: 'The session has ended' });
  await dialog.waitFor();
  expect(await page.getByText('A token is needed').count()).toBe(0);
  await context.addCookies(cookies);
  await dialog.waitFor({ state: 'detached' });
  await page.locator('.connection[data-state=live]').first().waitFor({ state: 'attached' });
  await page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name: 'Now' }).click();
  expect(await page.getByLabel('What to remember').inputValue()).toBe('Half a thought');
  await context.close();
});

it('asks for a token when the server has been restarted, and goes on by itself once another tab has one', async () => {
  const { page, context } = await dashboard.visit('system');
  await page.locator('.connection[data-state=live]').first().waitFor({ state: 'attached' });
  await dashboard.restart(() => page.getByText('Offline.').waitFor());
  const dialog = page.getByRole('dialog', { name: 'The session has ended' });
  await dialog.waitFor();
  expect(await page.getByText('Offline.').count()).toBe(0);
  const other = await context.newPage();
  await other.goto(`${dashboard.server.url}/#token=${dashboard.server.token('owner')}`);
  await dialog.waitFor({ state: 'detached' });
  await page.locator('.connection[data-state=live]').first().waitFor({ state: 'attached' });
  await dashboard.go(page, 'time/changes');
  await dashboard.server.mneme.remember('The server was away for a moment');
  await page.getByText('The server was away for a moment').first().waitFor();
  await context.close();
});
