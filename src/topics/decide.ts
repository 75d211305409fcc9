import type { Config } from '../model/config/schema.ts';
import type { Sighting } from './watchers.ts';

/** What is to become of a topic that was sighted. */
export interface Verdict {
  readonly outcome: 'activate' | 'ask' | 'drop';
  /** In words, for the log and the receipt. */
  readonly reason: string;
}

export type WatcherSettings = Pick<Config, 'watchers' | 'gate'>;

/** S0 §5.2 and its table of §5.4: when a question to the gate is not worth asking. */
export function decide({ topic, hits, score }: Sighting, { watchers, gate }: WatcherSettings): Verdict {
  const threshold = topic.frontmatter.similarity_threshold ?? watchers.similarity_threshold;
  const isMatched = hits.length > 0;
  const shown = score.toFixed(2);
  if (topic.activation === 'manual') return drop('activated by hand only');
  if (isMatched && topic.priority === 'critical') return activate('critical, and a trigger matched');
  if (topic.activation === 'auto') {
    return score >= threshold ? activate(`auto, score ${shown}`) : drop(`score ${shown} is below ${threshold}`);
  }
  const ask = (why: string): Verdict => {
    if (gate.enabled) return { outcome: 'ask', reason: why };
    return score >= threshold ? activate(`${why}; the gate is off`) : drop(`score ${shown} is below ${threshold}`);
  };
  if (!isMatched) {
    return score >= threshold
      ? ask(`no trigger, score ${shown}`)
      : drop(`no trigger, score ${shown} is below ${threshold}`);
  }
  const { high_min_score: high, medium_min_score: medium, low_min_score: low } = gate.bypass;
  switch (topic.priority) {
    case 'critical':
    case 'high':
      return score >= high
        ? activate(`high priority, score ${shown}`)
        : ask(`high priority, score ${shown} is below ${high}`);
    case 'medium':
      return score >= medium ? ask(`a trigger matched, score ${shown}`) : drop(`score ${shown} is below ${medium}`);
    case 'low':
      return score >= low
        ? ask(`a trigger matched, score ${shown}`)
        : drop(`low priority, score ${shown} is below ${low}`);
  }
}

function activate(reason: string): Verdict {
  return { outcome: 'activate', reason };
}

function drop(reason: string): Verdict {
  return { outcome: 'drop', reason };
}
