import fs from 'node:fs';
import path from 'node:path';
import { MnemeError } from '../../../model/errors.ts';
import { initHome } from '../../../operations/home/init.ts';
import { assertMayWrite } from '../../../operations/operation.ts';
import { CONFIG_FILE } from '../../../workspace/config/file.ts';
import type { Cli, GlobalOptions } from '../cli.ts';
import { selfCommand } from '../version.ts';

interface HomeOptions extends GlobalOptions {
  readonly yes?: boolean;
  readonly dryRun?: boolean;
}

export function hasHome(cli: Cli, options: GlobalOptions): boolean {
  return fs.existsSync(path.join(cli.home(options), CONFIG_FILE));
}

export async function makeHome(cli: Cli, options: GlobalOptions): Promise<void> {
  assertMayWrite(cli.actor(options), 'init');
  await initHome({
    home: path.resolve(cli.home(options)),
    timeZone: cli.environment.timeZone,
    isFull: false,
    command: selfCommand(),
  });
}

/** Whether somebody is there to be asked. */
export function mayAsk(cli: Cli, options: GlobalOptions): boolean {
  return cli.io.isTerminal && options.json !== true;
}

/** Enter is yes; ending the input is no. */
export async function isConfirmed(cli: Cli, question: string): Promise<boolean> {
  const answer = await cli.io.ask(`${question} [Y/n] `);
  if (answer === undefined) cli.io.out('\n');
  return answer !== undefined && /^\s*(?:y|yes|)\s*$/iu.test(answer);
}

/** Makes a home where there is none, if that is wanted; false when it is not. */
export async function ensureHome(cli: Cli, options: HomeOptions): Promise<boolean> {
  if (hasHome(cli, options)) return true;
  const home = cli.home(options);
  if (options.dryRun !== true) {
    const isWanted =
      options.yes === true ||
      (mayAsk(cli, options) && (await isConfirmed(cli, `There is no memory home yet. Make one in ${home}?`)));
    if (isWanted) await makeHome(cli, options);
    if (isWanted || mayAsk(cli, options)) return isWanted;
  }
  throw new MnemeError('not-found', `There is no memory home in ${home} yet.`, {
    hint: options.dryRun === true ? 'Make one with `mneme init`.' : 'Add --yes to make it, or run `mneme init`.',
  });
}

/** A path as people write it. */
export function shortPath(cli: Cli, full: string): string {
  const own = cli.environment.logPlaces?.userHome;
  return own !== undefined && full.startsWith(own + path.sep) ? `~${full.slice(own.length)}` : full;
}
