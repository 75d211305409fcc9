/**
 * Stage `statements`: cuts every labelled conversation into turns and statements as the extractor does, for
 * `mneme_model.judge` to learn from.
 *
 *   node training/statements.ts OUT.jsonl [--unseen OUT.jsonl]
 *
 * A line holds a turn of a person: what was said before it, its statements, and what each of them tells.
 */
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { sharesOf } from './shares.ts';
import { findWriters, readWriter, type LabelledStatement } from './labels.ts';
import type { KnowledgeKind } from '../src/model/knowledge.ts';
import type { Utterance } from '../src/reasoner/heuristic/clauses/utterance.ts';
import { saidAfter, saidBefore, wordsOfStatement } from '../src/reasoner/heuristic/conversation/judge-turns.ts';
import { setScene } from '../src/reasoner/heuristic/conversation/scene.ts';
import { OUTCOMES, type Scene } from '../src/reasoner/heuristic/kinds/finding.ts';
import { stemsOf } from '../src/reasoner/heuristic/text/words.ts';
import { readConversations, type Item } from './conversations.ts';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { unseen: { type: 'string' } } });
const root = path.join(import.meta.dirname, '..');
const bench = (name: string): string => path.join(root, 'bench/data', name);

/** What a statement shares with an item's, of the fewer words: from here on it tells the item, or touches it. */
const TELLS = 0.5;
const TOUCHES = 0.2;

interface Label {
  readonly shares: readonly number[];
  readonly weight: number;
  readonly holds: string | null;
  readonly whose: string | null;
}
const NOTHING: Label = { shares: sharesOf([]), weight: 1, holds: null, whose: null };

const out = fs.openSync(positionals[0] ?? 'statements.jsonl', 'w');
for (const writer of findWriters(['knowledge', 'knowledge-plain', 'knowledge-training'].map(bench)))
  await writeWriter(writer, out);
for (const { kind, name, sessions } of readConversations(path.join(root, 'training/data/conversations'))) {
  for (const { id, conversation, items } of sessions) {
    const scene = await setScene(conversation);
    writeTurns(out, `${kind}-${name}-${id}`, kind, scene, labelItems(scene, items), true);
  }
}
writePhrases(out);
fs.closeSync(out);
if (values.unseen !== undefined) {
  const unseen = fs.openSync(values.unseen, 'w');
  for (const writer of findWriters(['knowledge-unseen', 'blind/knowledge'].map(bench)))
    await writeWriter(writer, unseen);
  fs.closeSync(unseen);
}

async function writeWriter(writer: { readonly name: string; readonly folder: string }, file: number): Promise<void> {
  for (const { id, scene, statements } of await readWriter(writer)) {
    const labels = new Map(statements.map((each) => [each.heard.utterance, labelOf(each)]));
    writeTurns(file, id, writer.name, scene, labels, false);
  }
}

function labelOf({ items, isUnclear }: LabelledStatement): Label {
  const needed = items.filter(({ optional }) => optional !== true);
  const isDoubtful = needed.length === 0 && (items.length > 0 || isUnclear);
  return { shares: sharesOf(needed), weight: isDoubtful ? 0 : 1, holds: null, whose: null };
}

/** Each item is told by the statement of its turns that shares most words with it. */
function labelItems(scene: Scene, items: readonly Item[]): Map<Utterance, Label> {
  const labels = new Map<Utterance, Label>();
  for (const { turns, kind, whose, holds, statement } of items) {
    const wanted = stemsOf(statement);
    const heard = scene.turns.flat().filter(({ turn, text }) => turns.includes(turn.id) && text !== '');
    const shared = heard.map((utterance) => {
      const own = stemsOf(utterance.text);
      const common = [...own].filter((stem) => wanted.has(stem)).length;
      return { utterance, share: common / Math.max(1, Math.min(own.size, wanted.size)), common };
    });
    const best = shared.toSorted((one, other) => other.common - one.common || other.share - one.share)[0];
    for (const { utterance, share } of shared) {
      const known = labels.get(utterance);
      if (utterance === best?.utterance && share >= TELLS)
        labels.set(utterance, { shares: mix(known, kind), weight: 1, holds, whose });
      else if (known === undefined && (share >= TOUCHES || utterance === best?.utterance))
        labels.set(utterance, { ...NOTHING, weight: 0 });
    }
  }
  return labels;
}

function mix(known: Label | undefined, kind: KnowledgeKind): number[] {
  const own = sharesOf([{ kind }]);
  if (known === undefined || known.weight === 0) return own;
  return own.map((share, place) => (share + (known.shares[place] ?? 0)) / 2);
}

function writeTurns(
  file: number,
  session: string,
  writer: string,
  scene: Scene,
  labels: ReadonlyMap<Utterance, Label>,
  isMatched: boolean,
): void {
  const { conversation } = scene;
  for (const [index, turn] of conversation.turns.entries()) {
    if (turn.role !== 'user') continue;
    const statements = (scene.turns[index] ?? []).filter(({ text }) => text !== '');
    if (statements.length === 0) continue;
    const row = {
      session,
      writer,
      before: saidBefore(conversation, index, scene.strictness),
      after: saidAfter(conversation, index),
      matched: isMatched,
      statements: statements.map((utterance) => ({
        text: wordsOfStatement(utterance),
        ...(labels.get(utterance) ?? NOTHING),
      })),
    };
    fs.writeSync(file, `${JSON.stringify(row)}\n`);
  }
}

/** Single phrases and short exchanges: what somebody says who says nothing else. */
function writePhrases(file: number): void {
  const folder = path.join(root, 'training/data/phrases');
  const linesOf = (name: string): string[] =>
    fs
      .readFileSync(path.join(folder, name), 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '');
  const write = (writer: string, outcome: string, before: string, text: string, after: string): void => {
    const kinds = outcome.split('/') as KnowledgeKind[];
    const shares = outcome === 'none' ? NOTHING.shares : sharesOf(kinds.map((kind) => ({ kind })));
    const statements = [{ text, shares, weight: 1, holds: null, whose: null }];
    const row = { session: writer, writer, before, after, matched: false, statements };
    fs.writeSync(file, `${JSON.stringify(row)}\n`);
  };
  for (const outcome of OUTCOMES) for (const text of linesOf(`${outcome}.txt`)) write('phrases', outcome, '', text, '');
  for (const name of fs.readdirSync(folder).filter((each) => each.startsWith('exchanges'))) {
    for (const line of linesOf(name)) {
      const [outcome = 'none', before = '', said = '', after = ''] = line.split(' :: ').map((part) => part.trim());
      if (said !== '') write(name.replace('.txt', ''), outcome, before === '' ? '' : `agent: ${before}`, said, after);
    }
  }
}
