/**
 * What is left after the windows of the labelled sample were flushed and compacted: how many of its decisions, preferences
 * and open tasks are in what is left, or found by one recall. No model.
 *
 *   npm run bench:compact -- [--data DIR] [--share 0.25] [--missed] [--json]
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { makeTemporaryFolder } from '../test/support/home.ts';
import { openMneme, type Mneme, type SessionHandle } from '../src/index.ts';
import { initHome } from '../src/operations/home/init.ts';
import { asked, isAmongHits, questionOf, tells } from './compact/judge.ts';
import { readSample, type SampleSession } from './extract/sample.ts';
import { percentile, printResult, progress } from './support.ts';

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    /** A folder with labelled sessions, in the form of bench/data/knowledge. */
    data: { type: 'string', default: path.join(import.meta.dirname, 'data/knowledge') },
    /** What each conversation is compacted to. */
    share: { type: 'string', default: '0.25' },
    user: { type: 'string', default: 'Ines' },
    zone: { type: 'string', default: 'Europe/Berlin' },
    /** Lists what was lost, and what a recall had to find. */
    missed: { type: 'boolean', default: false },
  },
});

interface Row {
  readonly total: number;
  readonly inWindow: number;
  readonly found: number;
  readonly foundBlind: number;
}

const sessions = readSample(options.data);
const home = makeTemporaryFolder();
await initHome({ home, timeZone: options.zone, isFull: false, command: ['mneme'] });
const m = await openMneme({ home });
const left = new Map<string, readonly string[]>();
const compactMs: number[] = [];
const tokens = { before: 0, after: 0 };
let saved = 0;
for (const [index, sample] of sessions.entries()) {
  if (index % 10 === 0) progress(`session ${index + 1} of ${sessions.length}`);
  const live = await hold(m, sample);
  const startedMs = performance.now();
  const whole = (await m.compact({ session: sample.session, dryRun: true, tokens: 1_000_000 })).tokensBefore;
  const result = await m.compact({ session: sample.session, tokens: Math.floor(whole * Number(options.share)) });
  compactMs.push(performance.now() - startedMs);
  left.set(
    sample.session,
    result.messages.map(({ content }) => String(content)),
  );
  await live.end();
  tokens.before += result.tokensBefore;
  tokens.after += result.tokens;
  saved += result.saved.flatMap(({ items }) => items).filter(({ action }) => action !== 'skipped').length;
}

const items = asked(sessions);
const tally = new Map<string, Row>();
for (const [session, label] of items) {
  const inWindow = (left.get(session.session) ?? []).some((text) => tells(text, label));
  const sameKey = sessions.filter(({ items: all }) => all.some(({ key }) => key === label.key));
  const names = new Set(sameKey.map((each) => each.session));
  const isFoundBy = async (question: string): Promise<boolean> =>
    inWindow || isAmongHits((await m.recall(question)).hits, label, names);
  const question = questionOf(label, 'natural');
  const found = await isFoundBy(question);
  const foundBlind = await isFoundBy(questionOf(label, 'blind'));
  const row = tally.get(label.kind) ?? { total: 0, inWindow: 0, found: 0, foundBlind: 0 };
  tally.set(label.kind, {
    total: row.total + 1,
    inWindow: row.inWindow + Number(inWindow),
    found: row.found + Number(found),
    foundBlind: row.foundBlind + Number(foundBlind),
  });
  if (options.missed && !found) {
    process.stdout.write(`LOST ${label.id} ${label.kind}: ${label.statement}\n  asked: ${question}\n`);
  }
}
await m.close();

const sum = (key: keyof Row): number => [...tally.values()].reduce((all, row) => all + row[key], 0);
printResult(options.json, 'Compaction: what is left of a conversation, or found again by one recall', {
  sessions: sessions.length,
  tokensBefore: tokens.before,
  tokensAfter: tokens.after,
  saved,
  asked: sum('total'),
  retained: share(sum('found'), sum('total')),
  // Asked without the words that name the matter.
  retainedBlind: share(sum('foundBlind'), sum('total')),
  inWindow: share(sum('inWindow'), sum('total')),
  kinds: Object.fromEntries(
    [...tally].map(([kind, row]) => [kind, { asked: row.total, retained: share(row.found, row.total) }]),
  ),
  compactP95Ms: percentile(compactMs, 0.95),
});

/** The conversation as its agent would have captured it; it is still going on. */
async function hold(mneme: Mneme, { session, project, turns }: SampleSession): Promise<SessionHandle> {
  const live = await mneme.session.start({ id: session, user: options.user, ...(project === null ? {} : { project }) });
  for (const { role, text, name, time, ...turn } of turns) {
    if (role === 'tool') await live.tool('tool' in turn ? String(turn.tool) : 'tool', '', text, { time });
    else await live.message(role, text, { time, ...(name === undefined ? {} : { name }) });
  }
  return live;
}

function share(count: number, total: number): number {
  return Math.round((count / Math.max(1, total)) * 1000) / 1000;
}
