import { expect, it } from 'vitest';
import { makeTemporaryFolder } from '../support/home.ts';
import { openMneme, type Mneme } from '../../src/mneme.ts';
import type { RelationMention } from '../../src/model/knowledge.ts';
import { initHome } from '../../src/operations/home/init.ts';
import type { Extractor } from '../../src/extract/extractors.ts';
import { takeInRelations, type StatedRelations } from '../../src/extract/take-in-relations.ts';
import { DAY_MS } from '../../src/model/time.ts';

const INES = { name: 'Ines', type: 'person', isUser: true };
const ADA = { name: 'Ada', type: 'person' };
const FIRST_DAY = Date.UTC(2026, 2, 4, 9);

async function withHome(body: (mneme: Mneme) => Promise<void>, actor?: string): Promise<void> {
  const home = makeTemporaryFolder();
  await initHome({ home, timeZone: 'UTC', isFull: false, command: ['mneme'] });
  const mneme = await openMneme({ home, ...(actor && { actor }) });
  try {
    await body(mneme);
  } finally {
    await mneme.close();
  }
}

function stating(day: number, relations: readonly RelationMention[]): StatedRelations {
  const evidence = { session: 'ses_1', turns: [`t${day}`], quote: 'Something about them.' };
  return { relations, trust: 'user', saidMs: FIRST_DAY + day * DAY_MS, evidence };
}

async function takeIn(
  mneme: Mneme,
  stated: StatedRelations,
  extra: { isDryRun?: boolean; scope?: 'user:ines' } = {},
): Promise<string[]> {
  const request = {
    conversation: { session: 'ses_1', user: 'Ines', timeZone: 'UTC', turns: [] },
    attribution: { actor: 'bot:extract:people@1', approval: 'auto' },
    source: 'auto',
    ...extra,
  } as const;
  return takeInRelations(await mneme.internals.parts.extraction(), request, stated);
}

/** "person--ada lives-in place--graz", with what no longer holds in parentheses. */
async function edgesOf(mneme: Mneme): Promise<string[]> {
  const { entities } = (await mneme.internals.parts.extraction()).stores;
  await entities.registry.sync();
  return entities.registry
    .all()
    .flatMap((record) =>
      entities.read(record).relations.map(({ relation, target, isSuperseded }) => {
        const edge = `${record.id} ${relation} ${target}`;
        return isSuperseded ? `(${edge})` : edge;
      }),
    )
    .sort();
}

function livesIn(subject: RelationMention['subject'], place: string): RelationMention {
  return { subject, relation: 'lives-in', object: { name: place, type: 'place' } };
}

it('writes an edge between files that it makes where there are none, and writes it once', async () => {
  await withHome(async (mneme) => {
    const halden = { name: 'Halden', type: 'organization' };
    const stated = stating(0, [
      { subject: INES, relation: 'works-for', object: halden },
      { subject: INES, relation: 'married-to', object: ADA },
    ]);
    expect(await takeIn(mneme, stated)).toEqual([]);
    expect(await takeIn(mneme, stated)).toEqual([]);
    // The same from the other end.
    await takeIn(mneme, stating(1, [{ subject: ADA, relation: 'married-to', object: INES }]));
    expect(await edgesOf(mneme)).toEqual([
      'person--ines married-to person--ada',
      'person--ines works-for organization--halden',
    ]);
  });
});

it('ends the last home when somebody moved, and not the newer one for what is learned late', async () => {
  await withHome(async (mneme) => {
    await takeIn(mneme, stating(5, [livesIn(ADA, 'Graz')]));
    await takeIn(mneme, stating(9, [livesIn(ADA, 'Oslo'), livesIn(INES, 'Graz')]));
    // Where she lived before, and once more what ended since.
    await takeIn(mneme, stating(1, [livesIn(ADA, 'Pécs')]));
    await takeIn(mneme, stating(6, [livesIn(ADA, 'Graz')]));
    expect(await edgesOf(mneme)).toEqual([
      '(person--ada lives-in place--graz)',
      'person--ada lives-in place--oslo',
      'person--ines lives-in place--graz',
    ]);
  });
});

it('keeps two that are stated together', async () => {
  await withHome(async (mneme) => {
    await takeIn(mneme, stating(0, [livesIn(ADA, 'Graz'), livesIn(ADA, 'Oslo')]));
    expect(await edgesOf(mneme)).toHaveLength(2);
  });
});

