import { describe, expect, it } from 'vitest';
import { KNOWLEDGE_KINDS, type KnowledgeKind } from '../../../../model/knowledge.ts';
import type { HeardTurn } from '../../../port.ts';
import { createHeuristicReasoner } from '../../reasoner.ts';

const SAID: readonly (readonly [KnowledgeKind, string])[] = [
  ['preference', 'I prefer a checklist to prose for anything Eva has to read.'],
  ['decision', 'I prefer B, with the smaller batch.'],
  ['decision', 'We decided to use Postgres instead of MySQL for the ledger service.'],
  ['decision', "OK, let's go with option B, the event-sourced one."],
  ['decision', 'Final call: the release moves to Thursday.'],
  ['decision', "After talking to Priya I'm going to drop the Redis cache and use an in-memory LRU."],
  ['decision', "We've agreed that all new services are written in Go."],
  ['decision', "I've made up my mind, we are buying the Volvo."],
  ['decision', "For the API we'll go with REST, not GraphQL, because the clients are simple."],
  ['decision', 'We are not going to support Internet Explorer anymore.'],
  ['decision', 'The team chose Terraform over Pulumi for infrastructure.'],
  ['decision', "I'm going with the blue tiles for the bathroom."],
  ['decision', 'From now on deploys happen only on Tuesdays and Thursdays.'],
  ['decision', "We're switching from Jenkins to GitHub Actions next month."],
  ['preference', 'I prefer tabs over spaces in Go files.'],
  ['preference', 'I like my coffee black, no sugar.'],
  ['preference', 'Please always show me the diff before you commit anything.'],
  ['preference', "Don't use emojis in your answers."],
  ['preference', 'I hate long meetings, keep them under 30 minutes.'],
  ['preference', 'Keep answers short, I read them on my phone.'],
  ['preference', "I'd rather have one big pull request than ten tiny ones."],
  ['preference', 'My favourite restaurant is the little Thai place on Kantstraße.'],
  ['preference', 'I always want metric units.'],
  ['preference', "I can't stand cilantro."],
  ['preference', 'When you write tests, use vitest, not jest.'],
  ['preference', "I don't like being called before nine in the morning."],
  ['fact', 'Our production database runs on Postgres 15 in eu-west-1.'],
  ['fact', "The staging server's IP is 10.0.4.17."],
  ['fact', 'I live in Hamburg, in Ottensen.'],
  ['fact', "My dog's name is Biscuit and he is eleven."],
  ['fact', 'The office Wi-Fi password is in 1Password under "HQ".'],
  ['fact', 'Our fiscal year starts in July.'],
  ['fact', 'The API rate limit is 500 requests per minute per key.'],
  ['fact', 'I was born in 1984 in Graz.'],
  ['fact', 'The repository has 42 packages and takes eleven minutes to build.'],
  ['fact', 'I work as a data engineer at Nordwind.'],
  ['fact', 'The company has 120 employees since the merger.'],
  ['person', 'Maria is our new product manager, she starts on the first of May.'],
  ['person', 'My sister Anna is a vet in Leipzig.'],
  ['person', 'Tom Becker handles billing, he is on holiday until Monday.'],
  ['person', 'Priya prefers to be contacted on Slack.'],
  ['person', 'My daughter Lina is allergic to peanuts.'],
  ['person', 'Karl is the one who built the import pipeline.'],
  ['person', 'My boss is called Henrike Vogt.'],
  ['person', 'Samir moved from the platform team to the data team.'],
  ['person', 'Dr. Okafor is my dentist.'],
  ['person', 'Jonas has two kids and works part time, Tuesday to Thursday.'],
  ['task', 'I need to renew my passport before May.'],
  ['task', 'Remind me to call the insurance tomorrow.'],
  ['task', 'TODO: write the migration guide for v3.'],
  ['task', 'I still have to send the invoice to Acme.'],
  ['task', 'Can you put on my list: buy a birthday present for Lina by Friday.'],
  ['task', 'We have to update the certificates before the 20th.'],
  ['task', 'Jonas will fix the flaky login test by Wednesday.'],
  ['task', 'I promised Priya to review her design doc this week.'],
  ['task', 'Next week I must book the train to Vienna.'],
  ['task', "Don't forget that the tax return is due on 31 July."],
  ['lesson', 'Lesson learned: never run a migration on a Friday afternoon.'],
  ['lesson', 'It turned out that the memory leak came from the unclosed file watchers.'],
  ['lesson', 'We learned the hard way that the staging data is not anonymised.'],
  ['lesson', 'Next time we should test the backup restore before we need it.'],
  ['lesson', "The mistake was that we didn't pin the image version."],
  ['lesson', 'What I learned from this outage: alerts on averages hide the problem.'],
  ['lesson', 'Root cause was a missing index on orders.customer_id.'],
  ['procedure', 'To deploy: run the tests, build the image, push it, then restart the service with make rollout.'],
  ['procedure', 'The way we do releases: branch from main, bump the version, tag it, and let CI publish.'],
  [
    'procedure',
    'To reset the router, hold the button for ten seconds, wait for the orange light, then log in with the sticker password.',
  ],
  [
    'procedure',
    'When the queue is stuck, first check the dead letter topic, then restart the consumer, and only then scale up.',
  ],
  [
    'procedure',
    'How to rotate the key: create a new one in the console, update the secret, redeploy, delete the old key.',
  ],
  ['procedure', 'Our onboarding goes like this: laptop on day one, accounts on day two, first commit by Friday.'],
  ['procedure', 'Every Monday I export the report from Metabase, paste it in the sheet, and mail it to Karl.'],
  ['procedure', 'For a hotfix: cut a branch from the release tag, cherry-pick the fix, run smoke tests, tag it.'],
  ['correction', "No, that's wrong: the port is 5433, not 5432."],
  ['correction', 'Actually, the meeting is on Wednesday, not Tuesday.'],
  ['correction', "I said Anna lives in Leipzig, but that's not right, she lives in Dresden."],
  ['correction', 'You mixed that up: Jonas is the designer, Karl is the engineer.'],
  ['correction', 'Correction: the budget is 40k, not 50k.'],
  ['correction', "That's not what I meant, the deadline is the end of the month."],
  ['correction', 'Sorry, I misspoke earlier. We use Kafka 3.6, not 2.8.'],
  ['correction', "It's spelled Kathrin, not Catherine."],
];

