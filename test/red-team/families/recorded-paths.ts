import fs from 'node:fs';
import path from 'node:path';
import { runHook } from '../../../src/interfaces/hooks/run-hook.ts';
import type { RepositoryName } from '../../../src/workspace/journal/record.ts';
import { TestCli } from '../../support/cli.ts';
import {
  attempt,
  plantJournal,
  writeFile,
  type HostileHomes,
  type Place,
  type PlantedFile,
} from '../../support/hostile-homes.ts';
import { openWorkspace } from '../../support/home.ts';
import { attack, control, shown, type Family } from '../table.ts';
import { mustBeRefused, mustGoThrough } from '../world.ts';
import { HOSTILE_BACKUPS } from './hostile-backups.ts';

const EVIL = '#!/bin/sh\necho evil\n';

/** Paths that no system may follow, whichever this is. */
const HOSTILE_PATHS: readonly string[] = [
  '',
  '.',
  '..',
  '../outside.md',
  '../../outside.md',
  '../../deep/outside.md',
  'memory/../../../outside.md',
  'memory/./../../outside.md',
  './../../outside.md',
  '/outside.md',
  '//server/share/outside.md',
  'memory//notes.md',
  'memory/',
  '..\\..\\outside.md',
  'memory\\..\\..\\..\\outside.md',
  'C:\\outside.md',
  'C:/outside.md',
  '\\\\server\\share\\outside.md',
  '.. /outside.md',
  '.../outside.md',
  '../../outside.md\0.md',
  '../../\uD800.md',
  `${'a/'.repeat(2100)}x.md`,
  `${'a/'.repeat(2030)}x.md`,
  `memory/${'a'.repeat(253)}.md`,
  `memory/${'ж'.repeat(128)}/x.md`,
  '.git/hooks/pre-commit',
  '.git/config',
  '.GIT/hooks/pre-commit',
  '.Git/info/attributes',
  'memory/.git/hooks/pre-commit',
  '.git\\hooks\\pre-commit',
  '.git./hooks/pre-commit',
  '.git /hooks/pre-commit',
  '.git::$INDEX_ALLOCATION/hooks/pre-commit',
  '.g\u200Cit/hooks/pre-commit',
  '.gi\uFEFFt/hooks/pre-commit',
  'git~1/hooks/pre-commit',
];

/** Names that only look like it. */
const HARMLESS_PATHS: readonly string[] = [
  'memory/reference/new.md',
  '%2e%2e/outside.md',
  '..%2f..%2foutside.md',
  'memory/..hidden.md',
  'memory/Why? A: "quoted".md',
  '.gitignore.md',
  'git/hooks.md',
  'memory/two\nlines.md',
  `memory/${'a'.repeat(252)}.md`,
  '日記/今日.md',
];

async function open({ home }: Place): Promise<void> {
  const workspace = await openWorkspace(home);
  await workspace.drain();
  await workspace.close();
}

/** Refused as a whole: also what comes before the record must not be written. */
function replays(repository: RepositoryName, name: string) {
  return (homes: HostileHomes): Promise<string | undefined> =>
    attempt(
      homes,
      ({ home }) =>
        plantJournal(home, [
          { repository, path: 'before.md', text: 'before\n' },
          { repository, path: name, text: EVIL },
        ]),
      async (place) => {
        const said = await mustBeRefused(() => open(place));
        const isReplayed = fs.existsSync(path.join(place.home, repository, 'before.md'));
        return said ?? (isReplayed ? 'a record before it was replayed' : undefined);
      },
    );
}

function makeLink({ home }: Place, link: string, target: string): void {
  const full = path.join(home, link);
  fs.rmSync(full, { recursive: true, force: true });
  fs.mkdirSync(path.dirname(full), { recursive: true });
  fs.symlinkSync(target, full);
}

/** A link in a work tree, and a record that goes through it. Whether that is refused does not matter here. */
function throughLink(name: string, link: string, target: string, record: PlantedFile) {
  return attack<HostileHomes>(`a journal record, and a link: ${name}`, (homes) =>
    attempt(
      homes,
      (place) => {
        makeLink(place, link, target);
        plantJournal(place.home, [record]);
      },
      async (place) => {
        // Both are right, as long as nothing else is touched.
        await mustGoThrough(() => open(place));
        return undefined;
      },
    ),
  );
}

