import type { Config } from '../model/config/schema.ts';
import type { Sighting } from './watchers.ts';

/** The decision on a topic that was sighted. */
export interface Verdict {
  readonly outcome: 'activate' | 'ask' | 'drop';
  /** In words, for the log and the receipt. */
  readonly reason: string;
}

/** Scores below which the question is not worth asking: S0's table, where a low priority needs more than a medium one. */
const ASKED_FROM = { medium: 0.2, low: 0.3 } as const;

export type WatcherSettings = Pick<Config, 'watchers' | 'gate'>;

/**
 * A trigger that the user wrote and that matches as written activates its topic, a single keyword as well: whoever writes a
 * word there means it. Where it only comes close, or where none matched, the score and the gate decide (S0 §5.2 and its
 * table of §5.4).
 */
export function decide({ topic, hits, score }: Sighting, { watchers, gate }: WatcherSettings): Verdict {
  const threshold = topic.frontmatter.similarity_threshold ?? watchers.similarity_threshold;
  const isMatched = hits.length > 0;
  const shown = score.toFixed(2);
  if (topic.activation === 'manual') return drop('activated by hand only');
  const match = hits.find((hit) => !hit.isLoose);
  if (match !== undefined) return activate(`a trigger matched: ${match.trigger.type}`);
  if (isMatched && topic.priority === 'critical') return activate('critical, and a trigger nearly matched');
  if (topic.activation === 'auto') {
    return score >= threshold ? activate(`auto, score ${shown}`) : drop(`score ${shown} is below ${threshold}`);
  }
  const ask = (why: string): Verdict => ({ outcome: 'ask', reason: why });
  if (!isMatched) {
    return score >= threshold
      ? ask(`no trigger, score ${shown}`)
      : drop(`no trigger, score ${shown} is below ${threshold}`);
  }
  const { high_min_score: high } = gate.bypass;
  const { medium, low } = ASKED_FROM;
  switch (topic.priority) {
    case 'critical':
    case 'high':
      return score >= high
        ? activate(`high priority, score ${shown}`)
        : ask(`high priority, score ${shown} is below ${high}`);
    case 'medium':
      return score >= medium
        ? ask(`a trigger nearly matched, score ${shown}`)
        : drop(`score ${shown} is below ${medium}`);
    case 'low':
      return score >= low
        ? ask(`a trigger nearly matched, score ${shown}`)
        : drop(`low priority, score ${shown} is below ${low}`);
  }
}

function activate(reason: string): Verdict {
  return { outcome: 'activate', reason };
}

function drop(reason: string): Verdict {
  return { outcome: 'drop', reason };
}
