import fs from 'node:fs';
import { parseArgs } from 'node:util';
import type { Conversation, LabelledQuestion } from '../bench/retrieval/conversations.ts';
import { evidenceRecall } from '../bench/retrieval/measure.ts';
import { listKinds, readKind } from '../bench/retrieval/own-conversations.ts';
import { ConversationHome } from '../bench/retrieval/system.ts';
import { openTier } from '../bench/retrieval/tiers.ts';
import { hitFeatures, questionFeatures } from '../src/retrieve/chance.ts';
import { chanceOf, logOdds, type Fitted } from '../src/retrieve/logistic.ts';
import { fitLogistic } from './logistic.ts';

/**
 * Fits `src/retrieve/chance.ts`: the chance that anything remembered answers a question, and that a hit does. Each
 * kind of conversation is a home that lacks its last conversation. Its questions can be answered; those of the conversation
 * that is missing and those of other kinds cannot. Prints how well kinds left out are judged, then the weights. `--rows FILE`
 * keeps what was measured, and reads it when it exists.
 */
const { values: given } = parseArgs({
  options: {
    conversations: { type: 'string', default: 'training/data/conversations' },
    rows: { type: 'string' },
  },
});

const ANSWERABLE = 80;
const FROM_MISSING = 30;
const FROM_OTHERS = 60;
const LIMIT = 10;
const FIRST = 5;
const GROUPS = 5;
/** Chances at which kinds left out are told apart. */
const FLOORS = [0.3, 0.4, 0.5, 0.6];
const BY_MEANING = ['closeness', 'closeInWords', 'information', 'unheard', 'unheardName', 'terms'];
const BY_WORDS = ['coverage', 'information', 'unheard', 'unheardName', 'terms'];
const HIT_BY_MEANING = ['answered', 'lessThanBest', 'coverage', 'rank'];
const HIT_BY_WORDS = ['answered', 'coverage', 'rank'];

interface Asked {
  readonly kind: string;
  readonly category: number;
  readonly from: 'own' | 'missing' | 'others';
  readonly question: Record<string, number>;
  readonly hits: readonly (Record<string, number> & { readonly isRight: number })[];
}

const kinds = listKinds(given.conversations).map((kind) => readKind(given.conversations, kind));
const asked = given.rows !== undefined && fs.existsSync(given.rows) ? readRows(given.rows) : await askAll();
if (given.rows !== undefined) fs.writeFileSync(given.rows, asked.map((one) => JSON.stringify(one)).join('\n'));
printLeftOut();
for (const [name, features, ofHits] of [
  ['ANSWERED', BY_MEANING, HIT_BY_MEANING],
  ['ANSWERED_BY_WORDS', BY_WORDS, HIT_BY_WORDS],
] as const) {
  const answered = fitQuestions(asked, features);
  console.log(name, JSON.stringify(answered), JSON.stringify(fitHits(asked, answered, ofHits)));
}

function readRows(file: string): Asked[] {
  return fs
    .readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => JSON.parse(line) as Asked);
}

async function askAll(): Promise<Asked[]> {
  const rows: Asked[] = [];
  for (const kind of kinds) rows.push(...(await askKind(kind)));
  return rows;
}

