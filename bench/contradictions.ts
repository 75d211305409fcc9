/**
 * Whether weekly reflections notice statements that contradict an earlier one, planted in weeks of real conversations, and leave
 * alone those that only sound like it.
 *
 *   npm run bench:contradictions -- [--people DIR] [--data DIR] [--only tanel …] [--weeks 5] [--wrong] [--json]
 *
 * Each pair of bench/data/contradictions is said in two short conversations, the first in the first two weeks, the second in the
 * later ones; every reflection is approved. Noticed is what is asked on the page of a week, or was superseded by itself.
 */
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { DAY_MS } from '../src/model/time.ts';
import { lookAt } from '../src/operations/reflect/take-survey.ts';
import { makeTemporaryFolder } from '../test/support/home.ts';
import { learnHistory } from './knows/learn-history.ts';
import { readPeople, type Person } from './knows/person.ts';
import { printResult } from './support.ts';

const { values: options } = parseArgs({
  options: {
    people: { type: 'string', default: path.join(import.meta.dirname, 'data/people') },
    data: { type: 'string', default: path.join(import.meta.dirname, 'data/contradictions') },
    /** Persons by the names of their files. */
    only: { type: 'string', multiple: true },
    weeks: { type: 'string', default: '5' },
    /** Lists what was missed, what was noticed wrongly, and what else was asked. */
    wrong: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});

const pairsSchema = z.object({
  pairs: z.array(z.object({ first: z.string(), second: z.string(), contradicts: z.boolean() })),
});
type Pair = z.infer<typeof pairsSchema>['pairs'][number];

const WEEK_MS = 7 * DAY_MS;
const FIRST_WEEKS = 2;
const EVENING_MS = 20 * 3_600_000;
const ASKED = '**⚠️ Needs a Word From You**';

function withPlanted(whole: Person, pairs: readonly Pair[], weeks: number): Person {
  const startMs = Math.floor(Date.parse(whole.sessions[0]?.started ?? '') / DAY_MS) * DAY_MS;
  const endMs = startMs + weeks * WEEK_MS;
  const planted = pairs.flatMap(({ first, second }, at) => {
    const share = (at + 0.5) / pairs.length;
    const firstMs = startMs + Math.floor(share * FIRST_WEEKS * 7) * DAY_MS + EVENING_MS + at * 60_000;
    const secondMs = firstMs + FIRST_WEEKS * WEEK_MS + Math.floor(((at * 7) % (weeks * 7 - 4 * 7 + 1)) * DAY_MS);
    const talk = (id: string, timeMs: number, text: string): Person['sessions'][number] => ({
      id,
      started: new Date(timeMs).toISOString(),
      project: undefined,
      turns: [
        { id: 't1', role: 'user', text },
        { id: 't2', role: 'assistant', text: 'All right.' },
      ],
    });
    return [talk(`c${at}a`, firstMs, first), talk(`c${at}b`, secondMs, second)];
  });
  const own = whole.sessions.filter(({ started }) => Date.parse(started) < endMs);
  const sessions = [...own, ...planted].toSorted((one, other) => one.started.localeCompare(other.started));
  return { ...whole, sessions };
}

interface Noticed {
  /** Lines of pages under "Needs a Word From You". */
  readonly asked: readonly string[];
  /** Conversations whose statements no longer hold at the end, and those whose statements were taken in at all. */
  readonly ended: ReadonlySet<string>;
  readonly learned: ReadonlySet<string>;
}

function sectionOf(page: string, title: string): string[] {
  const [, rest = ''] = page.split(title);
  const [own = ''] = rest.split('\n**');
  return own.split('\n').filter((line) => line.startsWith('- '));
}

async function noticedIn(person: Person): Promise<Noticed> {
  const startMs = Date.parse(person.sessions[0]?.started ?? '');
  const weekOf = (started: string): number => Math.floor((Date.parse(started) - startMs) / WEEK_MS);
  const asked: string[] = [];
  const [ended, learned] = [new Set<string>(), new Set<string>()];
  const home = makeTemporaryFolder('mneme-contradictions-');
  await learnHistory(home, person, async (mneme, at) => {
    const [own, next] = [person.sessions[at], person.sessions[at + 1]];
    if (own === undefined || (next !== undefined && weekOf(next.started) === weekOf(own.started))) return;
    const { proposal, text } = await mneme.reflect();
    asked.push(...sectionOf(text, ASKED));
    if (proposal !== null) await mneme.approve({ ids: [proposal] });
    if (next !== undefined) return;
    const { graph } = await mneme.internals.parts.graph();
    for (const { entity } of lookAt(mneme.internals.workspace.root, graph.network.records())) {
      for (const { meta, isSuperseded } of entity.facts) {
        for (const session of (meta.evidence ?? []).map((turn) => turn.split('#')[0] ?? '')) {
          learned.add(session);
          if (isSuperseded) ended.add(session);
        }
      }
    }
  });
  fs.rmSync(home, { recursive: true, force: true });
  return { asked, ended, learned };
}

const counts = {
  planted: 0,
  asked: 0,
  replaced: 0,
  notLearned: 0,
  alike: 0,
  alikeAsked: 0,
  alikeReplaced: 0,
  others: 0,
};

function count(person: string, pairs: readonly Pair[], { asked, ended, learned }: Noticed): void {
  const list = (why: string, what: string): void => {
    if (options.wrong) process.stderr.write(`${person}: ${why}: ${what}\n`);
  };
  const named = new Set<string>();
  for (const [at, { first, second, contradicts }] of pairs.entries()) {
    const line = asked.find((each) => each.includes(`(c${at}a#`) && each.includes(`(c${at}b#`));
    if (line !== undefined) named.add(line);
    const isReplaced = line === undefined && ended.has(`c${at}a`);
    const isLearned = learned.has(`c${at}a`) && learned.has(`c${at}b`);
    if (contradicts) {
      counts.planted += 1;
      if (line !== undefined) counts.asked += 1;
      else if (isReplaced) counts.replaced += 1;
      else if (!isLearned) counts.notLearned += 1;
      if (line === undefined && !isReplaced) list(isLearned ? 'missed' : 'not learned', `${first} | ${second}`);
    } else {
      counts.alike += 1;
      if (line !== undefined) counts.alikeAsked += 1;
      else if (isReplaced) counts.alikeReplaced += 1;
      if (line !== undefined || isReplaced)
        list(isReplaced ? 'replaced wrongly' : 'asked wrongly', `${first} | ${second}`);
    }
  }
  for (const line of asked.filter((each) => !named.has(each))) {
    counts.others += 1;
    list('asked besides', line);
  }
}

for (const whole of readPeople(options.people)) {
  const file = path.join(options.data, `${whole.id}.json`);
  if (options.only?.includes(whole.id) === false || !fs.existsSync(file)) continue;
  const { pairs } = pairsSchema.parse(JSON.parse(fs.readFileSync(file, 'utf8')));
  count(whole.id, pairs, await noticedIn(withPlanted(whole, pairs, Number(options.weeks))));
}
printResult(options.json, 'Contradictions planted in weeks of conversations', {
  ...counts,
  noticed: Number(((counts.asked + counts.replaced) / Math.max(1, counts.planted)).toFixed(3)),
  falseShare: Number(((counts.alikeAsked + counts.alikeReplaced) / Math.max(1, counts.alike)).toFixed(3)),
});
