/**
 * Fits when a prompt is told something, and what: the weights of src/compile/relevance/weights.ts.
 *
 *   node training/prompts.ts [--data DIR] [--homes DIR] [--write]
 *
 * The people of `bench/data/people` are learned as `bench:knows` does it. A memory counts as helping when it holds what a
 * prompt needs. Prints how well each person is judged by weights fitted on the others. When a small home speaks is fitted
 * on the homes of `training/data/prompts`; each of their authors is judged by the others, too.
 */
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { learnHistory } from '../bench/knows/learn-history.ts';
import { isTold } from '../bench/knows/measure.ts';
import { readPeople, type Person } from '../bench/knows/person.ts';
import { progress } from '../bench/support.ts';
import { projectOf } from '../src/compile/project.ts';
import { JUDGED, messageFeatures } from '../src/compile/relevance/consider.ts';
import { chanceOf, logOdds, type Fitted } from '../src/retrieve/logistic.ts';
import { FIRST_LOOK, HELPS, SPEAKS } from '../src/compile/relevance/weights.ts';
import { openMneme } from '../src/mneme.ts';
import { makeTemporaryFolder } from '../test/support/home.ts';
import { askPrompt, type Asked, type Memory } from './asked.ts';
import { fitLogistic, type Labelled } from './logistic.ts';
import { askSmallHomes } from './small-homes.ts';

