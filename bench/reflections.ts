/**
 * Lines of weekly reflections for somebody to judge who sees only conversations and lines, some of them planted.
 *
 *   npm run bench:reflections -- --out FOLDER [--data DIR …] [--weeks 5] [--seed 1]
 *   npm run bench:reflections -- --out FOLDER --verdicts FILE [--json]
 *
 * Each person's first weeks are taken in at their own times, with a reflection after the last conversation of each week, all of it
 * approved. FOLDER gets `sheet.md`: the conversations and the lines, shuffled; 15 % more are lines proposed for somebody else. Which ones they are stands in `key.json`, which the judge does not see. Verdicts are lines
 * "ID yes" or "ID no": would this person want that line to be remembered, and is it true?
 */
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { DAY_MS } from '../src/model/time.ts';
import { makeTemporaryFolder } from '../test/support/home.ts';
import { learnHistory } from './knows/learn-history.ts';
import { readPeople, type Need, type Person } from './knows/person.ts';
import { seededRandom } from './logs/seeded.ts';
import { printResult } from './support.ts';

const DATA = ['data/people', 'data/blind/people'].map((folder) => path.join(import.meta.dirname, folder));
const PLANTED_SHARE = 0.15;
/** Other pages of a reflection are its form and its diary. */
const CORE = 'MEMORY.md';

const { values: options } = parseArgs({
  options: {
    out: { type: 'string', default: 'reflections' },
    data: { type: 'string', multiple: true, default: DATA },
    weeks: { type: 'string', default: '5' },
    seed: { type: 'string', default: '1' },
    verdicts: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});

interface Proposed {
  readonly person: Pick<Person, 'id' | 'person' | 'sessions'>;
  /** The needs at a session start that this person stated in the first weeks, and how many of them were proposed by then. */
  readonly wanted: number;
  readonly wantedProposed: number;
  /** A repetition counts as often as it is proposed. */
  readonly lines: readonly string[];
}

/** The bullets that a diff adds, without what machines read. */
function addedLines(diff: string): string[] {
  return diff.split('\n').flatMap((line) => {
    const text = /^\+\s*- (?<text>.+)$/u.exec(line)?.groups?.['text'] ?? '';
    const bare = text
      .replaceAll(/<!--.*?-->/gu, '')
      .replace(/\s\^[0-9a-z]+\s*$/u, '')
      .trim();
    return bare === '' ? [] : [bare];
  });
}

const EARLY_WEEKS = 3;

function isSaidIn(lines: readonly string[], { allOf, anyOf }: Need): boolean {
  return lines.some((line) => {
    const text = line.toLowerCase();
    return (
      allOf.every((word) => text.includes(word)) && anyOf.every((group) => group.some((word) => text.includes(word)))
    );
  });
}

async function proposedFor(whole: Person, weeks: number): Promise<Proposed> {
  const startMs = Date.parse(whole.sessions[0]?.started ?? '');
  const weekOf = (started: string): number => Math.floor((Date.parse(started) - startMs) / (7 * DAY_MS));
  const sessions = whole.sessions.filter(({ started }) => weekOf(started) < weeks);
  const person = { id: whole.id, person: whole.person, sessions };
  const early = new Set(sessions.filter(({ started }) => weekOf(started) < EARLY_WEEKS).map(({ id }) => id));
  const needs = whole.sessionStart
    .flatMap((start) => start.needs)
    .filter(({ evidence }) => evidence.length > 0 && evidence.every(([session]) => early.has(session)));
  const wanted = [...new Map(needs.map((need) => [need.say, need])).values()];
  let wantedProposed = 0;
  const lines: string[] = [];
  const home = makeTemporaryFolder('mneme-reflections-');
  await learnHistory(home, person, async (mneme, at) => {
    const [own, next] = [sessions[at], sessions[at + 1]];
    if (own === undefined || (next !== undefined && weekOf(next.started) === weekOf(own.started))) return;
    const { proposal, changes } = await mneme.reflect();
    lines.push(...changes.filter((each) => each.path === CORE).flatMap(({ diff }) => addedLines(diff)));
    if (weekOf(own.started) < EARLY_WEEKS) wantedProposed = wanted.filter((need) => isSaidIn(lines, need)).length;
    if (proposal !== null) await mneme.approve({ ids: [proposal] });
  });
  fs.rmSync(home, { recursive: true, force: true });
  return { person, wanted: wanted.length, wantedProposed, lines };
}

function firstName({ person: { name } }: Proposed['person']): string {
  return name.split(' ')[0] ?? name;
}

interface Line {
  readonly id: string;
  readonly text: string;
  readonly isPlanted: boolean;
}

const lineSchema = z.object({ id: z.string(), text: z.string(), isPlanted: z.boolean() });

function write(people: readonly Proposed[], folder: string): readonly Line[] {
  const random = seededRandom(Number(options.seed));
  const key: Line[] = [];
  const sheet = people.map(({ person, lines }) => {
    const foreign = people
      .filter((other) => other.person.id !== person.id)
      // Under the own name: a judge should have to look for what was said.
      .flatMap((other) => other.lines.map((text) => text.replaceAll(firstName(other.person), firstName(person))));
    const planted = Array.from({ length: Math.ceil(lines.length * PLANTED_SHARE) }, () => {
      return foreign[Math.floor(random.next() * foreign.length)];
    }).filter((text) => text !== undefined && !lines.includes(text));
    const all = [
      ...lines.map((text) => ({ text, isPlanted: false, order: random.next() })),
      ...planted.map((text) => ({ text: text ?? '', isPlanted: true, order: random.next() })),
    ].toSorted((one, other) => one.order - other.order);
    const numbered = all.map(({ text, isPlanted }, at) => ({ id: `${person.id}-${at + 1}`, text, isPlanted }));
    key.push(...numbered);
    const talk = person.sessions.map(({ started, turns }) => {
      const said = turns.filter(({ role }) => role !== 'tool').map(({ role, text }) => `${role}: ${text}`);
      return `### ${started}\n\n${said.join('\n\n')}`;
    });
    const listed = numbered.map(({ id, text }) => `- ${id}: ${text}`).join('\n');
    return `# ${person.person.name}\n\n## Lines\n\n${listed}\n\n## Conversations\n\n${talk.join('\n\n')}\n`;
  });
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'sheet.md'), sheet.join('\n'));
  fs.writeFileSync(path.join(folder, 'key.json'), JSON.stringify(key, undefined, 1));
  return key;
}

