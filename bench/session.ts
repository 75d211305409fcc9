/**
 * A message of a conversation on a home of 10 000 files, without a model: how long until it is durable, found by the next
 * question, and what it asks of the memory – remember this, what do you know about that – is done.
 *
 *   npm run bench:session -- [--files 10000] [--messages 1000] [--json]
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { makeTemporaryFolder } from '../test/support/home.ts';
import { openMneme } from '../src/index.ts';
import { initHome } from '../src/operations/home/init.ts';
import { percentile, printResult, progress } from './support.ts';

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '10000' },
    messages: { type: 'string', default: '1000' },
    json: { type: 'boolean', default: false },
  },
});
const fileCount = Number(values.files);
const messageCount = Number(values.messages);

const SUBJECTS = ['crane', 'harbour', 'planner', 'ledger', 'ferry', 'tide table', 'customs', 'quay'];

function subjectOf(index: number): string {
  return `${SUBJECTS[index % SUBJECTS.length] ?? ''} ${index}`;
}

function fillWorkspace(home: string): void {
  const root = path.join(home, 'workspace');
  for (let index = 0; index < fileCount; index += 1) {
    const file = path.join(root, `memory/reference/${index % 100}/note-${index}.md`);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, `# About the ${subjectOf(index)}\n\n- it was checked in week ${index % 52}\n`);
  }
  execFileSync('git', ['add', '-A'], { cwd: root });
  execFileSync('git', ['commit', '-q', '-m', 'notes'], { cwd: root });
}

/** Mostly plain talk; one message in ten wants something remembered, one in fifty asks. */
function messageOf(index: number): readonly ['user' | 'agent', string] {
  if (index % 2 === 1) return ['agent', `I looked at the ${subjectOf(index)} and changed what was left. Tests pass.`];
  if (index % 10 === 0)
    return ['user', `Good. Please remember that the ${subjectOf(index)} is inspected on day ${index % 28}.`];
  if (index % 50 === 2) return ['user', `What do you know about the ${subjectOf(index)}?`];
  return ['user', `Now look at the ${subjectOf(index)} again, the numbers of yesterday were off by ${index}.`];
}

const home = makeTemporaryFolder();
await initHome({ home, timeZone: 'UTC', isFull: false, command: ['mneme'] });
progress(`${fileCount} files`);
fillWorkspace(home);
const m = await openMneme({ home });
await m.recall('crane');
const session = await m.session.start({ user: 'Ines' });
progress(`${messageCount} messages`);
const all: number[] = [];
const wishes: number[] = [];
for (let index = 0; index < messageCount; index += 1) {
  const [role, text] = messageOf(index);
  const startedMs = performance.now();
  const { triggers } = await session.message(role, text);
  const tookMs = performance.now() - startedMs;
  all.push(tookMs);
  if (triggers.length > 0) wishes.push(tookMs);
}
await session.end();
await m.close();
printResult(values.json, 'A message, durable and acted on', {
  files: fileCount,
  messages: all.length,
  messageP50Ms: percentile(all, 0.5),
  messageP95Ms: percentile(all, 0.95),
  wishes: wishes.length,
  wishP50Ms: percentile(wishes, 0.5),
  wishP95Ms: percentile(wishes, 0.95),
});
