import type { KnowledgeKind } from '../../model/knowledge.ts';
import type { Comparison, HeardConversation, HeardTurn, Purposes, Reasoner, Route } from '../port.ts';
import { COMPARE_CASES, GATE_CASES, ROUTE_CASES, SLUG_CASES, SUMMARY_CASES } from './cases.ts';
import { KEPT_CASES, TRAP_CASES } from './extract-cases.ts';

/** The required content of an answer, as plain values: a scripted provider can make its answer from them. */
export type Expectation =
  | {
      readonly purpose: 'extract' | 'flush';
      readonly kept: readonly { readonly kind: KnowledgeKind; readonly says: readonly string[] }[];
    }
  | { readonly purpose: 'route'; readonly store: Route['store'] }
  | { readonly purpose: 'resolve_contradiction'; readonly verdicts: readonly Comparison['verdict'][] }
  | { readonly purpose: 'gate'; readonly isWanted: boolean }
  | { readonly purpose: 'slug'; readonly slug: RegExp }
  | { readonly purpose: 'summarise'; readonly mentions: readonly string[] };

export interface ReasonerCase {
  readonly name: string;
  readonly input: Purposes[keyof Purposes]['input'];
  readonly expected: Expectation;
}

/** A flush judges as extraction does; some of its cases show that it is answered at all. */
const FLUSH_CASES = 6;

/** The cases that every reasoner must get right. */
export const REASONER_CASES: readonly ReasonerCase[] = [
  ...KEPT_CASES.map(([said, kind, says]): ReasonerCase => ({
    name: `keeps as ${kind}: ${said.at(-1) ?? ''}`,
    input: { conversation: conversationOf(said), kinds: allKinds() },
    expected: { purpose: 'extract', kept: [{ kind, says }] },
  })),
  ...KEPT_CASES.slice(0, FLUSH_CASES).map(([said, kind, says]): ReasonerCase => ({
    name: `saves as ${kind}: ${said.at(-1) ?? ''}`,
    input: { conversation: conversationOf(said), kinds: allKinds() },
    expected: { purpose: 'flush', kept: [{ kind, says }] },
  })),
  ...TRAP_CASES.slice(0, FLUSH_CASES).map((said): ReasonerCase => ({
    name: `saves nothing of: ${said.at(-1) ?? ''}`,
    input: { conversation: conversationOf(said), kinds: allKinds() },
    expected: { purpose: 'flush', kept: [] },
  })),
  ...TRAP_CASES.map((said): ReasonerCase => ({
    name: `keeps nothing of: ${said.at(-1) ?? ''}`,
    input: { conversation: conversationOf(said), kinds: allKinds() },
    expected: { purpose: 'extract', kept: [] },
  })),
  ...ROUTE_CASES.map(([text, store]): ReasonerCase => ({
    name: `routes to ${store}: ${text}`,
    input: { text, user: 'Ada', timeMs: saidMs(), timeZone: 'Europe/Berlin' },
    expected: { purpose: 'route', store },
  })),
  ...COMPARE_CASES.map(([known, incoming, similarity, ...verdicts]): ReasonerCase => ({
    name: `compares: ${known} / ${incoming}`,
    input: {
      known: { text: known, saidMs: saidMs() },
      incoming: { text: incoming, saidMs: saidMs() + 86_400_000 },
      similarity,
    },
    expected: { purpose: 'resolve_contradiction', verdicts },
  })),
  ...GATE_CASES.map(([message, about, likeness, isWanted]): ReasonerCase => ({
    name: `gate: ${message}`,
    input: { message, topic: { name: about, description: about, keywords: [] }, matched: [], likeness },
    expected: { purpose: 'gate', isWanted },
  })),
  ...SLUG_CASES.map(([text, slug]): ReasonerCase => ({
    name: `names: ${text}`,
    input: { text },
    expected: { purpose: 'slug', slug },
  })),
  ...SUMMARY_CASES.map(([said, mentions]): ReasonerCase => ({
    name: `summarises: ${said[0] ?? ''}`,
    input: { conversation: conversationOf(said), maxTokens: 300 },
    expected: { purpose: 'summarise', mentions },
  })),
];

function allKinds(): readonly KnowledgeKind[] {
  return ['decision', 'lesson', 'person', 'procedure', 'fact', 'preference', 'task', 'correction'];
}

/** A Monday morning. */
function saidMs(): number {
  return Date.UTC(2026, 2, 2, 8, 0);
}

/** Lines that begin with `A:` are the agent's, all others the user's. */
export function conversationOf(said: readonly string[], more: Partial<HeardConversation> = {}): HeardConversation {
  const turns = said.map((line, index): HeardTurn => {
    const role = line.startsWith('A: ') ? 'agent' : 'user';
    return {
      id: `t${index + 1}`,
      role,
      text: line.replace(/^A: /u, ''),
      timeMs: saidMs() + index * 60_000,
      trust: role,
    };
  });
  return { session: 's1', user: 'Ada', timeZone: 'Europe/Berlin', turns, ...more };
}

/** The errors in a reasoner's answer to a case; empty when there are none. */
export async function failuresOf(reasoner: Reasoner, { input, expected }: ReasonerCase): Promise<string[]> {
  switch (expected.purpose) {
    case 'extract':
    case 'flush': {
      const { output } = await reasoner.ask(expected.purpose, input as Purposes['extract']['input']);
      const missing = expected.kept
        .filter(
          ({ kind, says }) =>
            !output.some(
              (candidate) =>
                candidate.kind === kind &&
                says.every((word) => candidate.statement.toLowerCase().includes(word.toLowerCase())),
            ),
        )
        .map(
          ({ kind, says }) =>
            `no ${kind} that says ${says.join(', ')}; got ${output.map((each) => `${each.kind}: ${each.statement}`).join(' | ') || 'nothing'}`,
        );
      const isJunk = expected.kept.length === 0 && output.length > 0;
      return isJunk ? output.map(({ kind, statement }) => `kept a ${kind}: ${statement}`) : missing;
    }
    case 'route': {
      const { output } = await reasoner.ask('route', input as Purposes['route']['input']);
      return output.store === expected.store ? [] : [`went to ${output.store} (${output.kind ?? 'no kind'})`];
    }
    case 'resolve_contradiction': {
      const { output } = await reasoner.ask(
        'resolve_contradiction',
        input as Purposes['resolve_contradiction']['input'],
      );
      return expected.verdicts.includes(output.verdict) ? [] : [`${output.verdict}: ${output.reason}`];
    }
    case 'gate': {
      const { output } = await reasoner.ask('gate', input as Purposes['gate']['input']);
      return output === expected.isWanted ? [] : [String(output)];
    }
    case 'slug': {
      const { output } = await reasoner.ask('slug', input as Purposes['slug']['input']);
      return expected.slug.test(output) ? [] : [output];
    }
    case 'summarise': {
      const { output } = await reasoner.ask('summarise', input as Purposes['summarise']['input']);
      const told = [output.topic, ...output.points, ...output.decisions, ...output.errors, ...output.next]
        .join('\n')
        .toLowerCase();
      return expected.mentions
        .filter((word) => !told.includes(word.toLowerCase()))
        .map((word) => `nothing about ${word}`);
    }
  }
}