function judge(key: readonly Line[], file: string): Record<string, unknown> {
  const verdicts = new Map(
    Array.from(fs.readFileSync(file, 'utf8').matchAll(/^(\S+) (yes|no)$/gmu), ([, id, word]) => [id, word === 'yes']),
  );
  const shareOf = (lines: readonly Line[]): number =>
    Number((lines.filter(({ id }) => verdicts.get(id) === true).length / Math.max(1, lines.length)).toFixed(3));
  const judged = key.filter(({ id }) => verdicts.has(id));
  return {
    judged: judged.length,
    accepted: shareOf(judged.filter(({ isPlanted }) => !isPlanted)),
    plantedAccepted: shareOf(judged.filter(({ isPlanted }) => isPlanted)),
  };
}

if (options.verdicts === undefined) {
  const people: Proposed[] = [];
  for (const person of options.data.flatMap((folder) => readPeople(folder)))
    people.push(await proposedFor(person, Number(options.weeks)));
  const key = write(people, options.out);
  const all = people.flatMap(({ lines }) => lines);
  const repeated = people.reduce((sum, { lines }) => sum + lines.length - new Set(lines).size, 0);
  printResult(options.json, 'Lines of weekly reflections to be judged', {
    people: people.length,
    lines: all.length,
    planted: key.filter(({ isPlanted }) => isPlanted).length,
    repeated,
    repeatedShare: Number((repeated / Math.max(1, all.length)).toFixed(3)),
    wantedByThirdWeek: people.reduce((sum, { wanted }) => sum + wanted, 0),
    wantedProposed: people.reduce((sum, { wantedProposed }) => sum + wantedProposed, 0),
  });
} else {
  const key = z.array(lineSchema).parse(JSON.parse(fs.readFileSync(path.join(options.out, 'key.json'), 'utf8')));
  printResult(options.json, 'Lines that a judge would accept', judge(key, options.verdicts));
}
