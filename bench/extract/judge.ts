import { KNOWLEDGE_KINDS, type Candidate, type KnowledgeKind } from '../../src/model/knowledge.ts';
import { stemsOf } from '../../src/reasoner/heuristic/text/words.ts';
import type { LabelledSession, Told } from './sample.ts';

/** Of a quotation's words that carry content, in a statement that tells it. */
const ENOUGH = 0.6;

/** How a session's candidates compare with its labels. */
export interface Judgement {
  readonly session: LabelledSession;
  readonly right: readonly { readonly candidate: Candidate; readonly label: Told }[];
  /** Match a label that a reasonable person could leave out: they count neither way. */
  readonly neutral: readonly Candidate[];
  readonly duplicates: readonly Candidate[];
  readonly wrong: readonly Candidate[];
  /** Of the wrong ones, those that tell a label under another kind: not junk, but filed wrongly. */
  readonly misfiled: readonly Candidate[];
  readonly missed: readonly Told[];
}

export function judgeSession(session: LabelledSession, candidates: readonly Candidate[]): Judgement {
  const matches = candidates.map((candidate) => session.items.filter((label) => isMatch(candidate, label)));
  const owner = assign(matches);
  const right: { candidate: Candidate; label: Told }[] = [];
  const neutral: Candidate[] = [];
  const duplicates: Candidate[] = [];
  const wrong: Candidate[] = [];
  for (const [index, candidate] of candidates.entries()) {
    const label = [...owner].find(([, holder]) => holder === index)?.[0];
    if (label !== undefined && label.optional !== true) right.push({ candidate, label });
    else if (label !== undefined) neutral.push(candidate);
    else if ((matches[index] ?? []).length > 0) duplicates.push(candidate);
    else wrong.push(candidate);
  }
  const missed = session.items.filter((label) => label.optional !== true && !owner.has(label));
  const misfiled = wrong.filter((candidate) => session.items.some((label) => tells(candidate, label)));
  return { session, right, neutral, duplicates, wrong, misfiled, missed };
}

function isMatch(candidate: Candidate, label: Told): boolean {
  const isKind = candidate.kind === label.kind || (label.alsoKind ?? []).includes(candidate.kind);
  return isKind && tells(candidate, label);
}

function tells(candidate: Candidate, label: Told): boolean {
  if (!candidate.evidence.turns.some((turn) => label.evidence.includes(turn))) return false;
  if (label.must !== undefined && label.must.length > 0) return holdsAll(candidate.statement, label.must);
  const told = stemsOf(candidate.statement);
  const quoted = [...stemsOf(label.quote ?? label.statement)];
  return quoted.filter((stem) => told.has(stem)).length >= quoted.length * ENOUGH;
}

function holdsAll(statement: string, must: readonly (readonly string[])[]): boolean {
  const text = statement.toLowerCase();
  return must.every((group) => group.some((word) => text.includes(word.toLowerCase())));
}

/** As many labels as possible get a candidate each (augmenting paths); required labels come before optional ones. */
function assign(matches: readonly (readonly Told[])[]): Map<Told, number> {
  const owner = new Map<Told, number>();
  const place = (index: number, tried: Set<Told>): boolean => {
    const labels = [...(matches[index] ?? [])].sort(
      (one, other) => Number(one.optional ?? false) - Number(other.optional ?? false),
    );
    for (const label of labels) {
      if (tried.has(label)) continue;
      tried.add(label);
      const holder = owner.get(label);
      if (holder === undefined || place(holder, tried)) {
        owner.set(label, index);
        return true;
      }
    }
    return false;
  };
  for (const index of matches.keys()) place(index, new Set());
  return owner;
}

export interface Rates {
  readonly precision: number;
  readonly recall: number;
  readonly right: number;
  readonly wrong: number;
  readonly missed: number;
}

export function ratesOf(judgements: readonly Judgement[], kind?: KnowledgeKind): Rates {
  const isKind = (one: { kind: KnowledgeKind }): boolean => kind === undefined || one.kind === kind;
  const right = judgements.flatMap((each) => each.right).filter(({ label }) => isKind(label)).length;
  const wrong = judgements.flatMap((each) => each.wrong).filter(isKind).length;
  const missed = judgements.flatMap((each) => each.missed).filter(isKind).length;
  return {
    precision: right + wrong === 0 ? 1 : right / (right + wrong),
    recall: right + missed === 0 ? 1 : right / (right + missed),
    right,
    wrong,
    missed,
  };
}

export function ratesByKind(judgements: readonly Judgement[]): Record<string, Rates> {
  return Object.fromEntries(KNOWLEDGE_KINDS.map((kind) => [kind, ratesOf(judgements, kind)]));
}
