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

/**
 * Each writer's sessions as a model finds them that was fitted to writers of other groups only: forms, rules and
 * thresholds included. As many groups as writers leave out one at a time.
 */
export function crossValidate(
  all: readonly Written[],
  more: readonly Example[],
  options: FitOptions,
  groups: number,
): ReadonlyMap<string, readonly Judgement[]> {
  const judged = new Map<string, readonly Judgement[]>();
  for (let group = 0; group < groups; group += 1) {
    const isOwn = (place: number): boolean => place % groups === group;
    const others = all.filter((_writer, place) => !isOwn(place)).flatMap(({ examples }) => examples);
    const model = fit([...others, ...more], options);
    const chancesOf = (features: readonly string[]): Readonly<Record<Outcome, number>> => chancesBy(model, features);
    for (const own of all.filter((_writer, place) => isOwn(place)))
      judged.set(
        own.writer,
        own.sessions.map(({ scene, labelled }) => judgeSession(labelled, candidatesOf({ ...scene, chancesOf }))),
      );
  }
  return judged;
}
