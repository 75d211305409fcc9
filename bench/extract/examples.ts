import fs from 'node:fs';
import path from 'node:path';
import type { HeardConversation, HeardTurn } from '../../src/reasoner/port.ts';
import type { Utterance } from '../../src/reasoner/heuristic/clauses/utterance.ts';
import { setScene } from '../../src/reasoner/heuristic/conversation/scene.ts';
import { featuresOf } from '../../src/reasoner/heuristic/features/features.ts';
import type { Heard, Scene } from '../../src/reasoner/heuristic/kinds/finding.ts';
import { notice } from '../../src/reasoner/heuristic/kinds/notice.ts';
import { OUTCOMES, type Outcome } from '../../src/reasoner/heuristic/kinds/score.ts';
import { stateFinding } from '../../src/reasoner/heuristic/statement/statement.ts';
import { jaccard, stemsOf } from '../../src/reasoner/heuristic/text/words.ts';
import type { Example } from './regression.ts';
import { toConversation, type Label, type SampleSession } from './sample.ts';

const PHRASES = path.join(import.meta.dirname, 'phrases');
/** Single phrases say nothing about their place in a conversation. */
const OF_PLACE = /^(?:f:first|f:last|f:project|prev:|next:|echo:|t:)/u;
const OF_SESSION = /^(?:f:project)/u;

/** The statements of a labelled session: each is an example of its label's kind, or of nothing worth keeping. */
export async function sessionExamples(session: SampleSession, user: string, timeZone: string): Promise<Example[]> {
  const scene = await setScene(toConversation(session, user, timeZone, []));
  const units = scene.turns
    .flat()
    .filter(({ turn, text }) => turn.role === 'user' && text !== '')
    .map((utterance) => ({ utterance, heard: notice(utterance, scene), outcome: 'none' as Outcome, weight: 1 }));
  for (const label of session.items) {
    const stems = stemsOf(label.statement);
    const near = (utterance: Utterance): number => jaccard(stemsOf(utterance.text), stems);
    const told = units
      .filter(({ utterance, heard }) => label.evidence.includes(utterance.turn.id) && tells(heard, scene, label))
      .sort((one, other) => near(other.utterance) - near(one.utterance));
    for (const [place, unit] of told.entries()) {
      if (unit.outcome !== 'none') continue;
      if (place === 0 && label.optional !== true) Object.assign(unit, { outcome: label.kind, weight: 1 });
      else unit.weight = 0;
    }
    // Part of something worth keeping, though it does not tell it all: an example of nothing.
    if (told.length > 0) continue;
    for (const unit of units) {
      const isPart = label.evidence.includes(unit.utterance.turn.id) && near(unit.utterance) > 0.15;
      if (isPart && unit.outcome === 'none') unit.weight = 0;
    }
  }
  return units.map(({ heard, outcome, weight }) => ({
    features: featuresOf(heard),
    label: OUTCOMES.indexOf(outcome),
    weight,
    group: session.session,
  }));
}

function tells(heard: Heard, scene: Scene, label: Label): boolean {
  const statement = stateFinding({ kind: label.kind, heard, score: 1 }, scene).toLowerCase();
  return label.must.every((group) => group.some((word) => statement.includes(word.toLowerCase())));
}

/** Phrases written for the purpose, with no conversation around them, and short exchanges. */
export async function phraseExamples(weight: number): Promise<Example[]> {
  const examples: Example[] = [];
  for (const [label, outcome] of OUTCOMES.entries()) {
    for (const [line, text] of linesOf(`${outcome}.txt`).entries()) {
      const scene = await setScene(conversationOf([['user', text]]));
      const [only, ...more] = scene.turns.flat();
      if (only === undefined || more.length > 0) continue;
      const features = featuresOf(notice(only, scene)).filter((feature) => !OF_PLACE.test(feature));
      examples.push({ features: [...features, 'd:phrase'], label, weight, group: `${outcome}-${line}` });
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
    const features = featuresOf(notice(first, scene)).filter((feature) => !OF_SESSION.test(feature));
    examples.push({
      features: [...features, 'd:exchange'],
      label: OUTCOMES.indexOf(outcome as Outcome),
      weight,
      group: `exchange-${line}`,
    });
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
