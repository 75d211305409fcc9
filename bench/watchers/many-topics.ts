import type { WatchedTopic } from '../../src/topics/topic-file.ts';

/**
 * So many topics: the labelled ones over and over, each copy with its own keywords and half of its own
 * words, so that tries cannot be shared between copies; their vectors are.
 */
export function manyTopics(topics: readonly WatchedTopic[], count: number): WatchedTopic[] {
  return Array.from({ length: count }, (_, index) => {
    const topic = topics[index % topics.length] as WatchedTopic;
    const round = Math.floor(index / topics.length);
    return round === 0 ? topic : copyOf(topic, round);
  });
}

function copyOf(topic: WatchedTopic, round: number): WatchedTopic {
  const other = (text: string): string =>
    text.replaceAll(/\p{L}{4,}/gu, (word, at: number) =>
      (at + round) % 2 === 0 ? word : `${word}${SUFFIXES[round % SUFFIXES.length] ?? ''}`,
    );
  return {
    ...topic,
    name: `${topic.name}-${round}`,
    path: topic.path.replace(/\.md$/u, `-${round}.md`),
    description: other(topic.description),
    body: other(topic.body),
    triggers: topic.triggers.map((trigger) => {
      if (trigger.type !== 'keywords' && trigger.type !== 'mention') return { ...trigger };
      return { ...trigger, match: [trigger.match].flat().map((word) => `${word} ${round}`) };
    }),
  };
}

const SUFFIXES = [
  'ist',
  'able',
  'ward',
  'less',
  'ful',
  'hood',
  'ship',
  'wise',
  'like',
  'work',
  'land',
  'side',
  'way',
  'time',
];
