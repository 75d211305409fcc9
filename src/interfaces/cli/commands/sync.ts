import type { Command } from 'commander';
import { newSealKey } from '../../../operations/history/sealed/keys.ts';
import type { RepositoryExchange } from '../../../operations/history/exchange-repositories.ts';
import { sync, type Synced } from '../../../operations/history/sync.ts';
import type { FileStatus } from '../../../workspace/git/objects.ts';
import type { Cli, GlobalOptions } from '../cli.ts';
import { plainLine } from '../../../operations/command-line/plain.ts';
import { plural, type Style } from '../../../operations/command-line/style.ts';
import { conflictLines } from './conflict-view.ts';
import type { View } from '../../../operations/command-line/view.ts';
import { renderNewKey } from './keys.ts';
import { show } from './show.ts';

interface SyncOptions extends GlobalOptions {
  readonly remote?: string;
  readonly pushOnly?: boolean;
  readonly pullOnly?: boolean;
  readonly allowUnrelated?: boolean;
  readonly withPrivateScopes?: boolean;
  readonly newKey?: boolean;
}

export function addSyncCommand(program: Command, cli: Cli): void {
  program
    .command('sync')
    .summary(sync.summary)
    .description('Pull, merge by block, and push. Where both sides changed the same, both versions are kept.')
    .option('--remote <address>', 'a git repository, remembered from then on; or the name of a remote')
    .option('--push-only', 'send what is here and take nothing')
    .option('--pull-only', 'take what is there and send nothing')
    .option('--allow-unrelated', 'join two memories that were begun apart: a second machine’s first sync')
    .option('--new-key', 'make the key that git.private_scopes: encrypt seals with, and nothing else')
    .option('--with-private-scopes', 'send private scopes too, to a remote you trust with them')
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<SyncOptions>();
      if (options.newKey === true) {
        await show(cli, options, newSealKey, {}, renderNewKey);
        return;
      }
      const { remote, pushOnly, pullOnly, allowUnrelated, withPrivateScopes } = options;
      await show(cli, options, sync, { remote, pushOnly, pullOnly, allowUnrelated, withPrivateScopes }, renderSynced);
    });
}

/** Enough to see what it was about. */
const MAX_FILES = 10;

const MARKS: Readonly<Record<FileStatus, string>> = {
  added: '+',
  modified: '~',
  deleted: '−',
  renamed: '→',
  'type-changed': '~',
};

function renderSynced({ style }: View, result: Synced): string {
  const { remote, branch, pulled, pushed, conflicts } = result;
  const isNothing = pulled.commits === 0 && pulled.files.length === 0 && pushed.commits === 0;
  const hidden = pulled.files.length - MAX_FILES;
  const lines = [
    ...(remote.isNew ? [`${style.green('Remote')} ${remote.name} is ${remote.url} from now on.`] : []),
    ...(isNothing ? [`Nothing new; ${branch} is the same here and at ${remote.name}.`] : []),
    ...(pulled.commits === 0
      ? []
      : [`${style.green('Came')} ${plural(pulled.commits, 'change')} in ${plural(pulled.files.length, 'file')}`]),
    ...pulled.files.slice(0, MAX_FILES).map(({ path, status }) => `  ${MARKS[status]} ${path}`),
    ...(hidden > 0 ? [style.dim(`  and ${hidden} more`)] : []),
    ...(pushed.commits === 0
      ? []
      : [`${style.green('Went')} ${plural(pushed.commits, 'change')}${result.isSealed ? ', sealed' : ''}`]),
    ...conflictLines(style, conflicts),
    ...repositoryLines(style, result.repositories),
    ...pushed.refusedTags.map((tag) => `${style.yellow('note')} ${remote.name} has another ${tag}; it was left alone.`),
  ];
  return `${lines.join('\n')}\n`;
}

const NAMES: Readonly<Record<RepositoryExchange['repository'], string>> = {
  workspace: 'memory',
  raw: 'transcripts',
  chain: 'chain',
};

/** What was exchanged besides the memory, and what of anything still waits. */
function repositoryLines(style: Style, repositories: readonly RepositoryExchange[]): string[] {
  return repositories.flatMap(({ repository, came, went, toPush, toPull, conflicts, problem }) => {
    const name = NAMES[repository];
    if (problem !== null) return [`${style.yellow('note')} ${name}: ${plainLine(problem)}`];
    const waits = [...(toPush > 0 ? [`${toPush} to be sent`] : []), ...(toPull > 0 ? [`${toPull} to be taken`] : [])];
    const moved = repository === 'workspace' || came + went === 0 ? [] : [`${came} came, ${went} went`];
    const parts = [...moved, ...(waits.length === 0 ? [] : [`${waits.join(', ')} yet`])];
    const others = repository === 'workspace' ? [] : conflictLines(style, conflicts);
    return [...(parts.length === 0 ? [] : [`${style.dim(name)} ${parts.join('; ')}`]), ...others];
  });
}