const NOT_FOR_KEEPING: readonly string[] = [
  'I need to know why this test fails.',
  'Can you check whether the server is up?',
  'I think we should maybe use Kafka, not sure yet.',
  'Let me look at that file first.',
  'What if we switched to MySQL?',
  'I like the second version better, go ahead.',
  'We have to wait for CI to finish.',
  'The build is still running.',
  "I'm in a meeting until three, talk later.",
  'Could you rewrite this paragraph in a friendlier tone?',
  "Don't push yet, I want to look at it first.",
  "Let's see what the logs say.",
  'I have to go now, the kids are hungry.',
  'Tom thinks we should rewrite everything in Rust.',
  'If we had more budget I would hire two more people.',
  'Imagine we had no deadlines at all.',
  'Add a test for the empty case.',
  "That's wrong, try again.",
  'No, the other file.',
  'Use the second function instead.',
  'The article says that Postgres is faster than MySQL.',
  "I'm so tired today.",
  'It works now, thanks!',
  'How do I rebase onto main?',
  "Let's try it with a bigger heap.",
  'I would love to go to Japan some day.',
  "My code doesn't compile.",
  'Can you use async/await here?',
  'We should talk about this tomorrow maybe.',
  "I'm going to grab a coffee.",
  "I'll take a look.",
  'I need you to shorten this to one paragraph.',
  'Never mind.',
  'Please run the tests again.',
  'Show me the diff.',
  'The function returns undefined when the list is empty.',
  'Is Maria on holiday?',
  'In the novel, Anna decides to leave her husband.',
  'Translate this: "We decided to move to Berlin."',
  `Here's the mail from Tom: "I live in Munich and I prefer phone calls."`,
  "Let's go through the list one by one.",
  "I'm not sure whether we agreed on Tuesday or Wednesday.",
  'Someone said the API limit is 500.',
  'I have a bug in my regex.',
  'The page has a typo in the header.',
  'Next, open the config file.',
  'Keep going.',
  'Use a map instead of a loop here.',
  'The test takes 12 seconds on my machine right now.',
];

const reasoner = createHeuristicReasoner();

/** What is kept of one message in the middle of a conversation that has nothing else worth keeping. */
async function kindsOf(text: string): Promise<KnowledgeKind[]> {
  const said: readonly (readonly [HeardTurn['role'], string])[] = [
    ['user', 'Morning, can you help me with something?'],
    ['agent', 'Of course. What is it about?'],
    ['user', text],
    ['agent', 'Got it.'],
    ['user', 'Thanks, what time is it in Tokyo right now?'],
  ];
  const turns = said.map(([role, words], index): HeardTurn => ({
    id: `t${index + 1}`,
    role,
    text: words,
    timeMs: Date.UTC(2026, 2, 4, 9, index),
    trust: role === 'user' ? 'user' : 'agent',
  }));
  const conversation = { session: 'ses_forms', user: 'Alex', timeZone: 'Europe/Berlin', turns };
  const { output } = await reasoner.ask('extract', { conversation, kinds: KNOWLEDGE_KINDS });
  return output.map(({ kind }) => kind);
}

describe('what is said plainly', () => {
  it.each(SAID)('is kept as a %s: %s', async (kind, text) => {
    expect(await kindsOf(text)).toContain(kind);
  });
});

describe('what is said before anything else', () => {
  it.each<[KnowledgeKind, string]>([
    ['decision', 'We decided to use Redis for the tile cache, because it survives a restart.'],
    ['fact', "I'm allergic to peanuts."],
    ['fact', 'I have two kids.'],
    ['fact', 'The region is eu-central-1.'],
    ['person', "My wife's name is Ana."],
    ['person', 'Anna is my sister.'],
  ])('is kept as a %s: %s', async (kind, text) => {
    const turns = [{ id: 't1', role: 'user' as const, text, timeMs: Date.UTC(2026, 2, 4, 9), trust: 'user' as const }];
    const conversation = { session: 'ses_first', user: 'Alex', timeZone: 'Europe/Berlin', turns };
    const { output } = await reasoner.ask('extract', { conversation, kinds: KNOWLEDGE_KINDS });
    expect(output.map((each) => each.kind)).toEqual([kind]);
  });
});

describe('what only sounds like it', () => {
  it.each(NOT_FOR_KEEPING)('is left: %s', async (text) => {
    expect(await kindsOf(text)).toEqual([]);
  });
});
