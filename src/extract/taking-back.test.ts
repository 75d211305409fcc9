import { describe, expect, it } from 'vitest';
import { findTakenBack } from './retractions.ts';

describe('what is taken back', () => {
  it.each([
    ["We won't use Kafka after all.", 'use Kafka'],
    ["ok, we won't use Kafka after all", 'use Kafka'],
    ['We will not migrate to Postgres 17 after all, it is too early.', 'migrate to Postgres 17'],
    ["I'm not going to Lisbon after all.", 'Lisbon'],
    ["We're not using Redis anymore.", 'using Redis'],
    ['We are no longer using Redis.', 'using Redis'],
    ['Scrap the idea of moving the cache to Redis.', 'moving the cache to Redis'],
    ['scrap the idea of a mobile app', 'a mobile app'],
    ['Drop the plan to rewrite the importer in Rust, please.', 'rewrite the importer in Rust'],
    ['Cancel the Berlin plan.', 'Berlin'],
    ['Forget what I said about Kafka.', 'Kafka'],
    ['Actually, forget everything I told you about the offsite in May.', 'the offsite in May'],
    ['ignore what we decided about the pricing page', 'the pricing page'],
    ['I changed my mind about the standing desk.', 'the standing desk'],
    ["We've changed our minds on GraphQL", 'GraphQL'],
    ['I take back what I said about Tom.', 'Tom'],
    ['The trip to Gdynia is off.', 'The trip to Gdynia'],
    ['The move to Codeberg is cancelled because of the mirrors.', 'The move to Codeberg'],
    ["Let's not switch to bun after all", 'switch to bun'],
    ['Wir nehmen Kafka doch nicht.', 'Kafka'],
    ['Vergiss das mit dem Umzug.', 'dem Umzug'],
    ['Olvida lo que dije sobre Kafka.', 'Kafka'],
    ["Oublie ce que j'ai dit sur Kafka.", 'Kafka'],
  ])('%s → %s', (sentence, object) => {
    expect(findTakenBack(sentence)).toBe(object);
  });

  it.each([
    'We use Kafka.',
    "We won't use Kafka.",
    'Should we scrap the idea of a mobile app?',
    "If we won't use Kafka after all, tell me.",
    'Maybe scrap the idea of a mobile app.',
    "Don't forget what I said about Kafka.",
    'Never forget what I said about Kafka.',
    'Forget it.',
    'Scrap that.',
    'The light is off.?',
    'Tom said we are not using Redis anymore.',
    'He would drop the plan to rewrite it.',
    'The tests are off by one.',
  ])('nothing: %s', (sentence) => {
    expect(findTakenBack(sentence)).toBeUndefined();
  });
});
