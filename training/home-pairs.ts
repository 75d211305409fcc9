import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { openBuiltinEmbedder } from '../src/providers/embeddings/builtin.ts';
import { dot } from '../src/providers/embeddings/port.ts';
import { readConversations, type Item } from './conversations.ts';

/**
 * Writes pairs as a memory meets them all day: a statement, or the turn it was said in, with the earlier ones nearest to it in
 * meaning. What the author of a conversation marked as holding to its end was replaced by nothing, so that these are
 * `different`. Writers of pairs write near ones; without these a model takes whatever is about the same person for an update.
 *
 *   node training/home-pairs.ts work/home-pairs.tsv
 */
const [out] = process.argv.slice(2);
if (out === undefined) throw new Error('Say which file to write: node training/home-pairs.ts FILE');

/** How many earlier statements a later one is set beside, how near they are at least, and from where on they may say the same. */
const NEAREST = 4;
const LEAST_NEAR = 0.35;
const MAY_BE_THE_SAME = 0.7;
/** A longer turn says too many things to stand for one of them. */
const LONGEST_TURN = 260;

interface Said extends Item {
  readonly turn: string;
}

/** The statement, or what was said, by chance. */
function formOf({ statement, turn }: Said, key: string): string {
  const chance = createHash('sha256').update(key).digest()[0] ?? 0;
  return turn !== '' && turn.length <= LONGEST_TURN && chance % 2 === 0 ? turn : statement;
}

const embedder = openBuiltinEmbedder(path.join(import.meta.dirname, '../assets/model'));
const lines: string[] = [];
for (const { kind, name, sessions } of readConversations(path.join(import.meta.dirname, 'data/conversations'))) {
  const said = sessions.flatMap(({ id, conversation, items }) =>
    items.map((item): Said => {
      const last = item.turns.at(-1);
      const turn = conversation.turns.find((each) => `${each.id}` === last || `${id}.${each.id}` === last);
      return { ...item, turn: (turn?.text ?? '').replaceAll(/\s+/gu, ' ').trim() };
    }),
  );
  const vectors = await embedder.embed(
    said.map(({ statement }) => statement),
    'document',
  );
  for (const [at, later] of said.entries()) {
    const own = vectors[at];
    if (own === undefined) continue;
    const near = said
      .slice(0, at)
      .map((earlier, place) => ({ earlier, near: dot(vectors[place] ?? own, own) }))
      .filter((one) => one.near >= LEAST_NEAR && one.near < MAY_BE_THE_SAME)
      .filter(({ earlier }) => earlier.holds === 'now' && !earlier.turns.some((turn) => later.turns.includes(turn)))
      .sort((left, right) => right.near - left.near)
      .slice(0, NEAREST);
    for (const { earlier } of near) {
      const key = `${kind}:${name}:${at}`;
      lines.push(
        ['different', key, formOf(earlier, `${key} earlier ${earlier.statement}`), formOf(later, `${key} later`)].join(
          '\t',
        ),
      );
    }
  }
}
fs.writeFileSync(out, `${lines.join('\n')}\n`);
console.log(`${lines.length} pairs`);
