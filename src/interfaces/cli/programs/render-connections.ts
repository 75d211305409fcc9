import { createTwoFilesPatch } from 'diff';
import type { AppliedFile } from '../../../runtime/connect/apply.ts';
import type { Connection } from '../../../runtime/connect/connections.ts';
import { isSameHome } from '../../../runtime/connect/homes.ts';
import { maskSettings } from '../../../runtime/connect/mask/mask.ts';
import type { ConnectPlan, FileChange } from '../../../runtime/connect/plan.ts';
import { createRedactor } from '../../../workspace/safety/redact.ts';
import type { Cli } from '../cli.ts';
import { plain } from '../../../operations/command-line/plain.ts';
import { paintDiff, table } from '../../../operations/command-line/style.ts';
import { shortPath } from './make-home.ts';

/** A file of a plan, as it is shown. */
export interface ShownFile {
  readonly file: string;
  readonly change: 'create' | 'change' | 'delete' | 'none';
  readonly diff: string;
}

/** Enough to see where it goes, little enough not to show somebody's tokens. */
const CONTEXT_LINES = 2;

/** Settings hold keys of other services; what is shown may end up in a log or an issue. */
export async function describeFiles(plan: ConnectPlan): Promise<ShownFile[]> {
  const redactor = createRedactor({ enabled: true, allow: [] });
  const shown: ShownFile[] = [];
  for (const change of plan.changes) {
    const diff = change.before === change.after ? '' : (await redactor.redact(diffOf(change))).text;
    shown.push({ file: change.file, change: kindOf(change), diff });
  }
  return shown;
}

export function renderPlan(
  cli: Cli,
  { action, client, scope, changes }: ConnectPlan,
  files: readonly ShownFile[],
): string {
  const { style } = cli;
  const where = scope === 'project' ? ' in this project' : '';
  if (files.every(({ change }) => change === 'none')) {
    const places = changes.map(({ file }) => shortPath(cli, file)).join(', ');
    return action === 'install'
      ? `${style.green('Already connected')}: ${client.title}${where} (${places}).\n`
      : `${client.title} is not connected${where}; nothing to do.\n`;
  }
  return files
    .filter(({ change }) => change !== 'none')
    .map(({ diff }) => `${paintDiff(style, plain(diff)).trimEnd()}\n\n`)
    .join('');
}

export function renderDone(cli: Cli, plan: ConnectPlan, applied: readonly AppliedFile[], isDryRun: boolean): string {
  const { style } = cli;
  if (isDryRun) return 'Nothing was changed.\n';
  const { action, client } = plan;
  const done = action === 'install' ? style.green(`Connected ${client.title}.`) : `Disconnected ${client.title}.`;
  const backups = applied.flatMap(({ backup }) => (backup === null ? [] : [shortPath(cli, backup)]));
  const kept = backups.length === 0 ? '' : style.dim(`  as it was: ${backups.join(', ')}\n`);
  return `${done}${action === 'install' ? ` ${client.next}` : ''}\n${kept}`;
}

const STATE_WORDS: Readonly<Record<Connection['state'], string>> = {
  absent: 'not installed here',
  'not-connected': 'not connected',
  occupied: 'not connected',
  partly: 'connected in part',
  connected: 'connected',
  unreadable: 'settings cannot be read',
};

/** `home` is the one that is asked about; where a program uses another, that is said. */
export function renderConnections(cli: Cli, connections: readonly Connection[], home: string): string {
  const { style } = cli;
  const rows = connections.map(({ client, title, state, project, problem, homes }) => {
    const others = homes.filter((one) => !isSameHome(one, home)).map((one) => shortPath(cli, one));
    const elsewhere = others.length === 0 ? '' : ` to ${others.join(' and ')}`;
    const words = problem ?? `${STATE_WORDS[state]}${elsewhere}`;
    const shown =
      state === 'connected' ? style.green(words) : state === 'absent' ? style.dim(words) : style.yellow(words);
    const canConnect = state === 'not-connected' || state === 'partly';
    const hint = canConnect ? style.cyan(`mneme install ${client}`) : '';
    return [title, shown, project === 'connected' ? 'connected in this project' : hint];
  });
  return table(rows);
}

function kindOf({ before, after }: FileChange): ShownFile['change'] {
  if (before === after) return 'none';
  if (before === undefined) return 'create';
  return after === undefined ? 'delete' : 'change';
}

function diffOf({ file, before, after, targets }: FileChange): string {
  const format = targets[0]?.format ?? 'json';
  // Before the lines are taken apart: what a value means may stand on a line that is not shown.
  const masked = (text: string | undefined): string => (text === undefined ? '' : maskSettings(text, format));
  const patch = createTwoFilesPatch(
    before === undefined ? '/dev/null' : file,
    after === undefined ? '/dev/null' : file,
    masked(before),
    masked(after),
    undefined,
    undefined,
    { context: CONTEXT_LINES },
  );
  return patch.replace(/^=+\n/u, '');
}
