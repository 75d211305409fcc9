import fs from 'node:fs';
import path from 'node:path';
import { MemoryTool } from '../../../src/interfaces/memory-tool/memory-tool.ts';
import { append } from '../../../src/operations/append.ts';
import { edit } from '../../../src/operations/edit.ts';
import { changeFiles } from '../../../src/operations/files/change-files.ts';
import { runOperation } from '../../../src/operations/operation.ts';
import { read } from '../../../src/operations/read.ts';
import { attack, control, shown, type Family, type RedTeamCase } from '../table.ts';
import { contextAs, mustBeRefused, mustGoThrough, OUTSIDE, type World } from '../world.ts';

/** Leads out of the workspace, into git, or is no name that every system can store. */
const HOSTILE: readonly string[] = [
  '../outside.md',
  '../../outside.md',
  '/etc/passwd',
  'memory/../../outside.md',
  'memory/./../../outside.md',
  'memory//../..//outside.md',
  '~/outside.md',
  String.raw`C:\outside.md`,
  'C:/outside.md',
  String.raw`\\server\share\x.md`,
  String.raw`memory\..\..\outside.md`,
  '.git/config',
  '.GIT/hooks/post-commit',
  'git~1/config',
  '.g\u200Cit/config',
  'memory/.git/config',
  'memory/CON',
  'memory/nul.txt',
  'memory/COM1.md',
  'memory/a:b.md',
  'memory/x.md\0.png',
  'memory/\u202Egnp.md',
  'memory/trailing.md ',
  'memory/trailing.',
  `memory/${'a'.repeat(300)}.md`,
  `memory/${'d/'.repeat(600)}x.md`,
];

/** Only a write is dangerous: they look like a name that means something. */
const IMITATIONS: readonly string[] = ['\u041CEMORY.md', 'MEM0RY.md', 'm\u0435mory/notes.md', 'USER\u200B.md'];

const FINE: readonly string[] = [
  'memory/reference/plain.md',
  'memory/reference/über.md',
  'memory/reference/笔记.md',
  'memory/reference/خانه\u200Cها.md',
  'memory/reference/🦊.md',
  'memory/reference/..dots..md',
  'memory/reference/git-notes.md',
  'memory/reference/console.md',
];

type Door = readonly [name: string, go: (world: World, given: string) => Promise<unknown>];

const READERS: readonly Door[] = [
  ['read', (world, target) => runOperation(read, contextAs(world, 'manual'), { target })],
];
const WRITERS: readonly Door[] = [
  [
    'edit',
    (world, target) => runOperation(edit, contextAs(world, 'manual'), { path: target, content: '# A heading\n' }),
  ],
  ['append', (world, target) => runOperation(append, contextAs(world, 'manual'), { path: target, text: 'A line.' })],
  [
    'files change by a sub-agent',
    (world, target) =>
      runOperation(changeFiles, contextAs(world, 'subagent:spy'), {
        changes: [{ kind: 'write', path: target, text: `# A heading\n\n${target.length}\n` }],
      }),
  ],
  [
    'files change, as the name a file is moved to',
    async (world, target) => {
      await runOperation(edit, contextAs(world, 'manual'), { path: 'memory/reference/moved.md', content: '# Moved\n' });
      const changes = [{ kind: 'rename' as const, path: 'memory/reference/moved.md', to: target }];
      return runOperation(changeFiles, contextAs(world, 'manual'), { changes });
    },
  ],
];

/** Over HTTP, as a file of the tree: any answer but the file's text or a success. */
async function overHttp({ server }: World, target: string): Promise<string | undefined> {
  const url = `${server.url}/api/v1/files/read?path=${encodeURIComponent(target)}`;
  const response = await fetch(url, { headers: { authorization: `Bearer ${server.token('owner')}` } });
  const text = await response.text();
  return response.status >= 400 && response.status < 500 && !text.includes(OUTSIDE)
    ? undefined
    : `${response.status} ${text.slice(0, 200)}`;
}

async function byMemoryTool({ server }: World, target: string): Promise<string | undefined> {
  const tool = new MemoryTool(server.mneme);
  for (const command of [{ command: 'view' }, { command: 'create', file_text: 'x' }, { command: 'delete' }]) {
    const { content, is_error: isError } = await tool.execute({ ...command, path: target });
    if (!isError || content.includes(OUTSIDE)) return `${command.command}: ${content.slice(0, 200)}`;
  }
  return undefined;
}

const TOOL_PATHS: readonly string[] = [
  '/memories/../outside.md',
  '/memories/../../outside.md',
  '/memories/a/../../../outside.md',
  '/memories/%2e%2e/outside.md',
  '/memories/..%2foutside.md',
  String.raw`/memories/..\outside.md`,
  '/memoriesX/a.md',
  '/etc/passwd',
  'memories/a.md',
  '/memories/.git/config',
  '/memories/a\0.md',
];

const URL_PATHS: readonly string[] = [
  '/../../../../etc/passwd',
  '/%2e%2e/%2e%2e/%2e%2e/etc/passwd',
  '/..%2f..%2f..%2fetc/passwd',
  '/assets/..%5c..%5c..%5coutside.md',
  '/assets/%00outside.md',
  '//etc/passwd',
];

function throughUrl(target: string): RedTeamCase<World> {
  return attack(`a page of the dashboard at ${shown(target)}`, async ({ server }) => {
    const response = await fetch(`${server.url}${target}`, {
      headers: { authorization: `Bearer ${server.token('owner')}` },
    });
    const text = await response.text();
    return /root:.*:0:0:/u.test(text) || text.includes(OUTSIDE) ? text.slice(0, 200) : undefined;
  });
}

export const PATHS: Family<World> = {
  title: 'Paths that lead out',
  cases: [
    ...HOSTILE.flatMap((target) =>
      [...READERS, ...WRITERS].map(([door, go]) =>
        attack<World>(`${door}: ${shown(target)}`, (world) => mustBeRefused(() => go(world, target))),
      ),
    ),
    ...IMITATIONS.flatMap((target) =>
      WRITERS.map(([door, go]) =>
        attack<World>(`${door}: ${shown(target)}`, (world) => mustBeRefused(() => go(world, target))),
      ),
    ),
    ...HOSTILE.map((target) =>
      attack<World>(`files read over HTTP: ${shown(target)}`, (world) => overHttp(world, target)),
    ),
    ...TOOL_PATHS.map((target) =>
      attack<World>(`memory tool: ${shown(target)}`, (world) => byMemoryTool(world, target)),
    ),
    ...URL_PATHS.map(throughUrl),
    attack('nothing beside the home has changed after all of these', async ({ server, outside }) => {
      const beside = [outside, path.dirname(server.home)].map((folder) =>
        fs.readFileSync(path.join(folder, 'outside.md'), 'utf8'),
      );
      return beside.every((text) => text === `${OUTSIDE}\n`) ? undefined : beside.join();
    }),
    ...FINE.map((target) =>
      control<World>(`a file called ${shown(target)} is written and read`, (world) =>
        mustGoThrough(async () => {
          const as = contextAs(world, 'manual');
          await runOperation(edit, as, { path: target, content: '# Fine\n' });
          await runOperation(read, as, { target });
        }),
      ),
    ),
    control('the memory tool keeps a file of its own', async ({ server }) => {
      const tool = new MemoryTool(server.mneme);
      const { content, is_error: isError } = await tool.execute({
        command: 'create',
        path: '/memories/notes/today.md',
        file_text: 'x',
      });
      return isError ? content : undefined;
    }),
  ],
};