const { values: options } = parseArgs({
  options: {
    data: { type: 'string', default: path.join(import.meta.dirname, '../bench/data/people') },
    homes: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});

const WEIGHTS_FILE = path.join(import.meta.dirname, '../src/compile/relevance/weights.ts');
const SMALL_HOMES = path.join(import.meta.dirname, 'data/prompts');
const THRESHOLDS = [0.5, 0.6, 0.65, 0.7, 0.75, 0.8];
/** Few messages for nine features. */
const RIDGE_OF_MESSAGES = 2;

interface Ranking {
  readonly first: Fitted;
  readonly helps: Fitted;
}

const people = readPeople(options.data);
const homes = options.homes ?? makeTemporaryFolder('mneme-prompts-');
const asked: Asked[] = [];
for (const person of people) {
  const home = path.join(homes, person.id);
  if (!fs.existsSync(home)) await learnHistory(home, person);
  progress(`${person.id}: ${person.prompts.length} prompts`);
  asked.push(...(await askPerson(home, person)));
}
const askedSmall = await askSmallHomes(SMALL_HOMES, progress);

report('Each person judged by the others', asked, (others) => {
  const ranking = fitRanking(others);
  return { ranking, speaks: fitSpeaks(others, ranking) };
});
const ranking = fitRanking(asked);
report('Small homes, each author judged by the others', askedSmall, (others) => ({
  ranking,
  speaks: fitSpeaks(others, ranking),
}));
if (options.write) {
  const speaks = fitSpeaks(asked, ranking);
  fs.writeFileSync(WEIGHTS_FILE, sourceOf(ranking, speaks, fitSpeaks(askedSmall, ranking)));
}

async function askPerson(home: string, person: Person): Promise<Asked[]> {
  let nowMs = 0;
  const mneme = await openMneme({ home, mode: 'read', parts: { clock: { now: () => nowMs } } });
  const projectOfSession = new Map(person.sessions.map(({ id, project }) => [id, project]));
  try {
    const found: Asked[] = [];
    for (const { text, needs, project, at } of person.prompts) {
      nowMs = Date.parse(at);
      found.push(
        await askPrompt(mneme, {
          group: person.id,
          text,
          needs: needs.length,
          heldBy: (passage) => needs.flatMap((need, number) => (isTold(need, [passage.text]) ? [number] : [])),
          project: projectOf(project === undefined ? [] : [project], ({ session }) =>
            projectOfSession.get(session ?? ''),
          ),
          nowMs,
        }),
      );
    }
    return found;
  } finally {
    await mneme.close();
  }
}

function fitRanking(some: readonly Asked[]): Ranking {
  const isHelping = ({ needs }: Memory): boolean => needs.length > 0;
  const all = some.flatMap(({ memories }) => memories);
  const first = fitAs(
    FIRST_LOOK,
    all.map((memory) => ({ features: memory.features, isTrue: isHelping(memory) })),
  );
  const best = some.flatMap((one) => bestOf(one, first));
  const helps = fitAs(
    HELPS,
    best.map((memory) => ({ features: withHelp(memory), isTrue: isHelping(memory) })),
  );
  return { first, helps };
}

function fitSpeaks(some: readonly Asked[], by: Ranking): Fitted {
  const messages = some.map((one) => ({ features: messageOf(one, by), isTrue: one.needs > 0 }));
  return fitAs(SPEAKS, messages, RIDGE_OF_MESSAGES);
}

/** The fitted numbers under the names that receipts show. */
function fitAs({ weights: known }: Fitted, rows: readonly Labelled[], ridge?: number): Fitted {
  const { start, weights } = fitLogistic(rows, Object.keys(known), ridge);
  const named = Object.entries(known).map(([feature, { name }]) => [
    feature,
    { name, weight: weights[feature]?.weight ?? 0 },
  ]);
  return { start, weights: Object.fromEntries(named) as Fitted['weights'] };
}

function bestOf({ memories }: Asked, first: Fitted): Memory[] {
  const weighed = memories.map((memory) => ({ memory, chance: chanceOf(first, memory.features) }));
  weighed.sort((left, right) => right.chance - left.chance);
  return weighed.slice(0, JUDGED).map(({ memory }) => memory);
}

function withHelp({ features, help }: Memory): Record<string, number> {
  return { ...features, helps: logOdds(help) };
}

function messageOf(one: Asked, { first, helps }: Ranking): Record<string, number> {
  const best = bestOf(one, first).map((memory) => ({ chance: chanceOf(helps, withHelp(memory)), help: memory.help }));
  best.sort((left, right) => right.chance - left.chance);
  return messageFeatures({ message: one.text, isInProject: one.isInProject }, best, one.memories);
}

interface Gate {
  readonly ranking: Ranking;
  readonly speaks: Fitted;
}

/** Prints what a gate fitted on the other groups does with each group. */
function report(title: string, all: readonly Asked[], fitOn: (others: readonly Asked[]) => Gate): void {
  const judged = [...new Set(all.map(({ group }) => group))].flatMap((group) => {
    const gate = fitOn(all.filter((one) => one.group !== group));
    return all.filter((one) => one.group === group).map((one) => ({ one, ...judge(one, gate) }));
  });
  const needing = judged.filter(({ one }) => one.needs > 0);
  const others = judged.filter(({ one }) => one.needs === 0);
  process.stdout.write(`${title}: ${needing.length} prompts need something, ${others.length} nothing.\n`);
  for (const threshold of THRESHOLDS) {
    const spoken = needing.filter(({ value }) => value >= threshold);
    const told = spoken.reduce((sum, { one, held }) => sum + held.size / one.needs, 0);
    const silent = others.filter(({ value }) => value < threshold).length;
    process.stdout.write(
      `  at ${threshold}: speaks ${share(spoken.length, needing.length)}, tells ${share(told, needing.length)} of what is needed, silent ${share(silent, others.length)}\n`,
    );
  }
}

function judge(
  one: Asked,
  { ranking: by, speaks }: Gate,
): { readonly value: number; readonly held: ReadonlySet<number> } {
  const held = new Set(
    bestOf(one, by.first)
      .filter((memory) => chanceOf(by.helps, withHelp(memory)) >= 0.06)
      .flatMap(({ needs }) => needs),
  );
  return { value: chanceOf(speaks, messageOf(one, by)), held };
}

function sourceOf({ first, helps }: Ranking, speaks: Fitted, speaksSmall: Fitted): string {
  const show = (name: string, about: string, { start, weights }: Fitted): string =>
    [
      `/** ${about} */`,
      `export const ${name}: Fitted = {`,
      `  start: ${start},`,
      '  weights: {',
      ...Object.entries(weights).map(
        ([feature, one]) => `    ${feature}: { name: '${one.name}', weight: ${one.weight} },`,
      ),
      '  },',
      '};',
      '',
    ].join('\n');
  return [
    "import type { Fitted } from '../../retrieve/logistic.ts';\n",
    '/*',
    ' * Fitted by `node training/prompts.ts --write` on the people of `bench/data/people`, the last one on the homes of',
    ' * `training/data/prompts`.',
    ' */\n',
    show('FIRST_LOOK', 'Whether a memory helps, by what is stored.', first),
    show('HELPS', 'Whether a memory helps, once the model has read it together with the message.', helps),
    show('SPEAKS', 'Whether a message needs anything remembered.', speaks),
    show('SPEAKS_SMALL', 'The same in a home of few memories.', speaksSmall).trimEnd(),
    '',
  ].join('\n');
}

function share(part: number, whole: number): string {
  return (part / Math.max(1, whole)).toFixed(3);
}
