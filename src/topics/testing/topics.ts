import { openStaticEmbedder } from '../../providers/embeddings/static.ts';
import { HOME_LAYOUT } from '../../workspace/formats/layout.ts';
import { openTopicModel } from '../tier2/packaged.ts';
import { readTopic, type WatchedTopic } from '../topic-file.ts';
import { Watchers, type Sighting, type WatcherSenses } from '../watchers.ts';

/** A topic from its frontmatter and playbook, as a file would give it. */
export function topicOf(name: string, frontmatter: string, body = 'Do it well.'): WatchedTopic {
  return readTopic(`topics/${name}.md`, `---\n${frontmatter.trim()}\n---\n\n# ${name}\n\n${body}\n`, HOME_LAYOUT);
}

export const PLAIN_SENSES = {
  valenceOf: (text: string): number => (/\b(?:hate|awful)\b/u.test(text) ? -0.8 : 0.1),
  languageOf: (): string => 'und',
};

const dictionary = openStaticEmbedder();

/** All a home's watchers have, the packaged model included. */
export const WATCHER_SENSES: WatcherSenses = {
  ...PLAIN_SENSES,
  rarityOf: (word) => dictionary.rarity?.(word) ?? 1,
  model: openTopicModel(),
};

/** A sighting of one topic at a score of the test's choice; its triggers are really matched. */
export function sightingOf(topic: WatchedTopic, text: string, score: number): Sighting {
  const watchers = new Watchers([topic], WATCHER_SENSES);
  const hits = watchers.matchTriggers(watchers.read({ text, role: 'user' })).get(0) ?? [];
  return { topic, hits, score, parts: [], nearness: null, calls: null };
}
