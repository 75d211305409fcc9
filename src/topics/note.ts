import { keywordsOf, type WatchedTopic } from './topic-file.ts';

/** A topic as the model reads it. */
export interface Note {
  /** Rendered as `topic_rows` of `training/mneme_model/tasks.py` does: the model knows no other form. */
  readonly text: string;
  /** The playbook sentence by sentence. */
  readonly lines: readonly string[];
}

/** Beyond this many lines a playbook has said what it is about. */
const MAX_LINES = 16;

export function noteOf(topic: Pick<WatchedTopic, 'name' | 'description' | 'body' | 'triggers'>): Note {
  const lines = topic.body
    .replaceAll(/^#+ .*$/gmu, '')
    .split('\n')
    .map((line) => line.replace(/^\s*(?:[-*+]|\d+[.)])\s+/u, '').trim())
    .filter((line) => line !== '');
  const name = topic.name.replaceAll(/[-_]/gu, ' ');
  return {
    text: `${name}. ${topic.description} ${keywordsOf(topic).join(', ')}. ${lines.join(' ')}`,
    lines: lines.flatMap((line) => line.split(/(?<=[.!?])\s+/u)).slice(0, MAX_LINES),
  };
}
