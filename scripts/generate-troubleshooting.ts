/** Writes docs/troubleshooting.md from what `mneme check setup` looks at; `--check` fails when it is out of date. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openMneme } from '../src/mneme.ts';
import { doctor } from '../src/runtime/setup/check-setup.ts';
import { initHome } from '../src/operations/home/init.ts';
import { runOperation } from '../src/operations/operation.ts';

const file = path.resolve(import.meta.dirname, '../docs/troubleshooting.md');

interface Trouble {
  readonly means: string;
  readonly remedy: string;
}

/** What each of doctor's findings means. One that is not here fails the build, as does one that doctor no longer has. */
const TROUBLES: Readonly<Record<string, Trouble>> = {
  node: {
    means: 'Mneme needs Node 22.18 or later.',
    remedy: 'Install a current Node, or name it in `PATH` before the old one.',
  },
  git: {
    means: 'git is not there, or does not start.',
    remedy: 'Install git 2.36 or later; history, undo and search in the past need it.',
  },
  configuration: {
    means: 'mneme.yaml has something that is not understood, or an edit waits for an answer.',
    remedy:
      'The message names the line; the last good settings are used until then. `mneme config check` lists all problems. If you edited the file yourself, confirm it with `mneme audit ack`.',
  },
  write: {
    means: 'The home cannot be written: permissions, a full or read-only disk, or no hard links.',
    remedy:
      'Look at who owns the home. Mneme works without hard links, but then notices a save at the same moment as its own write by content only.',
  },
  repository: {
    means:
      'Something in the workspace’s git repository stands in the way: a lock that was left, a merge that is going on.',
    remedy:
      'The message says what to remove or finish. Nothing acknowledged is lost meanwhile: it waits in the journal.',
  },
  hooks: {
    means: 'The git hooks that check your own commits are missing or not ours.',
    remedy: '`mneme init` in the same home installs them again; set `git.hooks: false` if you do not want them.',
  },
  index: {
    means:
      'The search index is damaged, was made by another version, or is shared and cannot be reached, so that this machine’s own index answers.',
    remedy: 'The next search rebuilds it; `mneme index rebuild` does so now. `state/` can be deleted at any time.',
  },
  embedder: {
    means:
      'The embedder that is configured cannot be used: a model that is not there, a service that does not answer, a key that is not set.',
    remedy:
      'Until then Mneme searches by words and with its built-in embedding table. The message says what to install or set; see [embeddings](embeddings.md).',
  },
  model: {
    means: 'A file of the packaged model that judges statements is damaged or missing.',
    remedy:
      'Mneme still stores what you ask it to remember, and learns from conversations once the file is repaired. Install the package again; the message names the file.',
  },
  background: {
    means:
      'A conversation could not be learned from, passages could not be embedded, or the worker’s lock cannot be used.',
    remedy:
      'What failed is tried again later by itself; `mneme learn extract` and `mneme index sync` try it now and say more. The worker’s log is `logs/worker-DAY.jsonl`; see [background work](background.md).',
  },
  'compiled code': {
    means:
      'Other users can write to the folder for compiled code (`~/.cache/mneme`, on macOS `~/Library/Caches/mneme`), or to one above it.',
    remedy:
      'Mneme works without it, and each start takes about twice as long. `chmod go-w` the folder that is named, or set `XDG_CACHE_HOME` to one of yours.',
  },
  space: {
    means: 'Less than 200 MB are free.',
    remedy: '`mneme archive pack` packs old transcripts; old backups lie in `backups/`.',
  },
};

async function findings(): Promise<string[]> {
  const home = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'mneme-doctor-')), 'home');
  await initHome({ home, timeZone: 'UTC', isFull: false, command: ['mneme'] });
  const mneme = await openMneme({ home });
  try {
    return (await runOperation(doctor, mneme.internals, {})).map(({ name }) => name);
  } finally {
    await mneme.close();
    fs.rmSync(path.dirname(home), { recursive: true, force: true });
  }
}

function render(names: readonly string[]): string {
  const unknown = names.filter((name) => TROUBLES[name] === undefined);
  const gone = Object.keys(TROUBLES).filter((name) => !names.includes(name));
  if (unknown.length + gone.length > 0) {
    throw new Error(`doctor's findings have changed: add ${unknown.join(', ')}; remove ${gone.join(', ')}`);
  }
  const rows = names.map(
    (name) => `| \`${name}\` | ${TROUBLES[name]?.means ?? ''} | ${TROUBLES[name]?.remedy ?? ''} |`,
  );
  return `# Troubleshooting

Generated from what \`mneme check setup\` looks at, by \`npm run generate\`. That command checks each part of the setup below.
\`mneme check\` checks in addition that files, git, journal, index and audit log agree; \`mneme check --repair\` rebuilds derived data such as the index.

| finding | what it means | what to do |
|---|---|---|
${rows.join('\n')}

Programs that are connected (\`claude-code\`, \`codex\`, \`cursor\` …) are tried as well: [connect](connect.md#does-it-work).

## What people ask

| | |
|---|---|
| an agent does not see the memory | \`mneme check setup\` names the program and the entry; restart the program after \`mneme install\` |
| a tool says that somebody else decides | a sub-agent made the change, or the change concerns something you stated: see \`mneme proposals\`, then \`mneme approve\` |
| "A token is needed" over HTTP | \`Authorization: Bearer TOKEN\`; the token is printed once, or set in \`MNEME_MCP_TOKEN\` |
| something I said is not found | \`mneme session list\` shows conversations that are not over; \`mneme learn extract\` learns from them now |
| a wrong memory | \`mneme why ID\` says where it is from; \`mneme rollback\` or \`mneme forget\` |
| "locked" | another process is writing, and Mneme waited for it in vain: try again. The system releases the lock of a process that ended |
| everything is slow after a restore | the index is rebuilt once; \`mneme index status\` tells how far it is |
`;
}

const text = render(await findings());
if (process.argv.includes('--check')) {
  if (!fs.existsSync(file) || fs.readFileSync(file, 'utf8') !== text) {
    process.stderr.write('docs/troubleshooting.md is out of date; run `npm run generate`.\n');
    process.exitCode = 1;
  }
} else {
  fs.writeFileSync(file, text);
}