async function askKind(kind: Conversation): Promise<Asked[]> {
  const missing = kind.sessions.at(-1)?.id.replace(/\d+$/u, '') ?? '';
  const isMissing = (session: string): boolean => session.startsWith(missing);
  const isAboutMissing = ({ sessions }: LabelledQuestion): boolean => [...sessions].some(isMissing);
  const sessions = kind.sessions.filter(({ id }) => !isMissing(id));
  const home = await ConversationHome.build({ ...kind, sessions }, openTier('builtin'));
  const others = kinds.filter(({ id }) => id !== kind.id).flatMap(({ questions }) => questions);
  const put = [
    ...takeEvenly(
      kind.questions.filter((question) => !isAboutMissing(question)),
      ANSWERABLE,
    ).map((question) => ({ question, from: 'own' as const })),
    ...takeEvenly(kind.questions.filter(isAboutMissing), FROM_MISSING).map((question) => ({
      question,
      from: 'missing' as const,
    })),
    ...takeEvenly(others, FROM_OTHERS).map((question) => ({ question, from: 'others' as const })),
  ];
  const rows: Asked[] = [];
  for (const { question, from } of put) {
    const { text, category } = question;
    const filter = { scopes: ['shared'] as const };
    const request = { text, filter, limit: LIMIT, tokens: undefined, models: 'all' as const, isUnlisted: true };
    const { answer, hits } = await home.mneme.internals.search.ask(request);
    const features = hitFeatures(answer, 0.5);
    const judged = hits.map((hit, at) => ({
      ...features[at],
      isRight: Number(from === 'own' && evidenceRecall(hit.text, question) > 0),
    }));
    rows.push({ kind: kind.id, category, from, question: questionFeatures(text, answer), hits: judged });
  }
  await home.close();
  console.log(`${kind.id}: ${rows.length} questions`);
  return rows;
}

function takeEvenly<T>(from: readonly T[], most: number): T[] {
  const step = Math.max(1, from.length / most);
  return from.filter((_, at) => Math.floor(at / step) > Math.floor((at - 1) / step));
}

function fitQuestions(rows: readonly Asked[], features: readonly string[]): Fitted {
  return fitLogistic(
    rows.map(({ question, from }) => ({ features: question, isTrue: from === 'own' })),
    features,
  );
}

function fitHits(rows: readonly Asked[], answered: Fitted, features: readonly string[]): Fitted {
  return fitLogistic(
    rows.flatMap((one) => withChance(one, answered).map((hit) => ({ features: hit, isTrue: hit['isRight'] === 1 }))),
    features,
  );
}

function withChance({ question, hits }: Asked, answered: Fitted): Record<string, number>[] {
  const chance = logOdds(chanceOf(answered, question));
  return hits.map((hit) => ({ ...hit, answered: chance }));
}

function printLeftOut(): void {
  for (const [name, features, ofHits] of [
    ['by meaning', BY_MEANING, HIT_BY_MEANING],
    ['by words', BY_WORDS, HIT_BY_WORDS],
  ] as const) {
    const judged: { readonly one: Asked; readonly chance: number; readonly isFound: boolean }[] = [];
    for (let group = 0; group < GROUPS; group += 1) {
      const isLeftOut = ({ kind }: Asked): boolean => kinds.findIndex(({ id }) => id === kind) % GROUPS === group;
      const rest = asked.filter((one) => !isLeftOut(one));
      const answered = fitQuestions(rest, features);
      const ofHit = fitHits(rest, answered, ofHits);
      for (const one of asked.filter(isLeftOut)) {
        const hits = withChance(one, answered).sort((a, b) => chanceOf(ofHit, b) - chanceOf(ofHit, a));
        const isFound = hits.slice(0, FIRST).some(({ isRight }) => isRight === 1);
        judged.push({ one, chance: chanceOf(answered, one.question), isFound });
      }
    }
    const share = (rows: typeof judged, test: (row: (typeof judged)[number]) => boolean): string =>
      (rows.filter(test).length / Math.max(1, rows.length)).toFixed(3);
    const of = (from: Asked['from']): typeof judged => judged.filter(({ one }) => one.from === from);
    const direct = of('own').filter(({ one }) => one.category !== 5);
    console.log(`${name}: first five without a floor ${share(of('own'), ({ isFound }) => isFound)}`);
    for (const floor of FLOORS) {
      const isSilent = ({ chance }: { readonly chance: number }): boolean => chance < floor;
      const isKept = (row: (typeof judged)[number]): boolean => row.isFound && !isSilent(row);
      console.log(
        `  floor ${floor}: recognised ${share([...of('missing'), ...of('others')], isSilent)}`,
        `(same kind ${share(of('missing'), isSilent)}, other kinds ${share(of('others'), isSilent)});`,
        `answers in the first five ${share(of('own'), isKept)}, not reworded ${share(direct, isKept)};`,
        `answered ${share(of('own'), (row) => !isSilent(row))}, not reworded ${share(direct, (row) => !isSilent(row))}`,
      );
    }
  }
}
