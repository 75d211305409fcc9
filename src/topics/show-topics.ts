import type { Scope } from '../model/provenance.ts';
import type { ActiveTopic, Priority, TopicsForTurn } from './port.ts';
import type { ActiveEntry, SessionState } from './state/session-state.ts';
import { resolveSubscriptions, type SubscriptionSources } from './subscriptions.ts';
import { keywordsOf, type WatchedTopic } from './topic-file.ts';

const RANKS: Readonly<Record<Priority, number>> = { critical: 0, high: 1, medium: 2, low: 3 };
/** S0's number: more would leave no room for what was asked. */
const MAX_ACTIVE = 5;
const BYTES_PER_KB = 1024;

export interface ShowParts {
  readonly scope: Scope;
  readonly sources: SubscriptionSources;
}

/** Shows the active topics, most important first, with their subscriptions. */
export async function showTopics(
  state: SessionState,
  topics: readonly WatchedTopic[],
  { scope, sources }: ShowParts,
): Promise<Pick<TopicsForTurn, 'active' | 'keywords' | 'notes'>> {
  const entries = state.active
    .flatMap((entry) => {
      const topic = topics.find(({ path, isEnabled }) => path === entry.path && isEnabled);
      return topic === undefined ? [] : [{ entry, topic }];
    })
    .sort(
      (left, right) =>
        RANKS[left.topic.priority] - RANKS[right.topic.priority] ||
        (right.entry.score ?? 1) - (left.entry.score ?? 1) ||
        (left.topic.path < right.topic.path ? -1 : 1),
    );
  const notes =
    entries.length <= MAX_ACTIVE
      ? []
      : [`${entries.length - MAX_ACTIVE} active topics were left out: at most ${MAX_ACTIVE} are shown.`];
  const active: ActiveTopic[] = [];
  for (const { entry, topic } of entries.slice(0, MAX_ACTIVE)) {
    const { pieces, notes: missing } = await resolveSubscriptions(topic, scope, sources);
    notes.push(...missing);
    active.push(activeTopic(entry, topic, state, pieces));
  }
  for (const topic of topics)
    notes.push(...topic.findings.filter((finding) => /error|left out/u.test(finding)).slice(0, 1));
  return { active, keywords: [...new Set(active.flatMap(({ keywords }) => keywords))], notes };
}

function activeTopic(
  { cause, reason, score, lastTurn, matches }: ActiveEntry,
  topic: WatchedTopic,
  { turn }: SessionState,
  subscriptions: ActiveTopic['subscriptions'],
): ActiveTopic {
  const isEarlier = cause !== 'manual' && lastTurn < turn;
  const ago = turn - lastTurn;
  return {
    name: topic.name,
    title: topic.title,
    path: topic.path,
    priority: topic.priority,
    activation: topic.activation,
    cause: isEarlier ? 'earlier' : cause,
    reason: isEarlier ? `${reason}, ${ago} ${ago === 1 ? 'message' : 'messages'} ago` : reason,
    matches,
    score,
    body: topic.body,
    maxBytes: Math.round(topic.maxContextKb * BYTES_PER_KB),
    subscriptions,
    keywords: keywordsOf(topic),
  };
}
