import type { FileStatus } from '../../workspace/git/objects.ts';
import { plainLine } from '../command-line/plain.ts';
import type { Style, View } from '../command-line/style.ts';
import type { RepositoryExchange } from './exchange-repositories.ts';
import { conflictLines } from './render-conflicts.ts';
import type { Synced } from './sync.ts';
import { counted } from '../../model/text.ts';

/** Enough to see what it was about. */
const MAX_FILES = 10;

const MARKS: Readonly<Record<FileStatus, string>> = {
  added: '+',
  modified: '~',
  deleted: '−',
  renamed: '→',
  'type-changed': '~',
};

export function renderSynced({ style }: View, result: Synced): string {
  const { remote, branch, pulled, pushed, conflicts } = result;
  const isNothing = pulled.commits === 0 && pulled.files.length === 0 && pushed.commits === 0;
  const hidden = pulled.files.length - MAX_FILES;
  const lines = [
    ...(remote.isNew ? [`${style.green('Remote')} ${remote.name} is ${remote.url} from now on.`] : []),
    ...(isNothing ? [`Nothing new; ${branch} is the same here and at ${remote.name}.`] : []),
    ...(pulled.commits === 0
      ? []
      : [`${style.green('Came')} ${counted(pulled.commits, 'change')} in ${counted(pulled.files.length, 'file')}`]),
    ...pulled.files.slice(0, MAX_FILES).map(({ path, status }) => `  ${MARKS[status]} ${path}`),
    ...(hidden > 0 ? [style.dim(`  and ${hidden} more`)] : []),
    ...(pushed.commits === 0
      ? []
      : [`${style.green('Went')} ${counted(pushed.commits, 'change')}${result.isSealed ? ', sealed' : ''}`]),
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

/** Lists what was exchanged besides the memory, and everything still pending. */
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
