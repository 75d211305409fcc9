/**
 * Which of the relations that people state are in the graph afterwards: each exchange is learned from in a home of its own.
 *
 *   npm run bench:relations -- [--data FILE] [--wrong] [--json]
 *
 * A file is JSON (`[{turns, expect, notExpect}]`) or text in the form of training/data/relations. A relation counts when it is
 * of the same family, in either wording of the same direction (A manages B, B reports to A), between the same names: equal
 * without articles and capitals, or one of them the beginning or end of the other ("Hetzner", "Hetzner boxes").
 */
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { extractKnowledge } from '../src/extract/extraction.ts';
import { chooseExtractors } from '../src/extract/extractors.ts';
import { canonicalRelation } from '../src/memory/graph/triples.ts';
import { fitRelation } from '../src/memory/stores/entities/relation-words.ts';
import { foldName } from '../src/memory/stores/registry/names.ts';
import { openMneme } from '../src/mneme.ts';
import { initHome } from '../src/operations/home/init.ts';
import { RELATION_FAMILIES } from '../src/reasoner/heuristic/entities/relations.ts';
import { parseOntology } from '../src/workspace/formats/relations.ts';
import { RELATIONS_TEMPLATE } from '../src/workspace/formats/relations-template.ts';
import { parseDocument } from '../src/workspace/markdown/document.ts';
import { makeTemporaryFolder } from '../test/support/home.ts';
import { readExchanges, type Exchange } from './relations/exchanges.ts';
import { printResult, progress } from './support.ts';

