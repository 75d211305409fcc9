import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { openMneme } from '../../src/mneme.ts';
import { syncIndex } from '../../src/operations/search/index-operations.ts';
import { initTestHome, makeTemporaryFolder, writeWorkspaceFile } from '../support/home.ts';
import { answerHook } from '../support/hooks.ts';
import { DAY_MS } from '../../src/model/time.ts';

/** Conversations of one user: how many days ago, in which project, and what the user said. */
const SAID: readonly (readonly [number, string | undefined, readonly string[]])[] = [
  [58, undefined, ['My name is Alex Moreau, I am a backend engineer at Brightwater.', 'I am allergic to penicillin.']],
  [57, undefined, ['From now on always answer in bullet points.']],
  [55, 'harbor', ['The API listens on port 8443.', 'We use BullMQ as the queue library.']],
  [54, 'harbor', ['Always use pnpm in this project, never npm.', 'The brand colour is teal, #0d9488.']],
  [50, undefined, ['My brother Max is allergic to nuts.', 'My sister Vera lives in Graz.']],
  [48, 'harbor', ['We never deploy on Fridays.', 'We decided to use Postgres 16 for the ledger.']],
  [
    45,
    'harbor',
    [
      'To deploy I first run the smoke tests, then I tag the release, then I push the tag and watch the error dashboard.',
    ],
  ],
  [40, undefined, ['Maria is our accountant, she does the taxes every March.', 'Maria is vegetarian.']],
  [36, undefined, ['I adopted a greyhound called Biscuit.', 'Biscuit needs her heart pills every morning.']],
  [30, 'harbor', ['We moved the queue from BullMQ to pg-boss.']],
  [29, undefined, ['Project Alpha is delayed until March because the vendor is late.']],
  [28, 'lanterns', ['The lantern firmware is written in Zig.', 'Lantern tests run on port 7070.']],
  [21, undefined, ['Vera moved to Vienna last week.']],
  [
    14,
    undefined,
    ['I play the cello in an amateur orchestra on Wednesdays.', 'We booked the cabin in Norway for August.'],
  ],
  [5, 'harbor', ['The staging server is called Heron. It is down because its disk is full; Priya ordered a new one.']],
  [3, 'harbor', ['hi', 'thanks, that is all']],
];

/** A manual that nobody asks about: 60 paragraphs that read like answers to anything technical. */
const MANUAL = Array.from(
  { length: 60 },
  (_, at) =>
    `Step ${at + 1}. Open the panel of the WR-${900 + at} router, choose the wireless band, and check whether the lamp ` +
    `blinks ${at % 2 === 0 ? 'green' : 'orange'}. The current state of the connection is shown on page ${at + 3}.`,
).join('\n\n');

let home: string;
let folders: string;
let sessions = 0;

beforeAll(async () => {
  home = makeTemporaryFolder();
  folders = makeTemporaryFolder();
  await initTestHome(home);
  writeWorkspaceFile(home, 'memory/reference/router.md', `# Router manual\n\n${MANUAL}\n`);
  const today = Date.now();
  let nowMs = today;
  const mneme = await openMneme({ home, actor: 'human:user', parts: { clock: { now: () => nowMs } } });
  for (const [days, project, messages] of SAID) {
    nowMs = today - days * DAY_MS;
    const session = await mneme.session.start({ user: 'Alex', ...(project === undefined ? {} : { project }) });
    for (const text of messages) {
      nowMs += 60_000;
      await session.message('user', text);
      await session.message('agent', 'Noted.');
    }
    await session.end();
    await mneme.extract({ sessions: [session.id] });
  }
  await syncIndex(mneme.internals);
  await mneme.close();
});

interface Place {
  readonly project: string | undefined;
  readonly session: string;
}

function placeIn(project: string | undefined): Place {
  sessions += 1;
  return { project, session: `0d5b6a9e-0000-4000-8000-${String(sessions).padStart(12, '0')}` };
}

async function hook(event: string, { project, session }: Place, input: Record<string, unknown>): Promise<string> {
  const cwd = path.join(folders, project ?? 'user');
  fs.mkdirSync(cwd, { recursive: true });
  const log = path.join(cwd, `${session}.jsonl`);
  const { out } = await answerHook(home, event, { cwd, session_id: session, transcript_path: log, ...input });
  if (out === '') return '';
  const { hookSpecificOutput } = JSON.parse(out) as { hookSpecificOutput: { additionalContext: string } };
  return hookSpecificOutput.additionalContext;
}

const start = (place: Place): Promise<string> => hook('SessionStart', place, { source: 'startup' });
const ask = (place: Place, prompt: string): Promise<string> => hook('UserPromptSubmit', place, { prompt });

/** What the agent needs to know for a prompt, and what it must not be told as current. */
interface Asked {
  readonly project: string | undefined;
  readonly prompt: string;
  readonly needed: RegExp;
  readonly stale?: RegExp;
}

const NEVER = /(?!)/u;

