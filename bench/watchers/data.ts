import fs from 'node:fs';
import path from 'node:path';
import { franc } from 'franc-min';
import { SentimentIntensityAnalyzer } from 'vader-sentiment';
import { openStaticEmbedder } from '../../src/providers/embeddings/static.ts';
import { openTopicModel } from '../../src/topics/tier2/packaged.ts';
import { readTopic, type WatchedTopic } from '../../src/topics/topic-file.ts';
import type { WatcherSenses } from '../../src/topics/watchers.ts';
import { HOME_LAYOUT } from '../../src/workspace/formats/layout.ts';

export interface LabelledMessage {
  readonly id: string;
  readonly text: string;
  readonly role: 'user' | 'agent';
  readonly paths?: readonly string[];
  readonly expect: readonly string[];
  /** Topics it seems to call for and does not. */
  readonly near?: readonly string[];
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

/** A file in the form of `training/data/topics/`: notes, each with messages that call for it (+) and that only seem to (-). */
export function readTopicList(file: string): WatcherData {
  const topics: WatchedTopic[] = [];
  const messages: LabelledMessage[] = [];
  for (const block of fs.readFileSync(file, 'utf8').split(/^# /mu).slice(1)) {
    const [name = '', ...lines] = block.split('\n').map((line) => line.trim());
    const valueOf = (key: string): string =>
      lines
        .find((line) => line.startsWith(`${key}:`))
        ?.slice(key.length + 1)
        .trim() ?? '';
    const keywords = valueOf('keywords').split(/\s*,\s*/u);
    const frontmatter = [
      'type: topic',
      `description: ${JSON.stringify(valueOf('description'))}`,
      `triggers: [{type: keywords, match: ${JSON.stringify(keywords)}}]`,
    ];
    const text = `---\n${frontmatter.join('\n')}\n---\n\n# ${name}\n\n${valueOf('body')}\n`;
    topics.push(readTopic(`topics/${name}.md`, text, HOME_LAYOUT));
    for (const line of lines.filter((each) => /^[+-] /u.test(each))) {
      const isCalled = line.startsWith('+');
      const labels = { expect: isCalled ? [name] : [], near: isCalled ? [] : [name] };
      messages.push({ id: `${name}:${messages.length}`, text: line.slice(2), role: 'user', ...labels });
    }
  }
  return { topics, messages };
}

const TURNS_OF_EACH = 40;

/** What other people said to their agents, about their own affairs: nearly none of it calls for these topics. */
export function readOthersMessages(data: string): string[] {
  const files = ['daily', 'coding'].flatMap((kind) =>
    fs
      .readdirSync(path.join(data, kind))
      .filter((name) => name.endsWith('.json'))
      .map((name) => path.join(data, kind, name)),
  );
  return files.flatMap((file) => {
    const { speakers, sessions } = JSON.parse(fs.readFileSync(file, 'utf8')) as {
      readonly speakers: readonly string[];
      readonly sessions: readonly { readonly turns: readonly { readonly speaker: string; readonly text: string }[] }[];
    };
    const said = sessions.flatMap(({ turns }) => turns).filter(({ speaker }) => speaker === speakers[0]);
    const step = Math.ceil(said.length / TURNS_OF_EACH);
    return said.filter((_, at) => at % step === 0).map(({ text }) => text);
  });
}

const dictionary = openStaticEmbedder();

/** As a home has them; vectors of notes are not kept. */
export const senses: WatcherSenses = {
  valenceOf: (text) => SentimentIntensityAnalyzer.polarity_scores(text).compound,
  languageOf: (text) => franc(text),
  rarityOf: (word) => dictionary.rarity?.(word) ?? 1,
  model: openTopicModel(),
};
