/** The homes that labelled prompts are put to, made of the conversations under bench/data. */
import fs from 'node:fs';
import path from 'node:path';
import { openMneme, type Mneme } from '../../src/mneme.ts';
import { initHome } from '../../src/operations/home/init.ts';
import { syncIndex } from '../../src/operations/search/index-operations.ts';
import { makeTemporaryFolder } from '../../test/support/home.ts';
import { readConversations, type Conversation } from '../retrieval/conversations.ts';

export interface LabelledPrompt {
  readonly id: string;
  readonly home: string;
  readonly text: string;
  readonly inject: boolean;
  readonly kind: string;
  readonly evidence: readonly string[];
}

const DAY_MS = 86_400_000;
const TURN_MS = 30_000;

export function readPrompts(file: string): readonly LabelledPrompt[] {
  return (JSON.parse(fs.readFileSync(file, 'utf8')) as { prompts: LabelledPrompt[] }).prompts;
}

/** `coding/` has a home a file, `daily/` is one home. */
export function readHomes(data: string): [string, readonly Conversation[]][] {
  const coding = readConversations(path.join(data, 'coding'));
  const daily = path.join(data, 'daily');
  return [
    ...coding.map((conversation): [string, Conversation[]] => [conversation.id, [conversation]]),
    ...(fs.existsSync(daily) ? [['daily', readConversations(daily)] as [string, Conversation[]]] : []),
  ];
}

/** Opens a throw-away home with the conversations, a day after the last of them, and removes it afterwards. */
export async function withHome(
  conversations: readonly Conversation[],
  use: (mneme: Mneme) => Promise<void>,
): Promise<void> {
  const folder = makeTemporaryFolder('mneme-bench-');
  await initHome({ home: folder, timeZone: 'UTC', isFull: false, command: ['mneme'] });
  const file = path.join(folder, 'import.jsonl');
  fs.writeFileSync(file, `${conversations.flatMap(toLines).join('\n')}\n`);
  const sessions = conversations.flatMap((conversation) => conversation.sessions);
  const lastMs = Math.max(...sessions.map(({ startedMs }) => startedMs));
  const mneme = await openMneme({ home: folder, parts: { clock: { now: () => lastMs + DAY_MS } } });
  await mneme.import({ from: 'transcript', path: file });
  await syncIndex(mneme.internals);
  await use(mneme);
  await mneme.close();
  fs.rmSync(folder, { recursive: true, force: true });
}

function toLines({ id, sessions }: Conversation): string[] {
  return sessions.flatMap(({ id: session, startedMs, turns }) =>
    turns.map(({ speaker, text }, index) => {
      const who = speaker === 'agent' ? { role: 'agent' } : { role: 'user', name: speaker };
      const time = new Date(startedMs + index * TURN_MS).toISOString();
      return JSON.stringify({ session: `${id}-${session}`.replaceAll(/[^\w-]+/gu, '-'), time, ...who, text });
    }),
  );
}
