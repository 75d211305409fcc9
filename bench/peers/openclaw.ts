import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { installed } from './install.ts';
import type { Peer } from './peer.ts';
import { writeSessions } from './session-files.ts';

interface Found {
  readonly results: readonly { readonly path: string; readonly startLine: number; readonly endLine: number }[];
}

/** Through its command line: each call starts the program, which is what the search time says. */
export const openclaw: Peer = {
  name: 'OpenClaw memory search',
  package: 'openclaw',
  module: 'openclaw',
  settings:
    'a day file for each session; search by words (no embedding provider without a key); the line ranges of the hits are read completely; all other settings are its defaults, for example older day files rank lower; each search starts a new process',
  maxQuestions: 6,
  build(conversation, folder) {
    const workspace = path.join(folder, '.openclaw/workspace');
    writeSessions(conversation, path.join(workspace, 'memory'));
    const program = installed('openclaw', 'openclaw/openclaw.mjs');
    const settings = { agents: { defaults: { workspace } }, memory: { search: { provider: 'none' } } };
    fs.writeFileSync(path.join(folder, '.openclaw/openclaw.json'), JSON.stringify(settings));
    const run = (...args: string[]): string =>
      execFileSync(process.execPath, [program, 'memory', ...args], {
        encoding: 'utf8',
        env: { ...process.env, HOME: folder, NO_COLOR: '1' },
        stdio: ['ignore', 'pipe', 'ignore'],
      });
    run('index', '--force');
    return Promise.resolve({
      ask(question) {
        const said = run('search', '--json', '--max-results', '20', '--query', question);
        const { results } = JSON.parse(said.slice(said.indexOf('{'))) as Found;
        const texts = results.map(({ path: file, startLine, endLine }) => {
          const lines = fs.readFileSync(path.resolve(workspace, file), 'utf8').split('\n');
          return lines.slice(startLine - 1, endLine).join('\n');
        });
        return Promise.resolve({ texts, sessions: results.map(({ path: file }) => file) });
      },
      close: () => Promise.resolve(),
    });
  },
};