it('writes nothing in a dry run, for a private conversation, or where a name means two', async () => {
  await withHome(async (mneme) => {
    await takeIn(mneme, stating(0, [livesIn(ADA, 'Graz')]), { isDryRun: true });
    await takeIn(mneme, stating(0, [livesIn(ADA, 'Graz')]), { scope: 'user:ines' });
    await mneme.graph.add({ name: 'Jonas Weber', type: 'person' });
    await mneme.graph.add({ name: 'Jonas Weidel', type: 'person' });
    await takeIn(mneme, stating(0, [livesIn({ name: 'Jonas', type: 'person' }, 'Graz')]));
    expect(await edgesOf(mneme)).toEqual([]);
  });
});

it('links a thing under the type that its file has', async () => {
  await withHome(async (mneme) => {
    await mneme.graph.add({ name: 'Atlas', type: 'place' });
    await takeIn(mneme, stating(0, [{ subject: ADA, relation: 'uses', object: { name: 'Atlas', type: 'tool' } }]));
    expect(await edgesOf(mneme)).toEqual(['person--ada relates-to place--atlas']);
  });
});

it('writes what an extractor found with a statement, once the session ends', async () => {
  const home = makeTemporaryFolder();
  await initHome({ home, timeZone: 'UTC', isFull: false, command: ['mneme'] });
  const extractor: Extractor = {
    name: 'movers',
    version: 1,
    find: async ({ conversation: { session, turns } }) => {
      const evidence = { session, turns: [turns[0]?.id ?? ''], quote: turns[0]?.text ?? '' };
      const { relations, trust, saidMs } = stating(0, [livesIn(ADA, 'Graz')]);
      const rest = { kind: 'person', confidence: 'high', importance: 0.6, tags: [], isCoreWorthy: false } as const;
      const candidate = { ...rest, statement: 'Ada has moved.', evidence, trust, saidMs, entities: [], relations };
      return { by: 'movers', notes: [], candidates: [candidate] };
    },
  };
  const mneme = await openMneme({ home, extractors: [extractor] });
  const session = await mneme.session.start({ id: 'ses_a', user: 'Ines' });
  await session.message('user', 'hello', { time: '2026-03-04T09:00:00Z' });
  await session.end();
  await mneme.extract();
  expect(await edgesOf(mneme)).toEqual(['person--ada lives-in place--graz']);
  await mneme.close();
});

it('keeps a relation once that was stated from either end', async () => {
  await withHome(async (mneme) => {
    await takeIn(mneme, stating(0, [{ subject: ADA, relation: 'manages', object: INES }]));
    await takeIn(mneme, stating(1, [{ subject: INES, relation: 'managed-by', object: ADA }]));
    expect(await edgesOf(mneme)).toEqual(['person--ada manages person--ines']);
  });
});

/** The graph after sessions of a day each, one message of the user a session. */
async function converse(mneme: Mneme, messages: readonly string[]): Promise<string[]> {
  for (const text of messages) {
    const session = await mneme.session.start({ user: 'Ines' });
    await session.message('user', text);
    await session.end();
    await mneme.extract();
  }
  return edgesOf(mneme);
}

const GRETA = { name: 'Greta', type: 'person' };
const HALDEN = { name: 'Halden', type: 'organization' };
const LISBON = { name: 'Lisbon', type: 'place' };
const FIGMA = { name: 'Figma', type: 'tool' };

it.each([
  ['Greta left Halden in March.', ['works-for']],
  ['Greta no longer works at Halden, she is a gardener now.', ['works-for']],
  ["Greta isn't with Halden any more.", ['works-for']],
  ['I no longer live in Lisbon.', ['lives-in']],
  ['I moved away from Lisbon last year.', ['lives-in']],
  ["We don't use Figma any more.", ['uses']],
  ['We got rid of Figma, finally.', ['uses']],
  ['Ada is no longer my boss.', ['manages']],
  ["I don't report to Ada any longer.", ['manages']],
  ['Greta and Tomasz split up.', ['married-to']],
  ['Tomasz and Greta are divorced.', ['married-to']],
  ['If Greta left Halden she could travel.', []],
  ['Greta never left Halden.', []],
  ['Has Greta left Halden?', []],
  ['Greta wants to leave, she no longer likes Lisbon.', []],
  ['Greta left Halden early today.', []],
  ['Somebody said Ada left Halden, and I use Figma no longer on Mondays only as a joke.', []],
  ['Tomasz no longer works at Halden.', []],
])('ends what a message says is over: %j', async (text, ended) => {
  await withHome(async (mneme) => {
    const tomasz = { name: 'Tomasz', type: 'person' };
    const known = [
      { subject: GRETA, relation: 'works-for', object: HALDEN },
      { subject: GRETA, relation: 'married-to', object: tomasz },
      livesIn(INES, LISBON.name),
      { subject: INES, relation: 'uses', object: FIGMA },
      { subject: ADA, relation: 'manages', object: INES },
    ];
    await takeIn(mneme, { ...stating(0, known), saidMs: Date.UTC(2020, 1, 1) });
    const edges = await converse(mneme, [text]);
    expect(edges.filter((edge) => edge.startsWith('(')).map((edge) => edge.split(' ')[1])).toEqual(ended);
  });
});