const PROMPTS: readonly Asked[] = [
  { project: 'harbor', prompt: 'what port is the API on?', needed: /API listens on port 8443/u },
  { project: 'harbor', prompt: 'which queue library do we use', needed: /to pg-boss/u, stale: /We use BullMQ/u },
  { project: 'harbor', prompt: 'what’s the brand colour?', needed: /teal, #0d9488/u },
  { project: 'harbor', prompt: 'deploy it to production', needed: /never deploy on Fridays/u },
  { project: 'harbor', prompt: 'can I push the release out this Friday?', needed: /never deploy on Fridays/u },
  { project: 'harbor', prompt: 'what’s the latest on the staging server?', needed: /Heron.*disk is full/u },
  { project: undefined, prompt: 'I’m cooking for Max tonight, can I use nuts?', needed: /Max is allergic to nuts/u },
  { project: undefined, prompt: 'what is Max allergic to?', needed: /Max is allergic to nuts/u },
  { project: undefined, prompt: 'where does Vera live?', needed: /Vera moved to Vienna/u, stale: /Graz/u },
  { project: undefined, prompt: 'who is Maria?', needed: /Maria is our accountant/u },
  { project: undefined, prompt: 'Book lunch with Maria', needed: /Maria is vegetarian/u },
  { project: 'harbor', prompt: 'should I use npm here?', needed: /Always use pnpm in this project, never npm/u },
  { project: undefined, prompt: 'can I take penicillin?', needed: /allergic to penicillin/u },
];

/** Said by the start of the session; the prompt alone is not sure enough of them. */
const BY_START: readonly Asked[] = [
  { project: 'harbor', prompt: 'How do I usually deploy?', needed: /smoke tests.*tag the release.*push the tag/u },
];

describe('a prompt that needs something known', () => {
  it.each(PROMPTS)('is told it by itself, in $project: $prompt', async ({ project, prompt, needed, stale = NEVER }) => {
    const told = await ask(placeIn(project), prompt);
    expect(told).toMatch(needed);
    expect(told).not.toMatch(stale);
    expect(told.length).toBeLessThanOrEqual(1500 * 4);
  });

  it.each([...PROMPTS, ...BY_START])(
    'is told it by its session, once in a text, in $project: $prompt',
    async ({ project, prompt, needed, stale = NEVER }) => {
      const place = placeIn(project);
      const texts = [await start(place), await ask(place, prompt)];
      const counts = texts.map((text) => text.match(new RegExp(needed, 'gu'))?.length ?? 0);
      expect(Math.max(...counts)).toBe(1);
      expect(texts.join('\n')).not.toMatch(stale);
    },
  );

  it('says where it is from and on which day it was said', async () => {
    expect(await ask(placeIn('harbor'), 'what port is the API on?')).toMatch(
      /^\[\d{4}-\d\d-\d\d · ses_\w+ · user and agent\]\n t1 harbor › Facts: The API listens on port 8443/mu,
    );
  });
});

describe('a prompt that needs nothing', () => {
  it.each([
    ['harbor', 'thanks!'],
    ['harbor', 'ok, go ahead'],
    ['harbor', 'rename this variable'],
    ['harbor', 'write a function that reverses a string'],
    ['harbor', 'what is the difference between TCP and UDP?'],
    [undefined, 'what is a monad?'],
    [undefined, 'how tall is the Eiffel Tower?'],
    [undefined, 'translate "good morning" to Japanese'],
  ])('is silent, in %s: %s', async (project, prompt) => {
    expect(await ask(placeIn(project), prompt)).toBe('');
  });
});

describe('context', () => {
  it('leaves out bulk that shares no word and no name with the question', async () => {
    const mneme = await openMneme({ home });
    const { prompt } = await mneme.context('status of Project Alpha');
    await mneme.close();
    expect(prompt).toContain('Project Alpha is delayed until March');
    expect(prompt).not.toContain('router');
  });
});

describe('the start of a session', () => {
  it('tells who the user is, standing rules, what must never be wrong and the project’s facts and decisions', async () => {
    const told = await start(placeIn('harbor'));
    const needed = [
      /Alex Moreau/u,
      /backend engineer at Brightwater/u,
      /answer in bullet points/u,
      /allergic to penicillin/u,
      /API listens on port 8443/u,
      /never npm/u,
      /teal, #0d9488/u,
      /never deploy on Fridays/u,
      /Postgres 16 for the ledger/u,
      /BullMQ to pg-boss/u,
      /smoke tests/u,
    ];
    expect(needed.map((one) => told.match(new RegExp(one, 'gu'))?.length)).toEqual(needed.map(() => 1));
    expect(told.length).toBeLessThanOrEqual(1500 * 4);
  });

  it('tells a line of core memory that the user asked for as the user’s own', async () => {
    const told = await start(placeIn(undefined));
    expect(told).toMatch(/<core>[\s\S]*^- (?!\[).*bullet points/mu);
  });

  it('tells nothing that was replaced, and no page of the manual', async () => {
    for (const project of ['harbor', undefined]) {
      const told = await start(placeIn(project));
      expect(told).not.toMatch(/We use BullMQ|Graz|Superseded|router/u);
    }
  });

  it('has the project’s own lines before those of others', async () => {
    const told = await start(placeIn('lanterns'));
    expect(told).toContain('firmware is written in Zig');
    expect(told.indexOf('written in Zig')).toBeLessThan(told.indexOf('port 8443'));
  });

  it('quotes the last conversation that had content', async () => {
    expect(await start(placeIn('harbor'))).not.toMatch(/thanks, that is all|: hi$/mu);
  });
});
