import fs from 'node:fs';
import path from 'node:path';
import { briefing } from '../../../../src/operations/briefing.ts';
import { edit } from '../../../../src/operations/edit.ts';
import { runOperation } from '../../../../src/operations/operation.ts';
import { read } from '../../../../src/operations/read.ts';
import { attack, control, type RedTeamCase } from '../../table.ts';
import { contextAs, mustBeRefused } from '../../world.ts';
import { leaks, PRIVATE, type ScopeWorld } from './world.ts';

const FILE = 'memory/reference/cargo.md';

/** Frontmatters that say whose the file is. */
const TOPS: Readonly<Record<string, string>> = {
  plainly: 'scope: project:apollo',
  'in capital letters': 'scope: Project:Apollo',
  'beside a line that is broken YAML': 'title: "Cargo\nscope: project:apollo\ntags: [a',
};

function write({ workspace }: ScopeWorld, file: string, text: string): void {
  const full = path.join(workspace, file);
  fs.mkdirSync(path.dirname(full), { recursive: true });
  fs.writeFileSync(full, text);
}

/** Puts the file there, and takes it away again. */
async function withCargo(
  world: ScopeWorld,
  top: string,
  run: () => Promise<string | undefined>,
): Promise<string | undefined> {
  write(world, FILE, `---\n${top}\n---\n\n# Cargo\n\nThe first cargo is ${PRIVATE}.\n`);
  try {
    return await run();
  } finally {
    fs.rmSync(path.join(world.workspace, FILE));
  }
}

/** What a prompt in another scope is told when a topic there subscribes to something. */
async function toldBySubscription(world: ScopeWorld, subscription: string): Promise<string> {
  const place = 'memory/scopes/project--zeus/topics/cargo.md';
  const top = `type: topic\nname: cargo\ndescription: About ladders.\ntriggers:\n  - {type: keywords, match: [ladders]}\nactivation: auto`;
  const content = `---\n${top}\nsubscriptions:\n  - ${subscription}\n---\n\nLadders are counted.\n`;
  await runOperation(edit, contextAs(world, 'manual'), { path: place, content });
  const context = contextAs(world, 'bot:main', 'project:zeus');
  const { prompt } = await runOperation(briefing, context, { message: 'How many ladders are there?' });
  fs.rmSync(path.join(world.workspace, place));
  return prompt;
}

export const MARKED: readonly RedTeamCase<ScopeWorld>[] = [
  ...Object.entries(TOPS).flatMap(([how, top]) => [
    attack<ScopeWorld>(`a reader reading a file that says ${how} whose it is`, (world) =>
      withCargo(world, top, () =>
        mustBeRefused(() => runOperation(read, contextAs(world, 'reader:eye'), { target: FILE })),
      ),
    ),
    attack<ScopeWorld>(`a sub-agent finding a file that says ${how} whose it is`, (world) =>
      withCargo(world, top, async () =>
        leaks(JSON.stringify(await world.clients.spy.call('recall', { query: 'the first cargo' })), []),
      ),
    ),
    attack<ScopeWorld>(`a topic of another scope subscribing to a file that says ${how} whose it is`, (world) =>
      withCargo(world, top, async () => leaks(await toldBySubscription(world, FILE), [])),
    ),
  ]),
  attack('a topic of another scope subscribing to a folder with such a file', (world) =>
    withCargo(world, 'scope: project:apollo', async () =>
      leaks(await toldBySubscription(world, '"memory/reference/*.md"'), []),
    ),
  ),
  attack('a topic of another scope subscribing to a line that says whose it is', async (world) => {
    write(world, FILE, `# Cargo\n\n- The second cargo is ${PRIVATE}. <!-- scope:project:apollo -->\n`);
    const told = await toldBySubscription(world, FILE);
    fs.rmSync(path.join(world.workspace, FILE));
    return leaks(told, []);
  }),
  attack('a topic of another scope subscribing to bookkeeping', async (world) => {
    const told = await toldBySubscription(world, '"memory/meta/**"');
    return told.includes('memory/meta/') ? told.slice(0, 300) : undefined;
  }),
  control('a topic of the scope is told what everybody may read', async (world) => {
    write(world, FILE, '# Cargo\n\n- The third cargo is rope.\n');
    const told = await toldBySubscription(world, FILE);
    fs.rmSync(path.join(world.workspace, FILE));
    return told.includes('rope') ? undefined : told;
  }),
];
