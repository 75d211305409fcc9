import { KNOWLEDGE_KINDS, type KnowledgeKind } from '../../src/model/knowledge.ts';
import { isAsserted } from '../../src/reasoner/heuristic/kinds/judge.ts';
import { likeliestKind, OUTCOMES } from '../../src/reasoner/heuristic/kinds/outcomes.ts';
import type { WrittenExample } from './examples.ts';
import { chancesBy, fit, type Example, type FitOptions, type Model } from './regression.ts';
import type { QuotedItem } from './training.ts';

/** A writer's sessions with their statements as examples. */
export interface Written {
  readonly writer: string;
  readonly sessions: readonly { readonly items: readonly QuotedItem[]; readonly examples: readonly WrittenExample[] }[];
}

/** What a model would keep, and whether that is right. Told twice, or optional, it counts neither way. */
export interface Guess {
  readonly writer: string;
  readonly kind: KnowledgeKind;
  readonly chance: number;
  readonly verdict: 'right' | 'misfiled' | 'junk' | 'neutral';
}

export interface Crossed {
  readonly guesses: readonly Guess[];
  /** Required items by writer and kind. */
  readonly wanted: ReadonlyMap<string, Readonly<Record<string, number>>>;
  /** Of all statements, how many are rightly kept or left; of those to keep, how many get a right kind. */
  readonly keepRate: number;
  readonly kindRate: number;
}

/** Each writer judged by a model that was fitted to some of the others. */
export function crossValidate(
  all: readonly Written[],
  more: readonly Example[],
  options: FitOptions,
  others: (writer: Written, all: readonly Written[]) => readonly Written[] = (own) =>
    all.filter((each) => each !== own),
): Crossed {
  const guesses: Guess[] = [];
  const wanted = new Map<string, Readonly<Record<string, number>>>();
  const tally = { statements: 0, keptRightly: 0, kept: 0, kindRight: 0 };
  for (const own of all) {
    const examples = others(own, all).flatMap(({ sessions }) => sessions.flatMap((session) => session.examples));
    const model = fit([...examples, ...more], options);
    guesses.push(...guessesOf(own, model));
    wanted.set(own.writer, countKinds(own));
    for (const example of own.sessions.flatMap((session) => session.examples)) {
      if (example.weight === 0) continue;
      const chances = chancesBy(model, example.features);
      const isWanted = (example.shares[0] ?? 0) < 1;
      tally.statements += 1;
      if (chances.none < 0.5 === isWanted) tally.keptRightly += 1;
      if (!isWanted) continue;
      tally.kept += 1;
      if ((example.shares[OUTCOMES.indexOf(likeliestKind(chances))] ?? 0) > 0) tally.kindRight += 1;
    }
  }
  return {
    guesses,
    wanted,
    keepRate: tally.keptRightly / tally.statements,
    kindRate: tally.kindRight / tally.kept,
  };
}

function countKinds({ sessions }: Written): Record<string, number> {
  const items = sessions.flatMap((session) => session.items).filter(({ optional }) => optional !== true);
  return Object.fromEntries(KNOWLEDGE_KINDS.map((kind) => [kind, items.filter((item) => item.kind === kind).length]));
}

function guessesOf({ writer, sessions }: Written, model: Model): Guess[] {
  return sessions.flatMap(({ examples }) => {
    const ranked = examples
      .filter(({ statement }) => isAsserted(statement.heard))
      .map(({ features, statement }) => {
        const chances = chancesBy(model, features);
        const kind = likeliestKind(chances);
        return { kind, chance: chances[kind], items: statement.items };
      })
      .sort((one, other) => other.chance - one.chance);
    const told = new Set<string>();
    return ranked.map(({ kind, chance, items }) => ({ writer, kind, chance, verdict: verdictOn(kind, items, told) }));
  });
}

function verdictOn(kind: KnowledgeKind, items: readonly QuotedItem[], told: Set<string>): Guess['verdict'] {
  const fitting = items.filter((item) => item.kind === kind || (item.alsoKind ?? []).includes(kind));
  const fresh = fitting.find(({ id, optional }) => optional !== true && !told.has(id));
  if (fresh !== undefined) {
    told.add(fresh.id);
    return 'right';
  }
  if (fitting.length > 0 || items.some(({ optional }) => optional === true)) return 'neutral';
  return items.length > 0 ? 'misfiled' : 'junk';
}

export interface Kept {
  readonly right: number;
  readonly misfiled: number;
  readonly kept: number;
}

/** Of what is kept when so likely a kind suffices. */
export function countKept(guesses: readonly Guess[], likely: number, only?: KnowledgeKind): Kept {
  let right = 0;
  let misfiled = 0;
  let kept = 0;
  for (const { kind, chance, verdict } of guesses) {
    if (verdict === 'neutral' || chance < likely || (only !== undefined && kind !== only)) continue;
    kept += 1;
    if (verdict === 'right') right += 1;
    if (verdict === 'misfiled') misfiled += 1;
  }
  return { right, misfiled, kept };
}
