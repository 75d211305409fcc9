/**
 * What is written from coding logs, line by line, with the verdict of whoever judged it last.
 *
 *   npm run bench:junk -- [--unjudged] [--json]
 *
 * Each log has its own home; a tool's lines are heard as a tool's, as they are when Claude Code's logs are imported.
 */
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { runPipeline } from './extract/pipeline.ts';
import type { SampleSession } from './extract/sample.ts';
import { printResult } from './support.ts';
import { MINUTE_MS } from '../src/model/time.ts';

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    /** Lists only lines that nobody has judged yet. */
    unjudged: { type: 'boolean', default: false },
  },
});
const DATA = path.join(import.meta.dirname, 'data');
const LOGS = ['atlas', 'fjord', 'quarry'];
const TOOL_LINE = /^> \[tool:\w+\] (?<said>.*)$/u;

interface Log {
  readonly speakers: readonly string[];
  readonly sessions: readonly {
    readonly id: string;
    readonly date: string;
    readonly turns: readonly { readonly speaker: string; readonly text: string }[];
  }[];
}
type Turn = SampleSession['turns'][number];

const verdicts = readVerdicts();
const counts = { keep: 0, junk: 0, unjudged: 0 };
for (const name of LOGS) {
  const log = JSON.parse(fs.readFileSync(path.join(DATA, 'coding', `${name}.json`), 'utf8')) as Log;
  const [user = ''] = log.speakers;
  const { taken } = await runPipeline(toSessions(name, log), { user, zone: 'Europe/Berlin', from: 'reasoner' });
  for (const { action, kind, statement } of taken) {
    if (action !== 'added' && action !== 'superseded') continue;
    const verdict = verdicts.get(statement) ?? 'unjudged';
    counts[verdict] += 1;
    if (!options.json && (verdict === 'unjudged' || !options.unjudged))
      process.stdout.write(`${verdict.padEnd(9)}${name.padEnd(7)} ${kind.padEnd(11)} ${statement}\n`);
  }
}
const judged = counts.keep + counts.junk;
printResult(options.json, 'Lines written from coding logs that a person would keep a year later', {
  ...counts,
  keptShare: judged === 0 ? null : Math.round((counts.keep / judged) * 1000) / 1000,
});

function toSessions(name: string, { sessions, speakers }: Log): SampleSession[] {
  return sessions.map(({ id, date, turns }) => {
    const startedMs = Date.parse(date);
    const heard = turns
      .flatMap(({ speaker, text }) =>
        speaker === 'agent' ? splitTools(text) : [{ role: toRole(speaker, speakers), name: speaker, text }],
      )
      .map((turn, index): Turn => ({
        ...turn,
        id: `t${index + 1}`,
        time: new Date(startedMs + index * MINUTE_MS).toISOString(),
      }));
    return { session: `${name}-${id}`, started: date, project: null, turns: heard, items: [], journal: null };
  });
}

/** Colleagues who join in are not the user: what they say is heard like what a tool gave back. */
function toRole(speaker: string, [user]: readonly string[]): Turn['role'] {
  return speaker === user ? 'user' : 'tool';
}

function splitTools(text: string): Pick<Turn, 'role' | 'name' | 'text'>[] {
  const turns: { role: Turn['role']; text: string }[] = [];
  for (const line of text.split('\n')) {
    const said = TOOL_LINE.exec(line)?.groups?.['said'];
    const last = turns.at(-1);
    if (said !== undefined) turns.push({ role: 'tool', text: said });
    else if (last?.role === 'assistant') last.text += `\n${line}`;
    else turns.push({ role: 'assistant', text: line });
  }
  return turns.filter((turn) => turn.text.trim() !== '');
}

function readVerdicts(): ReadonlyMap<string, 'keep' | 'junk'> {
  const lines = fs.readFileSync(path.join(DATA, 'junk/written-now.tsv'), 'utf8').trimEnd().split('\n').slice(1);
  return new Map(
    lines.flatMap((line): [string, 'keep' | 'junk'][] => {
      const [, , , , statement = '', verdict] = line.split('\t');
      return verdict === 'junk' || verdict === 'keep' ? [[statement, verdict]] : [];
    }),
  );
}
