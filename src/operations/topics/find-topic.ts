import { MnemeError } from '../../model/errors.ts';
import type { WatchedTopic } from '../../topics/topic-file.ts';

/** By name, title or path. */
export function getTopic(topics: readonly WatchedTopic[], name: string): WatchedTopic {
  const wanted = name.trim().toLowerCase();
  const found =
    topics.find((topic) => topic.name.toLowerCase() === wanted || topic.path.toLowerCase() === wanted) ??
    topics.find(({ title }) => title.toLowerCase() === wanted);
  if (found !== undefined) return found;
  const names = topics.map((topic) => topic.name);
  throw new MnemeError('not-found', `There is no topic ${name}.`, {
    hint:
      names.length === 0
        ? 'There are none yet: `mneme topics new NAME` makes one.'
        : `There are: ${names.slice(0, 20).join(', ')}${names.length > 20 ? ' …' : ''}.`,
  });
}
