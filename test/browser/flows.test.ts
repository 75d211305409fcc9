import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Dashboard } from './support/dashboard.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await Dashboard.open();
});
afterAll(() => dashboard.close());

function readFile(relative: string): string {
  return fs.readFileSync(path.join(dashboard.server.home, 'workspace', relative), 'utf8');
}

// SPEC PAGE-2
it('remembers, and takes it back', async () => {
  const { page, context } = await dashboard.visit();
  await page.getByLabel('What to remember').fill('The lighthouse keeper in Skagen is called Bo');
  await page.getByRole('button', { name: 'Remember' }).click();
  await page.getByText('Remembered.').waitFor();
  const { hits } = await dashboard.server.client('owner').call('recall', { query: 'lighthouse keeper called Bo' });
  expect(hits[0]?.text).toContain('lighthouse keeper');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Taken back.').waitFor();
  const after = await dashboard.server.client('owner').call('recall', { query: 'lighthouse keeper called Bo' });
  expect(after.hits.map(({ text }) => text).join()).not.toContain('lighthouse keeper');
  await context.close();
});

it('shows what the agent was told, what was left out and why, and word for word', async () => {
  const { page, context } = await dashboard.visit();
  await page.getByRole('link', { name: 'Can we release the Skagen board on Friday?' }).click();
  const told = page.getByRole('region', { name: 'As the model read it' });
  await told.getByRole('link', { name: 'release', exact: true }).waitFor();
  await told.getByRole('link', { name: /^We decided that boards are released on Tuesdays/u }).waitFor();
  await page
    .getByRole('region', { name: 'Nearest that were left out' })
    .getByText(/likely to help; the bar was/u)
    .first()
    .waitFor();
  await told.getByText('Word for word').click();
  expect(await told.locator('pre').textContent()).toContain('Never on a Friday');
  // No mark of the files, no path and no id.
  const words = await page.locator('.statement').allTextContents();
  expect(words.length).toBeGreaterThan(5);
  expect(words.filter((text) => /\[\[|<!--|--|\.md|\^[0-9a-z]{6}/u.test(text))).toEqual([]);
  await context.close();
});

it('keeps the receipt that is read, at its address, when the agent asks again', async () => {
  const { page, context } = await dashboard.visit();
  await page.getByRole('link', { name: 'Who decides when Skagen goes live?' }).click();
  await page.waitForURL(/#\/now\/\w+/u);
  await dashboard.server.client('owner').call('context', { message: 'Which colours at night?', event: 'prompt' });
  await page.getByRole('link', { name: 'Which colours at night?' }).waitFor();
  expect(await page.getByRole('heading', { level: 2, name: 'Who decides when Skagen goes live?' }).count()).toBe(1);
  await page.reload();
  await page.getByRole('heading', { level: 2, name: 'Who decides when Skagen goes live?' }).waitFor();
  expect(page.url()).toMatch(/#\/now\/\w+/u);
  await context.close();
});

it('asks again, and shows what would be told now', async () => {
  const { page, context } = await dashboard.visit();
  await page.getByRole('link', { name: 'Why were the tide times off?' }).click();
  await page.getByRole('button', { name: 'Ask again' }).click();
  const again = page.getByRole('region', { name: 'Asked again' });
  await again.getByText(/this would change|told the same/u).waitFor();
  await dashboard.server.mneme.remember('The tide times were off because the feed added the time zone twice in autumn');
  await again.getByText(/added the time zone twice in autumn/u).waitFor();
  expect(await again.textContent()).toContain('this would change');
  await context.close();
});

it('forgets and corrects a memory where it is read, and takes it back', async () => {
  const owner = dashboard.server.client('owner');
  const texts = async (): Promise<string> =>
    (await owner.call('recall', { query: 'seagull on the mast' })).hits.map(({ text }) => text).join();
  await dashboard.server.mneme.remember('A seagull sits on the mast of the board in Skagen');
  await owner.call('context', { message: 'What sits on the mast of the board in Skagen, a seagull?', event: 'prompt' });
  const { page, context } = await dashboard.visit();
  const statement = page
    .getByRole('region', { name: 'As the model read it' })
    .locator('.statement')
    .filter({ hasText: 'A seagull sits' })
    .first();
  await statement.hover();
  await statement.getByRole('button', { name: 'correct' }).click();
  await page.getByLabel('The right words').fill('A cormorant sits on the mast of the board in Skagen');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Corrected.').waitFor();
  expect(await texts()).toContain('cormorant');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Taken back.').waitFor();
  await statement.hover();
  await statement.getByRole('button', { name: 'forget' }).click();
  await page.getByText('Forgotten.').waitFor();
  expect(await texts()).not.toContain('seagull');
  await context.close();
});

it('says of a silent prompt in plain words why, and offers to tell the closest anyway', async () => {
  const owner = dashboard.server.client('owner');
  await owner.call('context', { message: 'explain what a monad is in Haskell', event: 'prompt' });
  const { silence } = await owner.call('context show', { receipt: 'last' });
  expect(silence?.closest).toHaveLength(3);
  const { page, context, problems } = await dashboard.visit();
  const why = page.getByRole('region', { name: 'Why nothing was told' });
  await why.getByText(/sure that memory helps here/u).waitFor();
  expect(await why.locator('.statement').count()).toBe(3);
  await why.getByRole('button', { name: 'Tell it anyway' }).first().click();
  await page.getByText('It will be told at the start of every session.').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Taken back.').waitFor();
  expect(problems).toEqual([]);
  await context.close();
});

it('does not count proposals, nor what was taken back, as learned', async () => {
  const mneme = dashboard.server.mneme;
  const { mutation } = await mneme.remember('The ferry to Laesoe leaves at six');
  await dashboard.server.client('owner').call('rollback', { target: mutation });
  await mneme.remember('The ferry to Anholt leaves at seven');
  const { page, context } = await dashboard.visit();
  const learned = page.getByRole('region', { name: 'Learned since yesterday' });
  await learned.getByText(/The ferry to Anholt/u).waitFor();
  const words = await learned.textContent();
  expect(words).not.toContain('Laesoe');
  expect(words).not.toContain('Merge');
  expect(words).not.toContain('What harbours ask for');
  await context.close();
});

it('answers for edits made outside', async () => {
  const { page, context } = await dashboard.visit('inbox/outside');
  await page.getByRole('button', { name: 'Yes, mine' }).click();
  await page.getByText('Noted: MEMORY.md was you.').waitFor();
  const question = page.getByRole('heading', { name: 'Were these edits yours?' });
  await question.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('link', { name: /Were these edits yours/u }).click();
  await question.waitFor();
  await page.getByRole('button', { name: 'Yes, mine' }).click();
  const waiting = async (): Promise<number> =>
    (await dashboard.server.client('owner').call('audit alerts')).externalEdits.length;
  expect(await waiting()).toBe(1);
  await expect.poll(waiting, { timeout: 20_000 }).toBe(0);
  await context.close();
});

it('finds as one types, leads from a memory to the turn and the prompts, and looks into the past', async () => {
  const { page, context, problems } = await dashboard.visit('memory');
  await page.getByRole('searchbox').pressSequentially('tide times were an hour off', { delay: 15 });
  const first = page.locator('.hit').filter({ hasText: 'the zone was added twice' }).first();
  await first.waitFor();
  await first.getByRole('link').first().click();
  await page.getByRole('heading', { level: 1, name: 'A memory' }).waitFor();
  await page.getByRole('region', { name: 'When it was told' }).getByRole('link').first().waitFor();
  await page.goBack();
  await first.waitFor();
  const day = new Date(Date.now() - 10 * 86_400_000).toISOString().slice(0, 10);
  await page.getByLabel('As known on').fill(day);
  await page.getByLabel('As known on').dispatchEvent('change');
  await page.getByText('As it was known on').waitFor();
  await first.waitFor({ state: 'detached' });
  await page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name: 'Time' }).click();
  expect(page.url()).toContain(`known=${day}`);
  await page.getByRole('link', { name: 'Back to today' }).click();
  expect(page.url()).not.toContain('known=');
  expect(problems).toEqual([]);
  await context.close();
});

it('follows an address while it is on the view, and shows a memory once', async () => {
  const { page, context } = await dashboard.visit('memory?q=SQLite');
  await page.locator('.hit').first().waitFor();
  await page.goto(`${dashboard.server.url}/#/memory?q=lives in Aarhus`);
  await page.locator('.hit').filter({ hasText: 'Aarhus' }).first().waitFor();
  expect(await page.getByRole('searchbox').inputValue()).toBe('lives in Aarhus');
  const words = (await page.locator('.hit .words').allTextContents()).map((text) => text.toLowerCase());
  expect(words.filter((text, index) => words.indexOf(text) !== index)).toEqual([]);
  await context.close();
});

it('counts what was found by kind and by whose words it is, and narrows to one of them', async () => {
  const { page, context } = await dashboard.visit('memory?q=release of the boards');
  const facets = page.getByRole('group', { name: 'Narrow the search' });
  const facts = facets.getByRole('button', { name: /^facts/u });
  const count = Number(/\d+/u.exec((await facts.textContent()) ?? '')?.[0]);
  expect(count).toBeGreaterThan(0);
  await facts.click();
  await page.waitForURL(/store=semantic/u);
  await facts.waitFor({ state: 'detached' });
  const kinds = await page.locator('.hit .about').allTextContents();
  expect(kinds.every((kind) => kind.includes('facts'))).toBe(true);
  await context.close();
});

it('finds a person by the beginning of a name', async () => {
  const { page, context } = await dashboard.visit('memory');
  await page.getByRole('searchbox').fill('jon');
  await page
    .getByRole('navigation', { name: 'People and things' })
    .getByRole('link', { name: /Jonas Pell/u })
    .click();
  await page.getByRole('heading', { level: 1, name: 'Jonas Pell' }).waitFor();
  expect(page.url()).toContain('#/memory/about/person--jonas-pell');
  await context.close();
});

it('shows a person through time: what holds, what held, and the turn that taught it', async () => {
  const { page, context, problems } = await dashboard.visit('memory/about/person--jonas-pell');
  await page.getByRole('region', { name: 'What holds' }).getByText('Lives in Aarhus.').waitFor();
  await page.getByRole('region', { name: 'What held before' }).getByText('Lives in Odense.').waitFor();
  await page.getByRole('region', { name: 'Connected with' }).getByText('managed by').waitFor();
  // Whether the learner files it as a fact or as a task, it unfolds.
  const learned = page
    .locator('.statement')
    .filter({ hasText: 'Jonas moves to', has: page.getByRole('button', { name: 'how?' }) });
  await learned.getByRole('button', { name: 'how?' }).click();
  await page.locator('.taught mark').filter({ hasText: 'Aarhus' }).first().waitFor();
  const scrubber = page.getByLabel('What was known on');
  await scrubber.fill(await scrubber.getAttribute('min').then((min) => String(Number(min) + 2)));
  await page.getByText('As it was known on').waitFor();
  await learned.waitFor({ state: 'detached' });
  expect(page.url()).toContain('known=');
  await page.getByRole('button', { name: 'True then' }).click();
  await page.getByLabel('What was true on').fill(String(Date.parse('2024-06-01') / 86_400_000));
  await page.getByRole('region', { name: 'What holds' }).getByText('Lives in Odense.').waitFor();
  expect(problems).toEqual([]);
  await context.close();
});

it('undoes a change of the history after a preview', async () => {
  const { page, context } = await dashboard.visit('time/changes?text=Ida Brandt');
  await page.getByRole('link', { name: /Ida Brandt wants the tide in centimetres/u }).click();
  await page.getByRole('button', { name: /Take this back/u }).click();
  const dialog = page.getByRole('dialog');
  await dialog.locator('.diff-line.cut').filter({ hasText: 'centimetres' }).waitFor();
  await dialog.getByRole('button', { name: 'Take it back' }).click();
  await page.getByText(/Taken back:/u).waitFor();
  const { hits } = await dashboard.server.client('owner').call('recall', { query: 'tide in centimetres' });
  expect(hits.map(({ text }) => text).join()).not.toContain('centimetres');
  await context.close();
});

it('compares two dates', async () => {
  const { page, context } = await dashboard.visit('time/compare');
  await page.getByLabel('From the beginning of').fill(new Date(Date.now() - 5 * 86_400_000).toISOString().slice(0, 10));
  await page.getByLabel('From the beginning of').dispatchEvent('change');
  await page.getByText(/files changed, \d+ lines added/u).waitFor();
  const [first, second] = await page.getByRole('navigation', { name: 'Changed files' }).getByRole('link').all();
  expect(await first?.getAttribute('aria-current')).toBe('true');
  await second?.click();
  await page.waitForURL(/#\/time\/compare\/.+from=/u);
  expect(await second?.getAttribute('aria-current')).toBe('true');
  await context.close();
});

it('leads from a day to the turn, and from a turn to what was learned', async () => {
  const { page, context } = await dashboard.visit('time');
  await page.getByRole('link', { name: /The tide feed drifts by an hour/u }).click();
  await page.getByRole('heading', { level: 1, name: 'The tide feed drifts by an hour' }).waitFor();
  await dashboard.go(page, 'time/talk/tide-feed?turn=t3');
  expect(await page.locator('.turn.target').textContent()).toContain('we never store local times again');
  await page.getByRole('region', { name: 'Learned from it' }).getByRole('link').first().click();
  await page.getByRole('heading', { level: 1, name: 'Changes' }).waitFor();
  await context.close();
});

it('edits a file with a preview, and brings two versions together when an agent wrote meanwhile', async () => {
  const { page, context } = await dashboard.visit('memory/files/MEMORY.md');
  await page.getByRole('button', { name: 'Edit' }).click();
  const editor = page.getByLabel('Edit MEMORY.md');
  await editor.fill((await editor.inputValue()).replace('Never store local times', 'Never, ever store local times'));
  await page.getByRole('region', { name: 'Preview' }).getByText('Never, ever store local times').waitFor();
  await dashboard.server.mneme.core.add('Bo keeps the lighthouse', { block: 'Critical Facts' });
  await page.getByRole('button', { name: 'Save' }).click();
  await page
    .getByRole('dialog', { name: 'It was changed meanwhile' })
    .getByRole('button', { name: 'Bring both together' })
    .click();
  expect(await editor.inputValue()).toContain('Bo keeps the lighthouse');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  expect(readFile('MEMORY.md')).toContain('Bo keeps the lighthouse');
  expect(readFile('MEMORY.md')).toContain('Never, ever store local times');
  await context.close();
});

it('draws the whole graph, finds a way, and leads to a person', async () => {
  const { page, context, problems } = await dashboard.visit('memory/graph');
  await page.locator('canvas[data-settled]').waitFor();
  await page.getByLabel('One of them').fill('Jonas Pell');
  await page.getByLabel('The other').fill('SQLite');
  await page.getByRole('button', { name: 'connected?' }).click();
  await page.locator('.path-finder').getByRole('link', { name: 'Lantern' }).click();
  await page.getByRole('heading', { level: 1, name: 'Lantern' }).waitFor();
  expect(problems).toEqual([]);
  await context.close();
});

it('keeps half-written texts when the view is left and the page is reloaded', async () => {
  const { page, context } = await dashboard.visit();
  await page.getByLabel('What to remember').fill('Half a thought about buoys');
  await dashboard.go(page, 'memory/files/MEMORY.md');
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Edit MEMORY.md').fill('half an edit');
  await dashboard.go(page, 'time');
  await page.reload();
  await dashboard.go(page, 'now');
  expect(await page.getByLabel('What to remember').inputValue()).toBe('Half a thought about buoys');
  await dashboard.go(page, 'memory/files/MEMORY.md');
  expect(await page.getByLabel('Edit MEMORY.md').inputValue()).toBe('half an edit');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.reload();
  await page.getByRole('button', { name: 'Edit' }).waitFor();
  await context.close();
});

it('leads to a change that is older than the list, with the way to undo it', async () => {
  const first = await dashboard.server.mneme.remember('The old pier was painted green');
  for (let number = 0; number < 65; number += 1) await dashboard.server.mneme.remember(`Boat ${number} was moored`);
  const { page, context } = await dashboard.visit(`time/changes/${first.mutation}`);
  await page.getByRole('region', { name: /old pier was painted green/u }).waitFor();
  await page.getByRole('button', { name: /Take this back/u }).waitFor();
  await dashboard.go(page, 'time/changes/01ZZZZZZZZZZZZZZZZZZZZZZZZ');
  await page.getByText('This change is not in the history').waitFor();
  expect(await page.getByRole('button', { name: /Take this back/u }).count()).toBe(0);
  await context.close();
});

it('tries a message against the topics', async () => {
  const { page, context } = await dashboard.visit('memory/playbooks');
  await page.getByLabel('A message to try').fill('Please release the board to Skagen tonight');
  await page.getByText('release would come.').waitFor();
  await page.getByRole('region', { name: 'What was decided' }).getByText('told').first().waitFor();
  expect(await page.getByRole('region', { name: 'Try a message' }).getByText('comes').count()).toBeGreaterThan(0);
  await context.close();
});

it('shows in the log of a playbook the message, and leads from it to the prompt', async () => {
  const { page, context } = await dashboard.visit('memory/playbooks/release');
  const log = page.getByRole('region', { name: 'What was decided' });
  await log.getByRole('link', { name: 'Can we release the Skagen board on Friday?' }).click();
  await page.getByRole('heading', { level: 2, name: 'Can we release the Skagen board on Friday?' }).waitFor();
  expect(page.url()).toMatch(/#\/now\/\w+/u);
  await context.close();
});

it('opens a file at the line that an address names', async () => {
  const text = Array.from({ length: 120 }, (_, number) => `- Buoy ${number} is painted.`).join('\n');
  const owner = dashboard.server.client('owner');
  await owner.call('files save', { path: 'memory/reference/buoys.md', text: `${text}\n`, baseHash: null });
  const { page, context } = await dashboard.visit('memory/files/memory/reference/buoys.md?line=100');
  const marked = page.locator('.prose .target');
  await marked.waitFor();
  expect(await marked.textContent()).toBe('Buoy 99 is painted.');
  const box = await marked.boundingBox();
  expect(box?.y).toBeGreaterThan(0);
  expect(box?.y).toBeLessThan(900);
  await context.close();
});
