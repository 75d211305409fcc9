import fs from 'node:fs';
import path from 'node:path';
import { openMneme, type Mneme } from '../../../../mneme.ts';
import { initHome } from '../../../../operations/home/init.ts';
import { systemClock, type Clock } from '../../../../platform/clock.ts';
import { CONVERSATIONS, CORE, ENTITIES, FACTS, PROPOSED, RELATIONS, REMEMBERED, type Conversation } from './story.ts';
import { DAY_MS, MINUTE_MS } from '../../../../model/time.ts';

/** A clock that stands where it was put. */
class StoryClock implements Clock {
  #nowMs: number;

  constructor(nowMs: number) {
    this.#nowMs = nowMs;
  }

  now(): number {
    return this.#nowMs;
  }

  /** Never backwards: history is written in order. */
  moveTo(timeMs: number): void {
    this.#nowMs = Math.max(this.#nowMs + 1000, timeMs);
  }

  pass(minutes: number): void {
    this.#nowMs += minutes * MINUTE_MS;
  }
}

/** Makes a home whose two weeks of history end now. */
export async function makeDemoHome(home: string, nowMs = systemClock.now()): Promise<void> {
  await initHome({ home, timeZone: 'UTC', isFull: false, command: ['mneme'] });
  const clock = new StoryClock(nowMs - 13 * DAY_MS);
  const open = (actor: string): Promise<Mneme> => openMneme({ home, actor, parts: { clock } });
  const person = await open('human:mira');
  await tellBasics(person, clock);
  await person.close();
  for (let daysAgo = 12; daysAgo >= 0; daysAgo -= 1) {
    const mneme = await open('bot:agent');
    for (const conversation of CONVERSATIONS.filter((one) => one.daysAgo === daysAgo)) {
      const start = startOfDay(nowMs - daysAgo * DAY_MS) + conversation.hour * 60 * MINUTE_MS;
      clock.moveTo(Math.min(start, nowMs - 50 * MINUTE_MS));
      await hold(mneme, conversation, clock, daysAgo === 0);
    }
    await mneme.close();
    clock.moveTo(Math.min(startOfDay(nowMs - daysAgo * DAY_MS) + 17 * 60 * MINUTE_MS, nowMs - 35 * MINUTE_MS));
    await rememberDay(home, daysAgo, clock);
  }
  clock.moveTo(nowMs - 20 * MINUTE_MS);
  await propose(home, clock);
  await askAround(home, clock);
  editOutside(home);
}

function startOfDay(timeMs: number): number {
  return timeMs - (timeMs % DAY_MS);
}

async function tellBasics(mneme: Mneme, clock: StoryClock): Promise<void> {
  for (const [name, type, summary] of ENTITIES) await mneme.graph.add({ name, type, summary });
  clock.pass(3);
  for (const [from, relation, to] of RELATIONS) await mneme.graph.link(from, relation, to, { loose: true });
  clock.pass(5);
  for (const { entity, text, ...options } of FACTS) await mneme.graph.fact(entity, text, options);
  for (const [text, block] of CORE) await mneme.core.add(text, { block });
  await mneme.topics.new('release', {
    description: 'Releasing a board to a harbour.',
    keywords: ['release', 'go live', 'roll out', 'deploy'],
    instructions:
      '1. Tag, and wait for the nightly run.\n2. Take a backup of the old board.\n3. One harbour first; watch for an hour.\n4. Then the rest. Never on a Friday.\n',
    activation: 'auto',
    priority: 'high',
  });
  await mneme.topics.new('tide times', {
    description: 'Anything about tide times, zones and the feed.',
    keywords: ['tide', 'time zone', 'UTC'],
    instructions: 'Store UTC, convert when drawing. Check the Sunday on which clocks change.\n',
    activation: 'auto',
  });
}

async function hold(
  mneme: Mneme,
  { id, topic, channel, turns }: Conversation,
  clock: StoryClock,
  isOpen: boolean,
): Promise<void> {
  const session = await mneme.session.start({ id, topic, channel, user: 'Mira Halden' });
  for (const { role, text } of turns) {
    clock.pass(2);
    if (role === 'user') await mneme.context(text, { session: id, event: 'prompt' });
    await session.message(role, text);
  }
  clock.pass(2);
  if (!isOpen) await session.end();
}

async function rememberDay(home: string, daysAgo: number, clock: StoryClock): Promise<void> {
  const mneme = await openMneme({ home, actor: 'human:mira', parts: { clock } });
  for (const [day, text, type] of REMEMBERED) {
    if (day !== daysAgo) continue;
    clock.pass(4);
    await mneme.remember(text, { type, tags: ['lantern'] });
  }
  await mneme.close();
}

async function propose(home: string, clock: StoryClock): Promise<void> {
  const mneme = await openMneme({ home, actor: 'subagent:researcher', parts: { clock } });
  await mneme.proposals.add({
    path: 'memory/reference/going-live.md',
    title: 'What harbours ask for when a board goes live',
    why: 'Three harbours were asked in the last two weeks; all of them named the same things.',
    evidence: ['skagen-go-live#t1', 'release-plan#t3'],
    confidence: 'high',
    after:
      '# Going live\n\n- A backup of the old board, kept for a month.\n- Night colours from the first day.\n- Somebody who answers before five in the morning.\n',
  });
  clock.pass(2);
  for (const { text, evidence } of PROPOSED) {
    await mneme.agents.propose({ text, evidence: [...evidence], confidence: 'medium' });
    clock.pass(1);
  }
  await mneme.close();
  const person = await openMneme({ home, actor: 'bot:agent', parts: { clock } });
  await person.graph.add({ name: 'T. Lindqvist', type: 'person', distinct: true });
  await person.graph.merge('T. Lindqvist', 'Tove Lindqvist');
  await person.close();
}

/** Asks the questions behind the demo's receipt and log of topics. */
async function askAround(home: string, clock: StoryClock): Promise<void> {
  const mneme = await openMneme({ home, actor: 'bot:agent', parts: { clock } });
  for (const message of [
    'Why were the tide times off?',
    'Who decides when Skagen goes live?',
    'Can we release the Skagen board on Friday?',
  ]) {
    clock.pass(1);
    await mneme.context(message, { event: 'prompt' });
  }
  await mneme.recall('tide times');
  await mneme.close();
}

/** A person's own editor, so that there is something to ask about. */
function editOutside(home: string): void {
  const file = path.join(home, 'workspace', 'MEMORY.md');
  fs.writeFileSync(
    file,
    fs
      .readFileSync(file, 'utf8')
      .replace('Short answers, with the reason', 'Short answers in plain words, with the reason'),
  );
}
