import fs from 'node:fs';
import path from 'node:path';
import type { HeardConversation, HeardTurn } from '../../src/reasoner/port.ts';
import { setScene } from '../../src/reasoner/heuristic/conversation/scene.ts';
import { featuresOf } from '../../src/reasoner/heuristic/features/features.ts';
import { notice } from '../../src/reasoner/heuristic/kinds/notice.ts';
import { OUTCOMES, type Outcome } from '../../src/reasoner/heuristic/kinds/outcomes.ts';
import type { Example } from './regression.ts';
import type { Told } from './sample.ts';
import type { LabelledStatement, WrittenSession } from './training.ts';

const PHRASES = path.join(import.meta.dirname, 'phrases');
/** Single phrases say nothing about their place in a conversation. */
const OF_PLACE = /^(?:f:first|f:last|f:project|prev:|next:|echo:|t:|c:)/u;
/** Phrases were written around forms of speech: how often a form is meant is learnt from conversations only. */
const OF_FORM = /^(?:formx?|reply):/u;
/** Of a label that another kind would fit as well, what its first kind gets. */
const FIRST_KIND = 0.65;

export interface WrittenExample extends Example {
  readonly statement: LabelledStatement;
}

/** The user's statements of a session, each an example of what it tells. */
export function writtenExamples({ id, statements }: WrittenSession): WrittenExample[] {
  return statements
    .filter(({ heard }) => heard.utterance.turn.role === 'user')
    .map((statement) => {
      const items = statement.items.filter(({ optional }) => optional !== true);
      const isDoubtful = items.length === 0 && (statement.items.length > 0 || statement.isUnclear);
      return {
        statement,
        features: featuresOf(statement.heard),
        shares: sharesOf(items),
        weight: isDoubtful ? 0 : 1,
        group: id,
      };
    });
}

function sharesOf(items: readonly Told[]): number[] {
  const shares = OUTCOMES.map(() => 0);
  const add = (outcome: Outcome, share: number): void => {
    const place = OUTCOMES.indexOf(outcome);
    shares[place] = (shares[place] ?? 0) + share;
  };
  if (items.length === 0) add('none', 1);
  for (const { kind, alsoKind = [] } of items) {
    add(kind, (alsoKind.length === 0 ? 1 : FIRST_KIND) / items.length);
    for (const also of alsoKind) add(also, (1 - FIRST_KIND) / alsoKind.length / items.length);
  }
  return shares;
}

/** Phrases written for the purpose, with no conversation around them, and short exchanges. */
export async function phraseExamples(weight: number): Promise<Example[]> {
  const examples: Example[] = [];
  const exampleOf = (outcome: Outcome, features: readonly string[], group: string): Example => ({
    features,
    shares: OUTCOMES.map((each) => (each === outcome ? 1 : 0)),
    weight,
    group,
  });
  for (const outcome of OUTCOMES) {
    for (const [line, text] of linesOf(`${outcome}.txt`).entries()) {
      const scene = await setScene(conversationOf([['user', text]]));
      const [only, ...more] = scene.turns.flat();
      if (only === undefined || more.length > 0) continue;
      const features = featuresOf(notice(only, scene)).filter(
        (feature) => !OF_PLACE.test(feature) && !OF_FORM.test(feature),
      );
      examples.push(exampleOf(outcome, [...features, 'd:phrase'], `${outcome}-${line}`));
    }
  }
  for (const [line, text] of linesOf('exchanges.txt').entries()) {
    const [outcome, before = '', said = '', after = ''] = text.split(' :: ');
    const scene = await setScene(
      conversationOf([
        ['agent', before],
        ['user', said],
        ['agent', after],
      ]),
    );
    const [first] = scene.turns[1] ?? [];
    if (first === undefined || first.text === '') continue;
    const features = featuresOf(notice(first, scene)).filter((feature) => !OF_FORM.test(feature));
    examples.push(exampleOf(outcome as Outcome, [...features, 'd:exchange'], `exchange-${line}`));
  }
  return examples;
}

function linesOf(name: string): string[] {
  return fs
    .readFileSync(path.join(PHRASES, name), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');
}

function conversationOf(said: readonly (readonly ['user' | 'agent', string])[]): HeardConversation {
  const turns = said.map(([role, text], index): HeardTurn => ({
    id: `t${index + 1}`,
    role,
    text,
    timeMs: Date.UTC(2026, 2, 4, 9),
    trust: role,
  }));
  return { session: 'phrases', user: 'Alex', timeZone: 'Europe/Berlin', turns };
}
