import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openMneme, type Mneme } from '../../src/mneme.ts';
import { Dashboard } from './support/dashboard.ts';

/** What people come for, each within five clicks or keys. Words that are typed count as one. */
const MAX_STEPS = 5;

class Hand {
  readonly #page: Page;
  steps = 0;

  constructor(page: Page) {
    this.#page = page;
  }

  async click(what: Locator): Promise<void> {
    this.steps += 1;
    await what.click();
  }

  async type(what: Locator, text: string): Promise<void> {
    this.steps += 1;
    await what.fill(text);
  }

  async press(key: string): Promise<void> {
    this.steps += 1;
    await this.#page.keyboard.press(key);
  }

  /** Moves a slider, as dragging it does. */
  async drag(what: Locator, value: string): Promise<void> {
    this.steps += 1;
    await what.fill(value);
  }
}

let dashboard: Dashboard;
let researcher: Mneme;
beforeAll(async () => {
  dashboard = await Dashboard.open();
  researcher = await openMneme({ home: dashboard.server.home, actor: 'subagent:researcher' });
});
afterAll(async () => {
  await researcher.close();
  await dashboard.close();
});

describe('within five clicks or keys', () => {
  it('tells why the agent said something: the memory it was told, and the turn that taught it', async () => {
    const { page, context } = await dashboard.visit();
    const hand = new Hand(page);
    await hand.click(page.getByRole('link', { name: 'Why were the tide times off?' }));
    const told = page.getByRole('region', { name: 'As the model read it' });
    await hand.click(told.getByRole('link', { name: /UTC/u }).first());
    await page
      .getByText(/Written by|said|in The tide feed/u)
      .first()
      .waitFor();
    expect(hand.steps).toBeLessThanOrEqual(MAX_STEPS);
    await context.close();
  });

  it('corrects a wrong fact', async () => {
    const { page, context } = await dashboard.visit();
    const hand = new Hand(page);
    await hand.press('/');
    await hand.type(page.getByRole('searchbox', { name: 'Search the memory' }), 'hardly ever after lunch');
    const hit = page.locator('.statement').filter({ hasText: 'Answers before nine' }).first();
    await hit.hover();
    await hand.click(hit.getByRole('button', { name: 'correct' }));
    await hand.type(page.getByLabel('The right words'), 'Answers before ten, hardly ever after lunch.');
    await hand.press('Control+Enter');
    await page.getByText('Corrected.').waitFor();
    const { hits } = await dashboard.server.client('owner').call('recall', { query: 'Jonas answers before ten' });
    expect(hits.map(({ text }) => text).join()).toContain('Answers before ten');
    expect(hand.steps).toBeLessThanOrEqual(MAX_STEPS);
    await context.close();
  });

  it('approves two of three lines and edits the third', async () => {
    await researcher.internals.proposals.propose({
      actor: 'subagent:researcher',
      trust: 'agent',
      kind: 'memory',
      title: 'How pilots are called',
      why: '',
      evidence: [],
      changes: [
        {
          path: 'memory/reference/pilots.md',
          after: '- By radio on channel 12.\n- By telephone at night.\n- By a flag at noon.\n',
        },
      ],
    });
    const { page, context } = await dashboard.visit('inbox');
    const hand = new Hand(page);
    await hand.click(page.getByRole('link', { name: /How pilots are called/u }));
    await hand.click(
      page.locator('.line-change').filter({ hasText: 'By a flag at noon' }).getByRole('button', { name: 'edit' }),
    );
    await hand.type(page.getByLabel('This line in other words'), 'By a flag at sunrise.');
    await hand.click(page.getByRole('button', { name: 'Approve', exact: true }));
    await page.getByText('Approved').first().waitFor();
    const { text } = await dashboard.server.client('owner').call('files read', { path: 'memory/reference/pilots.md' });
    expect(text).toBe('- By radio on channel 12.\n- By telephone at night.\n- By a flag at sunrise.\n');
    expect(hand.steps).toBeLessThanOrEqual(MAX_STEPS);
    await context.close();
  });

  it('tells what was believed of a person at another time', async () => {
    const { page, context } = await dashboard.visit();
    const hand = new Hand(page);
    await hand.press('Control+k');
    await hand.type(page.getByRole('combobox', { name: 'Go to anything' }), 'jonas pell');
    await page.getByRole('option', { name: /Jonas Pell/u }).waitFor();
    await hand.press('Enter');
    await hand.click(page.getByRole('button', { name: 'True then' }));
    await hand.drag(page.getByLabel('What was true on'), String(Date.parse('2025-06-15') / 86_400_000));
    const holds = page.getByRole('region', { name: 'What holds' });
    await holds.getByText('Lives in Odense.').waitFor();
    expect(await holds.getByText('Lives in Aarhus.').count()).toBe(0);
    expect(hand.steps).toBeLessThanOrEqual(MAX_STEPS);
    await context.close();
  });

  it('stops it from telling something', async () => {
    const owner = dashboard.server.client('owner');
    const message = 'Who wants the tide in centimetres?';
    await owner.call('context', { message, event: 'prompt' });
    const { page, context } = await dashboard.visit();
    const hand = new Hand(page);
    await hand.click(page.getByRole('link', { name: message }));
    const told = page.getByRole('region', { name: 'As the model read it' });
    const statement = told.locator('.statement').filter({ hasText: 'centimetres' }).first();
    await statement.hover();
    await hand.click(statement.getByRole('button', { name: 'wrong' }));
    await page.getByText('it will not be told again').waitFor();
    await owner.call('context', { message: 'And who wants the tide in centimetres again?', event: 'prompt' });
    const { stored, texts } = await owner.call('context show', { receipt: 'last' });
    const again = stored.receipt.items.filter(({ included }) => included).map(({ id }) => texts[id] ?? '');
    expect(again.join()).not.toContain('wants the tide in centimetres, not in feet');
    expect(hand.steps).toBeLessThanOrEqual(MAX_STEPS);
    await context.close();
  });
});