const THROUGH_LINKS = [
  throughLink('a folder that leads out', 'workspace/link', '../..', {
    path: 'link/outside.md',
    text: EVIL,
    isReplacing: true,
  }),
  throughLink('a new file behind it', 'workspace/link', '../../deep', { path: 'link/new.md', text: EVIL }),
  throughLink('a deletion behind it', 'workspace/link', '../..', {
    path: 'link/outside.md',
    text: undefined,
    isReplacing: true,
  }),
  throughLink('a folder that leads into .git', 'workspace/link', '.git/hooks', { path: 'link/pre-push', text: EVIL }),
  throughLink('a transcript that leads out', 'raw/x.md', '../../outside.md', {
    repository: 'raw',
    path: 'x.md',
    text: EVIL,
    offset: 0,
  }),
  throughLink('a transcript that leads nowhere yet', 'raw/x.md', '../../made.md', {
    repository: 'raw',
    path: 'x.md',
    text: EVIL,
    offset: 0,
  }),
  throughLink('a folder of transcripts', 'raw/link', '../..', {
    repository: 'raw',
    path: 'link/outside.md',
    text: EVIL,
  }),
  throughLink('the chain', 'chain/x.jsonl', '../../outside.md', {
    repository: 'chain',
    path: 'x.jsonl',
    text: EVIL,
    offset: 0,
  }),
];

/** Names that Mneme and git write to, whatever stands there. */
const OWN_PLACES = [
  'workspace',
  'raw',
  'chain',
  'state',
  'journal',
  'logs',
  'state/tmp',
  'state/replaced',
  'state/lock.db',
  'chain/chain.jsonl',
  'logs/daemon.jsonl',
  'journal/wal/000000000901.wal',
  'journal/live',
  'journal/receipts/2026-01',
  'journal/costs.jsonl',
  'workspace/.git',
  'raw/.git',
  'workspace/.git/info',
  'workspace/.git/info/attributes',
  'workspace/.git/config',
  'workspace/.git/index',
  'workspace/.git/refs/heads',
  'workspace/.git/objects/pack',
  'workspace/.git/objects/45',
  'workspace/.git/logs/refs/heads/main',
];

const OWN_LINKS = OWN_PLACES.map((own) =>
  attack<HostileHomes>(`a link in the place of the home’s own ${own}`, (homes) =>
    attempt(
      homes,
      (place) => {
        // To a copy, so that nothing but the link is unusual.
        const [full, copy] = [path.join(place.home, own), path.join(place.folder, 'deep/copy')];
        if (fs.existsSync(full)) fs.cpSync(full, copy, { recursive: true });
        else fs.writeFileSync(copy, '');
        makeLink(place, own, copy);
      },
      (place) => mustBeRefused(() => open(place)),
    ),
  ),
);

const AUDIT_LOGS = [
  ['the audit log', 'workspace/memory/meta/audit.log', 'outside.md'],
  ['the audit log’s folder', 'workspace/memory/meta', 'deep'],
].map(([name = '', link = '', target = '']) =>
  attack<HostileHomes>(`a link in the place of ${name}`, (homes) =>
    attempt(
      homes,
      (place) => makeLink(place, link, path.join(place.folder, target)),
      async ({ home }) => {
        await new TestCli(home).ok('append', 'notes.md', 'The harbour is white.');
        return undefined;
      },
    ),
  ),
);

/** A `.git` that sends git to another repository. */
const REDIRECTS: Readonly<Record<string, (gitDir: string, other: string) => void>> = {
  'a file .git': (gitDir, other) => {
    fs.rmSync(gitDir, { recursive: true });
    fs.writeFileSync(gitDir, `gitdir: ${other}\n`);
  },
  'a commondir': (gitDir, other) => fs.writeFileSync(path.join(gitDir, 'commondir'), `${other}\n`),
};

type Door = (place: Place) => Promise<string | undefined>;

function cli(...args: readonly string[]): Door {
  return async ({ home }) => {
    const { code, err } = await new TestCli(home).run(args);
    if (code !== 7) return `ended with ${code}: ${err}`;
    return /must not be replayed.*check --repair/su.test(err) ? undefined : `does not say what to do: ${err}`;
  };
}

