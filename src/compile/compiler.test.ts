import { describe, expect, it } from 'vitest';
import type { ActiveTopic } from '../topics/port.ts';
import type { Briefing } from './receipt.ts';
import { makeWorld } from './testing/made-up-world.ts';
import { compileWith } from './testing/requests.ts';

const TOPIC: ActiveTopic = {
  name: 'invoices',
  title: 'Invoices',
  path: 'topics/invoices.md',
  priority: 'high',
  activation: 'auto',
  cause: 'message',
  reason: 'the keyword "invoice"',
  matches: [],
  score: 0.9,
  body: '- Ask which customer it is for.',
  maxBytes: 2000,
  subscriptions: [
    {
      subscription: 'memory/reference/rates.md',
      kind: 'path',
      id: 'memory/reference/rates.md',
      path: 'memory/reference/rates.md',
      text: 'The day rate of the harbour office is 900.',
      trust: 'import',
      scope: 'shared',
      time: '2026-03-01T08:00:00.000Z',
      score: null,
    },
  ],
  keywords: ['harbour'],
};

const WORKSPACE = {
  'SOUL.md': '# Soul\n\nI am Silas.\n',
  'MEMORY.md': '# Core Memory\n\n## Critical Facts\n\n- Never deploy on Fridays\n',
  'memory/episodes/2026-03-10.md': '## 09:00 | decision | confidence:high | tags:[]\nThe quay opens at nine.\n',
  'memory/graph/entities/project--atlas.md':
    '---\nid: project--atlas\ntype: project\nname: Atlas\nstatus: active\n---\n\n## Summary\n\nRoute merging.\n',
  'memory/graph/entities/project--old.md':
    '---\nid: project--old\ntype: project\nname: Old\nstatus: done\n---\n\n## Summary\n\nLong over.\n',
  'memory/procedures/how-to-bill.md':
    '---\nname: How to bill\ntriggers:\n  keywords: [invoice]\n---\n\n# How to bill\n\n## Steps\n\n1. Look up the rate\n2. Send it\n',
  'memory/reference/rates.md': '# Rates\n\nThe day rate of the harbour office is 900.\n',
  'memory/reference/harbour.md': '# Harbour\n\nThe harbour office wants one invoice a month.\n',
};

function included({ receipt }: Briefing): string[] {
  return receipt.items.filter((item) => item.included).map(({ tag, path }) => `${tag} ${path}`);
}

