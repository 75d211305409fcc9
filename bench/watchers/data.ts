import fs from 'node:fs';
import path from 'node:path';
import { franc } from 'franc-min';
import { SentimentIntensityAnalyzer } from 'vader-sentiment';
import { readTopic, type WatchedTopic } from '../../src/topics/topic-file.ts';
import { HOME_LAYOUT } from '../../src/workspace/formats/layout.ts';

export interface LabelledMessage {
  readonly id: string;
  readonly text: string;
  readonly role: 'user' | 'agent';
  readonly paths?: readonly string[];
  readonly expect: readonly string[];
}

export interface WatcherData {
  readonly topics: readonly WatchedTopic[];
  readonly messages: readonly LabelledMessage[];
}

/** `topics/*.md` in the product's own format, `messages.jsonl` with what each message should activate. */
export function readWatcherData(folder: string): WatcherData {
  const topicFolder = path.join(folder, 'topics');
  const topics = fs
    .readdirSync(topicFolder)
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => readTopic(`topics/${name}`, fs.readFileSync(path.join(topicFolder, name), 'utf8'), HOME_LAYOUT));
  const messages = fs
    .readFileSync(path.join(folder, 'messages.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as LabelledMessage);
  return { topics, messages };
}

export const senses = {
  valenceOf: (text: string): number => SentimentIntensityAnalyzer.polarity_scores(text).compound,
  languageOf: (text: string): string => franc(text),
};