/** A hook never fails its program; those that only read need not look at the journal. */
async function hooks({ home, folder }: Place): Promise<string | undefined> {
  const log = path.join(folder, 'restored', 'log.jsonl');
  const said = { role: 'user', content: 'The harbour is white.' };
  const line = { type: 'user', uuid: 'u1', sessionId: 'ses_x', timestamp: '2026-01-01T10:00:00Z', message: said };
  writeFile(log, `${JSON.stringify(line)}\n`);
  for (const event of ['SessionStart', 'UserPromptSubmit', 'Stop', 'SessionEnd']) {
    const input = { session_id: 'ses_x', hook_event_name: event, transcript_path: log, prompt: 'Hello' };
    async function* given(): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(Buffer.from(JSON.stringify(input)));
    }
    const ignore = (): Promise<void> => Promise.resolve();
    // Before its beginning, so that there is time enough on any machine.
    const io = { input: given(), out: ignore, err: ignore, elapsedMs: () => -600_000 };
    await runHook({ home, agent: 'claude-code', event }, io);
  }
  return undefined;
}

const DOORS: Readonly<Record<string, Door>> = {
  status: cli('status'),
  check: cli('check'),
  recall: cli('recall', 'harbour'),
  remember: cli('remember', 'The harbour is white.'),
  sync: cli('sync'),
  'backup create': cli('backup', 'create'),
  'a session’s hooks': hooks,
};

export const RECORDED: Family<HostileHomes> = {
  title: 'Paths that a journal, a backup or a link in a home names',
  cases: [
    ...HOSTILE_PATHS.map((name) => attack(`a journal record of ${shown(name)}`, replays('workspace', name))),
    ...['../../outside.md', '.git/hooks/pre-commit', '..\\..\\outside.md', `${'a'.repeat(256)}.md`].flatMap((name) =>
      (['raw', 'chain'] as const).map((repository) =>
        attack(`a journal record of ${shown(name)} in ${repository}`, replays(repository, name)),
      ),
    ),
    ...THROUGH_LINKS,
    ...OWN_LINKS,
    ...AUDIT_LOGS,
    ...Object.entries(REDIRECTS).map(([name, make]) =>
      attack<HostileHomes>(`${name} that names another repository`, (homes) =>
        attempt(
          homes,
          ({ folder, home }) => {
            fs.cpSync(path.join(home, 'workspace/.git'), path.join(folder, 'deep/other'), { recursive: true });
            make(path.join(home, 'workspace/.git'), path.join(folder, 'deep/other'));
          },
          (place) => mustBeRefused(() => open(place)),
        ),
      ),
    ),
    ...Object.entries(DOORS).flatMap(([door, run]) =>
      ['../../outside.md', '.git/hooks/pre-push'].map((name) =>
        attack<HostileHomes>(`${door} on a home whose journal names ${name}`, (homes) =>
          attempt(
            homes,
            ({ home }) => plantJournal(home, [{ path: name, text: EVIL, isReplacing: name.startsWith('..') }]),
            run,
          ),
        ),
      ),
    ),
    ...HOSTILE_BACKUPS,
    attack('an open session whose record names another file', (homes) =>
      attempt(
        homes,
        ({ home }) => {
          const turn = { id: 't1', date: '2026-01-01', time: '10:00', role: 'user', blocks: [] };
          writeFile(path.join(home, 'journal/live/ses_x.jsonl'), `${JSON.stringify(turn)}\n`);
          const record = { session: '../../../deep/outside', startedMs: 1, part: 1, firstTurn: 1 };
          writeFile(path.join(home, 'journal/sessions/ses_x.json'), JSON.stringify(record));
        },
        async ({ home }) => {
          await new TestCli(home).run(['session', 'message', 'ses_x', 'user', 'Go on.']);
          await new TestCli(home).run(['session', 'end', 'ses_x']);
          return undefined;
        },
      ),
    ),
    ...HARMLESS_PATHS.map((name) =>
      control<HostileHomes>(`a journal record of ${shown(name)}`, (homes) =>
        attempt(
          homes,
          ({ home }) => plantJournal(home, [{ path: name, text: 'benign\n' }]),
          async (place) => {
            await open(place);
            return fs.existsSync(path.join(place.home, 'workspace', name)) ? undefined : 'was not replayed';
          },
        ),
      ),
    ),
    ...(['raw', 'chain'] as const).map((repository) =>
      control<HostileHomes>(`a journal record of a new file in ${repository}`, (homes) =>
        attempt(
          homes,
          ({ home }) => plantJournal(home, [{ repository, path: 'a/new.md', text: 'benign\n' }]),
          async (place) => {
            await open(place);
            return fs.existsSync(path.join(place.home, repository, 'a/new.md')) ? undefined : 'was not replayed';
          },
        ),
      ),
    ),
  ],
};