describe('compile', () => {
  it('fills every slot, what changes least first, and says why each is there', async () => {
    const world = await makeWorld({
      workspace: WORKSPACE,
      topics: {
        active: [TOPIC],
        keywords: ['harbour'],
        corrections: [{ topic: 'tone', path: 'topics/tone.md', hint: 'No exclamation marks.', found: '!!!' }],
        leftOut: [{ name: 'travel', path: 'topics/travel.md', reason: 'below its threshold', score: 0.1 }],
      },
      notices: () => Promise.resolve([{ id: 'n1', path: 'memory/meta/proposals/n1.md', text: 'Waiting: merge Atlas' }]),
    });
    const { briefing } = await compileWith(world, { message: 'write the invoice', system: 'You are a clerk.' });
    const { prompt, receipt } = briefing;
    const places = [
      'You are a clerk.',
      'From Mneme',
      '<identity>',
      '<core>',
      '<projects>\n- Atlas: ',
      '<recent>',
      '<topics>\n- Correction (tone): No exclamation marks.\n## Invoices\n- Ask which customer',
      '<subscriptions>\n[2026-03-01 · memory/reference/rates.md · import, untrusted]\n The day rate',
      '<procedures>',
      '1. Look up the rate',
      '<memory>',
      'one invoice a month',
    ].map((part) => prompt.indexOf(part));
    expect(places).toEqual([...places].sort((left, right) => left - right));
    expect(places).not.toContain(-1);
    expect(prompt).not.toContain('Long over');
    // Only at the start of a session.
    expect(prompt).not.toContain('Waiting: merge Atlas');
    expect(receipt.items.find(({ id }) => id === 'topic:invoices')?.reason).toBe('included: the keyword "invoice"');
    expect(receipt.items.find(({ id }) => id === 'topic:travel')).toMatchObject({
      included: false,
      reason: 'below its threshold',
    });
    expect(receipt.items.find(({ tag }) => tag === 'procedures')?.reason).toBe('included: the keyword "invoice"');
    const rates = receipt.items.filter(({ path, slot }) => slot === 'P3' && path === 'memory/reference/rates.md');
    expect(rates.map(({ reason }) => reason)).toEqual(['repeats what a topic brings along']);
  });

  it('keeps the first file of a topic within what the topic may bring along', async () => {
    const lines = Array.from({ length: 200 }, (_, line) => `Rate ${line} of the harbour office.`).join('\n');
    const [rates] = TOPIC.subscriptions;
    const subscriptions = rates === undefined ? [] : [{ ...rates, text: lines }];
    const world = await makeWorld({
      workspace: WORKSPACE,
      topics: { active: [{ ...TOPIC, maxBytes: 600, subscriptions }] },
    });
    const { prompt } = (await compileWith(world, { message: 'write the invoice' })).briefing;
    expect(prompt).toContain('Rate 0 of the harbour office.');
    expect(prompt.match(/Rate \d+ of/gu)?.length).toBeLessThan(25);
  });

  it('asks with the keywords of active topics, and without them finds nothing of that', async () => {
    const found = async (keywords: readonly string[]): Promise<string[]> => {
      const world = await makeWorld({ workspace: WORKSPACE, topics: { keywords } });
      const { briefing } = await compileWith(world, { message: 'what about the customer?' });
      return included(briefing).filter((item) => item.startsWith('memory'));
    };
    expect(await found([])).toEqual([]);
    expect(await found(['harbour', 'office'])).toContain('memory memory/reference/harbour.md');
  });

  it('gives core memory and notices to the main session only', async () => {
    const notices = () => Promise.resolve([{ id: 'n1', path: 'x.md', text: 'Waiting: merge Atlas' }]);
    const world = await makeWorld({ workspace: WORKSPACE, notices });
    const start = { event: 'session-start', source: 'startup' } as const;
    const main = await compileWith(world, start);
    expect(main.briefing.prompt).toContain('Never deploy on Fridays');
    expect(main.briefing.prompt).toContain('<notices>\n- Waiting: merge Atlas\n</notices>');
    const other = await compileWith(world, { ...start, isMainSession: false });
    expect(other.briefing.prompt).not.toContain('Never deploy on Fridays');
    expect(other.briefing.prompt).not.toContain('Waiting: merge Atlas');
  });

  it('shows a scope its own memory and nobody else’s', async () => {
    const world = await makeWorld({
      workspace: {
        'memory/scopes/project--mine/MEMORY.md': '# Core\n\n## Facts\n\n- The pier is mine\n',
        'memory/scopes/project--mine/reference/a.md': '# A\n\nThe crane code of the pier is 11.\n',
        'memory/scopes/project--other/MEMORY.md': '# Core\n\n## Facts\n\n- The pier is theirs\n',
        'memory/scopes/project--other/reference/b.md': '# B\n\nThe crane code of the pier is 99.\n',
        'memory/scopes/project--other/graph/entities/project--x.md':
          '---\nid: project--x\ntype: project\nname: Their pier\nstatus: active\n---\n\n## Summary\n\nTheirs.\n',
        'memory/scopes/project--other/procedures/crane.md':
          '---\nname: crane\ntriggers:\n  keywords: [crane]\n---\n\n# crane\n\n## Steps\n\n1. Their step\n',
      },
    });
    const { briefing } = await compileWith(world, { message: 'crane code of the pier?', scope: 'project:mine' });
    expect(briefing.prompt).toContain('The pier is mine');
    expect(briefing.prompt).toContain('is 11');
    expect(briefing.prompt).not.toMatch(/99|theirs/iu);
    expect(briefing.receipt.items.some(({ scope }) => scope === 'project:other')).toBe(false);
  });

  it('tells a day that is over by its journal, and today by what was written down', async () => {
    const entry = (text: string): string => `## 09:00 | event | confidence:high | tags:[]\n${text}\n`;
    const world = await makeWorld({
      workspace: {
        'memory/episodes/2026-03-09.md': entry('Yesterday in detail, with every crane.'),
        'memory/journal/2026-03-09.md':
          '---\ntype: journal\ndate: 2026-03-09\n---\n\n# 2026-03-09\n\nYesterday in short.\n',
        'memory/episodes/2026-03-10.md': entry('Today the quay opened.'),
      },
    });
    const { prompt, receipt } = (await compileWith(world, {})).briefing;
    expect(prompt).toContain('Yesterday in short');
    expect(prompt).toContain('Today the quay opened');
    expect(prompt).not.toContain('every crane');
    expect(receipt.items.map(({ reason }) => reason)).toContain('the journal of 2026-03-09 is told instead');
  });

  it('shortens core memory step by step before it drops any of it', async () => {
    const block = (name: string): string =>
      `## ${name}\n\n${Array.from({ length: 12 }, (_, at) => `- ${name} fact number ${at} about the harbour and what the cranes there cost a month`).join('\n')}\n`;
    const world = await makeWorld({ workspace: { 'MEMORY.md': `# Core\n\n${block('One')}\n${block('Two')}` } });
    const seen: string[] = [];
    for (let budget = 1000; budget > 60; budget -= 5) {
      const { items } = (await compileWith(world, { budget })).briefing.receipt;
      const levels = items.map(({ form }) => form ?? 'out').join(' ');
      if (seen.at(-1) !== levels) seen.push(levels);
    }
    expect(seen).toEqual([
      'full full',
      'full summary',
      'full line',
      'full link',
      'summary summary',
      'summary line',
      'summary link',
      // The shorter summary.
      'summary summary',
      'summary line',
      'summary link',
      'line line',
      'line link',
      'link link',
      'line out',
      'link out',
      'out out',
    ]);
  });

  it('sets aside room for the message and the answer', async () => {
    const world = await makeWorld({ workspace: { 'SOUL.md': `# Soul\n\n${'word '.repeat(300)}\n` } });
    const message = 'one two three four five';
    const { receipt } = (await compileWith(world, { message, budget: 1000, response: 200 })).briefing;
    expect(receipt.slots).toMatchObject({ request: 7, response: 200, room: 793 });
    await expect(compileWith(world, { message, budget: 1000, response: 700 })).rejects.toThrow(
      /SOUL\.md need \d+ tokens; the budget is 293 \(1000 less 707 for the message and the answer\), \d+ too few/u,
    );
    const large = (await compileWith(world, { preset: 'large' })).briefing.receipt.slots;
    expect(large).toMatchObject({ request: 30_000, response: 20_000, room: 150_000 });
  });

  it('moves the window over the recent days in steps, so that what was told stays where it was', async () => {
    const entries = (count: number): string =>
      Array.from(
        { length: count },
        (_, at) =>
          `## 09:${String(at).padStart(2, '0')} | event | confidence:high | tags:[]\nEntry ${at} ${'word '.repeat(40)}\n`,
      ).join('\n');
    const firsts: (string | undefined)[] = [];
    for (let count = 30; count < 42; count += 1) {
      const world = await makeWorld({ workspace: { 'memory/episodes/2026-03-10.md': entries(count) } });
      const { prompt } = (await compileWith(world, {})).briefing;
      firsts.push(/Entry (\d+)/u.exec(prompt)?.[1]);
    }
    expect(new Set(firsts).size).toBeLessThanOrEqual(4);
  });
});