const { values: options } = parseArgs({
  options: {
    data: { type: 'string', default: 'bench/data/blind/relations.txt' },
    /** Lists what is missing, wrong or a trap. */
    wrong: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});

type Triple = Exchange['notExpect'][number];

const SPEAKER = 'i';
const SAID_OF_THE_SPEAKER: ReadonlySet<string> = new Set(['i', 'me', 'myself', 'speaker', 'user']);
const ONTOLOGY = parseOntology(parseDocument(RELATIONS_TEMPLATE));

interface Canonical {
  readonly from: string;
  readonly relation: string;
  readonly to: string;
  readonly isSymmetric: boolean;
}

/** A relation as the ontology writes it, read from the end that it names first. */
function canonical({ subject, relation, object }: Triple): Canonical {
  const [from, to] = [nameOf(subject), nameOf(object)];
  const { name, isReversed } = canonicalRelation(ONTOLOGY, fitRelation(ONTOLOGY, relation, '', undefined).named);
  const isSymmetric = ONTOLOGY.relations.get(name)?.isSymmetric === true;
  return isReversed ? { from: to, relation: name, to: from, isSymmetric } : { from, relation: name, to, isSymmetric };
}

function nameOf(name: string): string {
  const folded = foldName(name);
  return SAID_OF_THE_SPEAKER.has(folded) ? SPEAKER : folded;
}

function isSame(one: Triple, other: Triple): boolean {
  const [left, right] = [canonical(one), canonical(other)];
  if (left.relation !== right.relation) return false;
  const isStraight = isSameName(left.from, right.from) && isSameName(left.to, right.to);
  return isStraight || (left.isSymmetric && isSameName(left.from, right.to) && isSameName(left.to, right.from));
}

function isSameName(one: string, other: string): boolean {
  if (one === other) return true;
  if (one === SPEAKER || other === SPEAKER) return false;
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return long.startsWith(`${short} `) || long.endsWith(` ${short}`);
}

/** The graph of an empty home after it has learned from an exchange. */
async function learn(template: string, { turns }: Exchange): Promise<Triple[]> {
  const home = makeTemporaryFolder('mneme-bench-');
  fs.cpSync(template, home, { recursive: true });
  const mneme = await openMneme({ home });
  try {
    const extraction = await mneme.internals.parts.extraction();
    await extractKnowledge(extraction, {
      conversation: {
        session: 'ses_bench',
        timeZone: 'UTC',
        turns: turns.map(({ role, text }, index) => ({
          id: `t${index + 1}`,
          role: role === 'user' ? 'user' : 'agent',
          text,
          timeMs: Date.UTC(2026, 0, 5, 9, index),
          trust: role === 'user' ? 'user' : 'agent',
        })),
      },
      chosen: chooseExtractors(undefined, []),
      attribution: { actor: 'bot:bench', approval: 'auto' },
      source: 'auto',
    });
    const { entities } = extraction.stores;
    await entities.registry.sync();
    const user = entities.registry.findUser()?.id;
    const names = new Map(entities.registry.all().map(({ id, name }) => [id, id === user ? SPEAKER : name]));
    return entities.registry.all().flatMap((record) =>
      entities
        .read(record)
        .relations.filter(({ isSuperseded }) => !isSuperseded)
        .map(({ relation, target, meta }) => ({
          subject: names.get(record.id) ?? record.name,
          relation: typeof meta['said'] === 'string' ? meta['said'] : relation,
          object: names.get(target) ?? target,
        })),
    );
  } finally {
    await mneme.close();
    fs.rmSync(home, { recursive: true, force: true });
  }
}

interface Counts {
  readonly expected: number;
  readonly found: number;
  readonly written: number;
  readonly right: number;
}

function ratesOf(counts: Counts): { readonly precision: number; readonly recall: number; readonly expected: number } {
  const { expected, found, written, right } = counts;
  const share = (part: number, whole: number): number => Number((part / Math.max(1, whole)).toFixed(3));
  return { precision: share(right, written), recall: share(found, expected), expected };
}

const template = makeTemporaryFolder('mneme-bench-');
await initHome({ home: template, timeZone: 'UTC', isFull: false, command: ['mneme'] });
const exchanges = readExchanges(path.resolve(options.data));
const learned: (Exchange & { readonly written: readonly Triple[] })[] = [];
for (const [index, exchange] of exchanges.entries()) {
  if (index % 50 === 0) progress(`${index} of ${exchanges.length}`);
  learned.push({ ...exchange, written: await learn(template, exchange) });
}
fs.rmSync(template, { recursive: true, force: true });

function count(family?: string): Counts {
  const isOf = (each: { readonly family: string }): boolean => family === undefined || each.family === family;
  const word = family === undefined ? undefined : RELATION_FAMILIES[family]?.relation;
  const expected = learned.flatMap(({ expect, written }) => expect.filter(isOf).map((each) => ({ each, written })));
  const written = learned.flatMap((exchange) =>
    exchange.written.flatMap((each) => {
      const stated = exchange.expect.find((other) => isSame(each, other));
      const isOwn = stated === undefined ? word === undefined || each.relation === word : isOf(stated);
      return isOwn ? [{ isRight: stated !== undefined }] : [];
    }),
  );
  return {
    expected: expected.length,
    found: expected.filter((one) => one.written.some((other) => isSame(one.each, other))).length,
    written: written.length,
    right: written.filter(({ isRight }) => isRight).length,
  };
}

const traps = learned.flatMap(({ notExpect, written }) =>
  notExpect.map((trap) => written.some((each) => isSame(each, trap))),
);
if (options.wrong) {
  for (const { turns, expect, notExpect, written } of learned) {
    const show = (sign: string, triples: readonly Triple[]): string[] =>
      triples.map(({ subject, relation, object }) => `  ${sign} ${subject} | ${relation} | ${object}`);
    const lines = [
      ...show(
        'missing',
        expect.filter((each) => !written.some((other) => isSame(each, other))),
      ),
      ...show(
        'wrong',
        written.filter((each) => !expect.some((other) => isSame(each, other))),
      ),
      ...show(
        'trap',
        notExpect.filter((each) => written.some((other) => isSame(each, other))),
      ),
    ];
    if (lines.length > 0) process.stderr.write(`${turns.at(-1)?.text}\n${lines.join('\n')}\n`);
  }
}

const { precision, recall } = ratesOf(count());
printResult(options.json, 'relations', {
  exchanges: exchanges.length,
  precision,
  recall,
  byFamily: Object.fromEntries(Object.keys(RELATION_FAMILIES).map((family) => [family, ratesOf(count(family))])),
  traps: traps.length,
  trapsWritten: traps.filter(Boolean).length / Math.max(1, traps.length),
});
