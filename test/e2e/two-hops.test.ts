import { expect, it } from 'vitest';
import { makeTemporaryFolder } from '../support/home.ts';
import { openMneme, type Mneme } from '../../src/mneme.ts';
import { initHome } from '../../src/operations/home/init.ts';

type Asked = readonly [question: string, ...path: readonly string[]];

/** What a person says over some days, and questions nobody answered in one sentence, each with whom the answer goes through. */
const LIVES: readonly { readonly user: string; readonly said: readonly string[]; readonly asked: readonly Asked[] }[] =
  [
    {
      user: 'Ines',
      said: [
        'My sister Leonor comes to dinner on Friday.',
        'Leonor works at Halden Optics, she got a new desk there.',
        'Could you remind me to call my brother Tadeo on Sunday?',
        'Tadeo lives in Cuenca, so it takes me three hours.',
        'My boss Greta wants the report by noon.',
        'Greta reports to Mr Okonjo, he signs everything.',
        'Leonor’s husband Bram cooks well.',
        'Bram works for Tern & Gull since the spring.',
        'Tern & Gull is based in Whitby.',
        'My mother Filomena turned seventy. Filomena lives in Porto.',
        'Bram’s sister Wiebke runs marathons. Wiebke lives in Utrecht.',
        'Greta is married to Anselm, and Anselm works at Corvid Games.',
        'Halden Optics was founded by Ruta Simanek.',
      ],
      asked: [
        ['Where does my sister work?', 'Leonor', 'Halden Optics'],
        ['Where does my brother live?', 'Tadeo', 'Cuenca'],
        ['Who is my boss’s boss?', 'Greta', 'Okonjo'],
        ['Who does my boss report to?', 'Greta', 'Okonjo'],
        ['Who is my sister’s husband?', 'Leonor', 'Bram'],
        ['who is the husband of my sister', 'Leonor', 'Bram'],
        ['Where does Leonor’s husband work?', 'Bram', 'Tern & Gull'],
        ['Which company does Leonor’s husband work for?', 'Bram', 'Tern & Gull'],
        ['Where does my mother live?', 'Filomena', 'Porto'],
        ['What city does my mum live in?', 'Filomena', 'Porto'],
        ['Where is Bram’s company?', 'Tern & Gull', 'Whitby'],
        ['Where is the company based that Bram works for?', 'Tern & Gull', 'Whitby'],
        ['Where does Bram’s sister live?', 'Wiebke', 'Utrecht'],
        ['Who founded the company Leonor works for?', 'Halden Optics', 'Ruta Simanek'],
        ['Who is the founder of Leonor’s company?', 'Halden Optics', 'Ruta Simanek'],
        ['Where does my boss’s husband work?', 'Greta', 'Anselm', 'Corvid Games'],
        ['Where does my sister’s husband work?', 'Leonor', 'Bram', 'Tern & Gull'],
        ['Who is married to my manager?', 'Greta', 'Anselm'],
      ],
    },
    {
      user: 'Marek',
      said: [
        'checkout-api depends on ledger-sync, and ledger-sync runs on Hetzner.',
        'We replaced Jenkins with Buildkite.',
        'Buildkite runs on Proxmox.',
        'Vera Lindt owns ledger-sync.',
        'Vera Lindt reports to Theo Ramsay.',
        'Theo Ramsay founded Quarkly, which is hiring.',
        'Quarkly is based in Lund.',
        'Jonas Weidel manages Vera Lindt’s neighbour Tom. Tom works at Quarkly.',
        'Pia, who works for Nordlys, wrote the client. Nordlys is located in Bergen.',
        'geo-coder is part of tile-server, and tile-server depends on PostGIS.',
        'I report to Theo Ramsay.',
        'My son Kojo is at school with Theo Ramsay’s daughter Ada.',
        'Ada’s mother Sunniva drives them. Sunniva works for Nordlys.',
        'Sunniva lives in Bergen.',
      ],
      asked: [
        ['What does the service that checkout-api depends on run on?', 'ledger-sync', 'Hetzner'],
        ['Where is the service hosted that checkout-api depends on?', 'ledger-sync', 'Hetzner'],
        ['What does the tool that replaced Jenkins run on?', 'Buildkite', 'Proxmox'],
        ['Who owns what checkout-api depends on?', 'ledger-sync', 'Vera Lindt'],
        ['Who manages the owner of ledger-sync?', 'Vera Lindt', 'Theo Ramsay'],
        ['Who is the boss of the person who owns ledger-sync?', 'Vera Lindt', 'Theo Ramsay'],
        ['Which company was founded by the manager of Vera Lindt?', 'Theo Ramsay', 'Quarkly'],
        ['Where is the company that Theo Ramsay founded?', 'Quarkly', 'Lund'],
        ['Where is Pia’s company?', 'Nordlys', 'Bergen'],
        ['Where is Tom’s employer located?', 'Quarkly', 'Lund'],
        ['What does the thing geo-coder is part of depend on?', 'tile-server', 'PostGIS'],
        ['What did my boss found?', 'Theo Ramsay', 'Quarkly'],
        ['Who is my boss’s daughter?', 'Theo Ramsay', 'Ada'],
        ['Where does Ada’s mother work?', 'Sunniva', 'Nordlys'],
        ['Where does Ada’s mum live?', 'Sunniva', 'Bergen'],
        ['Who founded the company Tom works at?', 'Quarkly', 'Theo Ramsay'],
      ],
    },
  ];

/** They name relations and have no answer in the graph, or ask for nothing along relations. */
const UNANSWERED = [
  'Where does my brother’s wife work?',
  'Who is my father’s boss?',
  'My sister works too much, what should I cook?',
  'What is a good present for my boss?',
  'How does Leonor’s husband cook?',
];

async function learn(said: readonly string[], user: string): Promise<Mneme> {
  const home = makeTemporaryFolder();
  await initHome({ home, timeZone: 'UTC', isFull: false, command: ['mneme'] });
  const mneme = await openMneme({ home });
  for (const text of said) {
    const session = await mneme.session.start({ user });
    await session.message('user', text);
    await session.end();
  }
  await mneme.extract();
  return mneme;
}

it('answers questions over two and three relations with the path, and others as before', async () => {
  const missed: string[] = [];
  let asked = 0;
  for (const life of LIVES) {
    const mneme = await learn(life.said, life.user);
    for (const [question, ...path] of life.asked) {
      asked += 1;
      const { graph = [], answered } = await mneme.recall(question);
      const found = graph.map(({ steps }) => steps.map(({ to }) => to.name).join(' > '));
      const isRight = found.length === 1 && found[0] === path.join(' > ') && answered;
      if (!isRight) missed.push(`${question} expected ${path.join(' > ')}, found ${found.join(' or ')}`);
    }
    for (const question of UNANSWERED) {
      const { graph = [] } = await mneme.recall(question);
      if (graph.length > 0)
        missed.push(
          `${question} found ${graph.map(({ steps }) => steps.map(({ to }) => to.name).join(' > ')).join(' or ')}`,
        );
    }
    await mneme.close();
  }
  expect(asked).toBeGreaterThanOrEqual(30);
  expect(missed).toEqual([]);
});