it('writes what a conversation states, with where it was said, by whom and when', async () => {
  await withHome(async (mneme) => {
    const session = await mneme.session.start({ user: 'Ines' });
    for (const text of [
      'Could you book a table for my sister Leonor and me on Friday?',
      'Okan Reinholt is my husband. If Jonas works at Zalando he can pay, just kidding.',
    ])
      await session.message('user', text);
    await session.end();
    await mneme.extract();
    expect(await edgesOf(mneme)).toEqual([
      'person--leonor sibling-of person--ines',
      'person--okan-reinholt married-to person--ines',
    ]);
    const { entities } = (await mneme.internals.parts.extraction()).stores;
    const [edge] = entities.registry.all().flatMap((record) => entities.read(record).relations);
    expect(edge?.meta).toMatchObject({
      source: 'auto',
      trust: 'user',
      session: session.id,
      extractor: 'people@1',
      said: ['sister-of'],
    });
    expect(edge?.meta.evidence).toHaveLength(1);
  });
});

/** The titles of open proposals. */
async function proposedIn(mneme: Mneme): Promise<string[]> {
  const { proposals } = await mneme.proposals.list({});
  return proposals.map(({ title }) => title).sort();
}

it('proposes what others state about those whom the memory knows, and writes it once a person agrees', async () => {
  await withHome(async (mneme) => {
    await mneme.graph.add({ name: 'Ada', type: 'person' });
    const greta = { name: 'Greta', type: 'person' };
    const stated = { ...stating(0, [livesIn(ADA, 'Graz'), livesIn(greta, 'Oslo')]), trust: 'tool' as const };
    await takeIn(mneme, stated);
    expect(await edgesOf(mneme)).toEqual([]);
    expect(await proposedIn(mneme)).toEqual(['Ada lives-in Graz']);
    // The same again does not ask twice.
    await takeIn(mneme, stated);
    const [proposal] = (await mneme.proposals.list({})).proposals;
    await mneme.approve({ ids: [proposal?.id ?? ''] });
    expect(await edgesOf(mneme)).toEqual(['person--ada lives-in place--graz']);
  }, 'manual');
});

it('reads relations in what an agent says, a tool returns and a user pastes, and none to whoever speaks there', async () => {
  await withHome(async (mneme) => {
    for (const name of ['Ada', 'Greta', 'Jonas']) await mneme.graph.add({ name, type: 'person' });
    const session = await mneme.session.start({ id: 'ses_b', user: 'Ines' });
    const time = '2026-03-04T09:00:00Z';
    const mail =
      'Begin forwarded message:\nFrom: Tom <tom@example.org>\nSubject: News\n\nJonas reports to Ada. I work for Halden.';
    await session.message('user', `Please answer this mail for me.\n\n${mail}`, { time });
    await session.message('agent', 'Done. Greta lives in Graz, and I work for Contoso.', { time });
    await session.message('user', 'Thanks. Greta works at Halden.', { time });
    await session.message('agent', 'Noted: Greta works at Halden.', { time });
    await session.end();
    await mneme.extract();
    expect(await edgesOf(mneme)).toEqual(['person--greta works-for organization--halden']);
    expect(await proposedIn(mneme)).toEqual(['Greta lives-in Graz', 'Jonas managed-by Ada']);
  });
});

it('shows an entity as a contact card: now, formerly, relations, and where it was last mentioned', async () => {
  await withHome(async (mneme) => {
    await takeIn(mneme, stating(5, [livesIn(ADA, 'Graz')]));
    await takeIn(mneme, stating(9, [livesIn(ADA, 'Oslo')]));
    const shown = await mneme.graph.show('Ada');
    expect(shown.formerly).toEqual([{ text: 'lives in Graz', from: '2026-03-09', until: '2026-03-13' }]);
    expect(shown.relations.map(({ other }) => other.name)).toEqual(['Oslo']);
    expect(shown.mentions.map(({ date, turn }) => `${date} ${turn}`)).toEqual(['2026-03-13 t9', '2026-03-09 t5']);
    expect((await mneme.graph.show('Ada', { knownAt: '2026-03-01' })).mentions).toEqual([]);
  });
});
