import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { HARMLESS } from '../../support/harmless-values.ts';
import { contextSamples, createDraw, vendorTokens, type Sample } from '../../support/secret-samples.ts';
import { makeTemporaryFolder } from '../../support/home.ts';
import { attack, control, shown, type Family } from '../table.ts';
import { everyByte, type World } from '../world.ts';

const draw = createDraw(20_261_116);
const inProse = ([rule, token]: readonly [string, string]): Sample => [rule, 'Use ', token, ' from now on.'];
const SAMPLES: readonly Sample[] = [...vendorTokens(draw).map(inProse), ...contextSamples(draw)];

/** Short or everyday words would be found in any home. */
const isTelling = ([, , secret]: Sample): boolean => secret.length >= 12;
const TOLD = SAMPLES.filter(isTelling);

const CHANNELS = ['remember', 'a conversation', 'a tool’s result', 'an import', 'a file', 'a proposal'] as const;
type Channel = (typeof CHANNELS)[number];

/** Every secret goes in by one of the channels, in turn. */
const channelOf = (at: number): Channel => CHANNELS[at % CHANNELS.length] ?? 'remember';

let told: Promise<string> | undefined;

/** Tells a home everything once, and returns every byte it and its history then hold. */
function tellAll(world: World): Promise<string> {
  told ??= tell(world);
  return told;
}

async function tell({ server: { mneme, home } }: World): Promise<string> {
  const of = (channel: Channel): string[] =>
    TOLD.flatMap(([, before, secret, after], at) =>
      channelOf(at) === channel ? [`Note ${at}.\n\n${before}${secret}${after}`] : [],
    );
  await mneme.remember(of('remember').join('\n\n'));
  const session = await mneme.session.start({});
  for (const text of of('a conversation')) await session.message('user', text);
  for (const text of of('a tool’s result')) await session.tool('shell', { command: text }, text);
  await session.end();
  const folder = makeTemporaryFolder();
  fs.writeFileSync(path.join(folder, 'import.md'), `# Imported\n\n${of('an import').join('\n\n')}\n`);
  await mneme.import({ from: 'markdown', path: folder });
  const kept = HARMLESS.map((text) => `> ${text.replaceAll('\n', '\n> ')}\n`).join('\n');
  await mneme.edit({ path: 'memory/reference/harmless.md', content: `# Harmless\n\n${kept}\n` });
  await mneme.edit({ path: 'memory/reference/secrets.md', content: `# Told\n\n${of('a file').join('\n\n')}\n` });
  await mneme.agents.propose({ text: of('a proposal').join('\n\n').slice(0, 3900) });
  await mneme.internals.workspace.drain();
  const history = ['workspace', 'raw'].map((name) =>
    execFileSync('git', ['log', '-p', '--all', '--no-color'], {
      cwd: path.join(home, name),
      encoding: 'latin1',
      maxBuffer: 64 * 1024 * 1024,
    }),
  );
  return [everyByte(home), ...history].join('\n');
}

/** Of a long secret, half is as good as all of it. */
const telling = (secret: string): string => secret.slice(0, Math.max(12, Math.floor(secret.length / 2)));

/** Of harmless texts only their lines can be looked for, since each is quoted. */
const firstLine = (text: string): string => text.split('\n')[0] ?? '';

export const SECRETS: Family<World> = {
  title: 'Secrets',
  cases: [
    ...TOLD.map(([rule, before, secret], at) =>
      attack<World>(
        `${rule} ${at + 1} through ${channelOf(at)}, after ${shown(before.slice(0, 30))}`,
        async (world) => {
          const bytes = await tellAll(world);
          return bytes.includes(telling(secret)) ? 'it stands in the home' : undefined;
        },
      ),
    ),
    ...HARMLESS.map((text) =>
      control<World>(`${shown(firstLine(text).slice(0, 50))} stays as it is`, async (world) => {
        await tellAll(world);
        const kept = fs.readFileSync(path.join(world.workspace, 'memory/reference/harmless.md'), 'utf8');
        return kept.includes(`> ${firstLine(text)}`) ? undefined : 'it was changed';
      }),
    ),
    attack('a setting that is told wrong does not repeat what stands there', async ({ server }) => {
      const secret = createDraw(9)(40);
      const said = await server
        .client('owner')
        .call('recall', { query: 'x', limit: secret as unknown as number })
        .then(() => 'it was accepted', String);
      return said.includes(secret) ? said : undefined;
    }),
    attack('an error names no place on this machine', async ({ server }) => {
      const said = await server
        .client('owner')
        .call('read', { target: 'memory/not-there.md' })
        .then(() => 'it was found', String);
      return said.includes(server.home) ? said : undefined;
    }),
  ],
};
