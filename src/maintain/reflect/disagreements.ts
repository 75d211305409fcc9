import type { Judge } from '../../judge/judge.ts';
import type { Contradiction } from '../../memory/graph/contradictions.ts';
import type { Graph } from '../../memory/graph/graph.ts';
import type { GraphFact } from '../../memory/graph/statements.ts';
import { planSupersede } from '../../memory/stores/entities/facts.ts';
import type { StoreParts } from '../../memory/stores/plan.ts';
import { detailsOf, type Details } from '../../reasoner/heuristic/compare/details.ts';
import { coverageOf } from '../../reasoner/heuristic/compare/coverage.ts';
import type { Change } from '../../workspace/door/request.ts';
import type { Entity } from '../../workspace/formats/entity.ts';
import type { Declined } from './declined.ts';
import { oppose, opposeInWords } from './oppose.ts';
import { isReadable, saidOf, saidWhen } from './said-when.ts';
import type { LookedAt } from './survey.ts';

type Fact = Entity['facts'][number];

/** Two statements of one page of which at most one seems to hold. */
export interface Disagreement {
  readonly looked: LookedAt;
  readonly earlier: Fact & { readonly id: string };
  readonly later: Fact & { readonly id: string };
}

interface Side {
  readonly fact: Fact & { readonly id: string };
  readonly text: string;
  readonly details: Details;
  readonly day: string;
}

/** Statements that share less are of different things, whatever the model thinks of them. */
const RELATED = 0.45;
/** The overlap of an ending ("no longer …") with the statement that it ends. */
const SAME_MATTER = 0.6;
const IS_OVER = /\b(?:no longer|not? .{0,40}\bany ?more|n['’]t .{0,40}\bany ?more|stopped|gave up|used to)\b/iu;
/** More than these a person does not settle at one sitting. */
const MAX_FOUND = 5;

/** Finds contradictions between statements from before and after the last reflection. */
export async function findDisagreements(
  looked: readonly LookedAt[],
  { since, openJudge }: { readonly since: string; readonly openJudge: () => Pick<Judge, 'comparePair'> },
): Promise<Disagreement[]> {
  const found: Disagreement[] = [];
  for (const each of looked.filter(({ isChanged }) => isChanged)) {
    const sides = each.entity.facts.flatMap((fact) => sideOf(fact, each.record.name));
    for (const later of sides.filter(({ day }) => day >= since)) {
      for (const earlier of sides) {
        if (found.length >= MAX_FOUND) return found;
        if (earlier.day >= later.day || isOfOneTalk(earlier.fact, later.fact)) continue;
        if (await disagree(earlier, later, openJudge))
          found.push({ looked: each, earlier: earlier.fact, later: later.fact });
      }
    }
  }
  return found;
}

/** Statements that nobody could judge alone are not put to a person. */
function sideOf(fact: Fact, name: string): Side[] {
  const { id, text, isSuperseded } = fact;
  const day = saidOf(fact)[0]?.day ?? '';
  if (id === undefined || isSuperseded || day === '' || !isReadable(text)) return [];
  return [{ fact: { ...fact, id }, text, details: detailsOf(text, name), day }];
}

/** Said side by side, both hold. */
function isOfOneTalk(one: Fact, other: Fact): boolean {
  const [session, ...others] = [one, other].map((fact) => (saidOf(fact)[0]?.turn ?? '').split('#')[0]);
  return session !== '' && others.includes(session);
}

async function disagree(earlier: Side, later: Side, openJudge: () => Pick<Judge, 'comparePair'>): Promise<boolean> {
  if (opposeInWords(earlier.text, later.text)) return true;
  const isOver = IS_OVER.test(later.text) && !IS_OVER.test(earlier.text);
  const coverage = await coverageOf(earlier, later);
  if (coverage < RELATED) return false;
  return (isOver && coverage >= SAME_MATTER) || oppose(earlier.text, later.text, openJudge);
}

/** A contradiction in words, and what is proposed about it; no change where only the person can tell. */
interface Settlement {
  readonly told: string;
  readonly changes: readonly Change[];
}

/** Of two values of one property the newer holds, if one is newer; everything else is a question to the person. */
export function settleContradictions(
  parts: StoreParts,
  graph: Graph,
  contradictions: readonly Contradiction[],
  declined: Declined,
): Settlement[] {
  return contradictions.map((contradiction) => {
    const { kind, message, hint } = contradiction;
    const changes = kind === 'two-values' ? endOlder(parts, graph, contradiction, declined) : [];
    return {
      told: changes.length > 0 ? `${message} The newer one is proposed to hold.` : `${message} ${hint}`,
      changes,
    };
  });
}

/** Of two statements that do not go together the later holds, if the person agrees; refused, both do. */
export function settleDisagreements(
  parts: StoreParts,
  found: readonly Disagreement[],
  declined: Declined,
): Settlement[] {
  return found
    .filter(({ looked, earlier }) => !declined.has(looked.record.path, '-', earlier.text))
    .map(({ looked: { record }, earlier, later }) => ({
      told: `${record.name}: “${earlier.text}” (${saidWhen(earlier)}), but later “${later.text}” (${saidWhen(later)}). Does only the later hold?`,
      changes: planSupersede(parts, record, earlier.id, {
        until: later.meta.from ?? later.meta.learned,
        supersededBy: later.id,
      }).changes,
    }));
}

function endOlder(parts: StoreParts, graph: Graph, { items, path }: Contradiction, declined: Declined): Change[] {
  const facts = items.flatMap((id) => graph.statement(id).facts).filter((fact) => fact.path === path);
  const entity = graph.network.record(path);
  const [newest, next] = facts.toSorted((one, other) => sinceOf(other).localeCompare(sinceOf(one)));
  if (entity === undefined || newest === undefined || next === undefined || sinceOf(newest) === sinceOf(next))
    return [];
  return facts
    .filter((fact) => fact !== newest && !declined.has(path, '-', fact.text))
    .flatMap(
      (fact) => planSupersede(parts, entity, fact.id, { until: sinceOf(newest), supersededBy: newest.id }).changes,
    );
}

function sinceOf({ meta }: GraphFact): string {
  return meta.from ?? meta.learned ?? '';
}
