import type { GateDecision } from './state/gate-log.ts';
import type { WatchedTopic } from './topic-file.ts';

/** A change to a topic file that its decisions speak for. */
export type TuneSuggestion =
  | {
      readonly kind: 'threshold';
      readonly path: string;
      readonly from: number;
      readonly to: number;
      readonly evidence: string;
    }
  | {
      readonly kind: 'trigger';
      readonly path: string;
      /** Its place in the file's list. */
      readonly trigger: number;
      readonly evidence: string;
    };

/** A setting of the home that all decisions together speak for. */
export interface TuneAdvice {
  readonly setting: string;
  readonly from: number;
  readonly to: number;
  readonly evidence: string;
}

/** Fewer cases are chance. */
const MIN_CASES = 6;
/** Most of what a change takes out must be useless, and nearly all that is useful must stay. */
const MIN_USELESS_DROPPED = 0.5;
const MIN_USEFUL_KEPT = 0.9;
const MAX_THRESHOLD = 0.9;

/** S0 §5.5: thresholds where what was injected was not used, triggers that only ever mislead. */
export function suggestChanges(
  topics: readonly WatchedTopic[],
  decisions: readonly GateDecision[],
  defaultThreshold: number,
): TuneSuggestion[] {
  return topics.flatMap((topic) => {
    const own = decisions.filter(({ topic_path: path }) => path === topic.path);
    const from = topic.frontmatter.similarity_threshold ?? defaultThreshold;
    const higher = higherThreshold(own, from);
    const threshold =
      higher === undefined
        ? []
        : [{ kind: 'threshold' as const, path: topic.path, from, to: higher.to, evidence: higher.evidence }];
    return [...threshold, ...uselessTriggers(topic, own)];
  });
}

function higherThreshold(
  decisions: readonly GateDecision[],
  from: number,
): { readonly to: number; readonly evidence: string } | undefined {
  const known = decisions.filter(({ outcome, was_useful: useful }) => outcome === 'active' && useful !== null);
  const useless = known.filter(({ was_useful: useful }) => useful === false);
  const useful = known.filter(({ was_useful: isUseful }) => isUseful === true);
  if (useless.length < MIN_CASES) return undefined;
  for (const to of stepsAbove(from)) {
    const dropped = useless.filter(({ tier2_score: score }) => score < to).length;
    const kept = useful.filter(({ tier2_score: score }) => score >= to).length;
    if (useful.length > 0 && kept / useful.length < MIN_USEFUL_KEPT) return undefined;
    if (dropped / useless.length < MIN_USELESS_DROPPED) continue;
    const evidence =
      `Of ${known.length} times it was active, ${useless.length} were of no use to the reply; ` +
      `from ${to} on, ${dropped} of these fall away and ${kept} of ${useful.length} useful ones stay.`;
    return { to, evidence };
  }
  return undefined;
}

function stepsAbove(from: number): number[] {
  const steps: number[] = [];
  for (let step = Math.floor(from * 20) / 20 + 0.05; step <= MAX_THRESHOLD; step += 0.05)
    steps.push(Number(step.toFixed(2)));
  return steps;
}

/** A trigger that was the only one to match, again and again, and never led to anything. */
function uselessTriggers({ path, triggers }: WatchedTopic, decisions: readonly GateDecision[]): TuneSuggestion[] {
  return triggers.flatMap((trigger, at) => {
    const name = `${trigger.type}:${at}`;
    const alone = decisions.filter(({ triggers: set }) => set.length === 1 && set[0] === name);
    const good = alone.filter(({ outcome, was_useful: useful }) => outcome === 'active' && useful !== false).length;
    if (alone.length < MIN_CASES || good > 0) return [];
    const evidence = `The ${trigger.type} trigger (number ${at + 1}) matched alone ${alone.length} times, and the topic never helped.`;
    return [{ kind: 'trigger' as const, path, trigger: at, evidence }];
  });
}

/** Bypass limits: where the gate always says the same, the question is not worth asking. */
export function adviseSettings(
  topics: readonly WatchedTopic[],
  decisions: readonly GateDecision[],
  highMinScore: number,
): TuneAdvice[] {
  const isHigh = new Set(topics.filter(({ priority }) => priority === 'high').map(({ path }) => path));
  const asked = decisions.filter(
    ({ topic_path: path, tier1_matched: matched, gate_result: result }) =>
      isHigh.has(path) && matched && result !== null,
  );
  for (const to of [0.15, 0.2, 0.25]) {
    const above = asked.filter(({ tier2_score: score }) => score >= to && score < highMinScore);
    const yes = above.filter(({ gate_result: result }) => result === true).length;
    if (to >= highMinScore || above.length < MIN_CASES || yes < above.length) continue;
    const evidence = `The gate was asked ${above.length} times about topics of high priority between ${to} and ${highMinScore} and always said yes.`;
    return [{ setting: 'gate.bypass.high_min_score', from: highMinScore, to, evidence }];
  }
  return [];
}
