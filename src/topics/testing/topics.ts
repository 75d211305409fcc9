import { HOME_LAYOUT } from '../../workspace/formats/layout.ts';
import { readTopic, type WatchedTopic } from '../topic-file.ts';

/** A topic from its frontmatter and playbook, as a file would give it. */
export function topicOf(name: string, frontmatter: string, body = 'Do it well.'): WatchedTopic {
  return readTopic(`topics/${name}.md`, `---\n${frontmatter.trim()}\n---\n\n# ${name}\n\n${body}\n`, HOME_LAYOUT);
}

export const PLAIN_SENSES = {
  valenceOf: (text: string): number => (/\b(?:hate|awful)\b/u.test(text) ? -0.8 : 0.1),
  languageOf: (): string => 'und',
};
