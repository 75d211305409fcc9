import type { Outcome } from '../../src/reasoner/heuristic/kinds/outcomes.ts';
import { candidatesOf } from '../../src/reasoner/heuristic/extract.ts';
import type { WrittenExample } from './examples.ts';
import { judgeSession, type Judgement } from './judge.ts';
import { chancesBy, fit, type Example, type FitOptions } from './regression.ts';
import type { WrittenSession } from './training.ts';

/** A writer's sessions, each with its statements as examples. */
export interface Written {
  readonly writer: string;
  readonly sessions: readonly WrittenSession[];
  readonly examples: readonly WrittenExample[];
}

/** Each writer's sessions as a model finds them that was fitted to all the others: forms, rules and thresholds included. */
export function crossValidate(
  all: readonly Written[],
  more: readonly Example[],
  options: FitOptions,
): ReadonlyMap<string, readonly Judgement[]> {
  const judged = new Map<string, readonly Judgement[]>();
  for (const own of all) {
    const others = all.filter((each) => each !== own).flatMap(({ examples }) => examples);
    const model = fit([...others, ...more], options);
    const chancesOf = (features: readonly string[]): Readonly<Record<Outcome, number>> => chancesBy(model, features);
    judged.set(
      own.writer,
      own.sessions.map(({ scene, labelled }) => judgeSession(labelled, candidatesOf({ ...scene, chancesOf }))),
    );
  }
  return judged;
}
