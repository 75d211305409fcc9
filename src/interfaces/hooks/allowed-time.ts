import fs from 'node:fs';
import { systemCode } from '../../model/errors.ts';
import { homePaths } from '../../workspace/home-paths.ts';

/** The section as `mneme config set` writes it, up to the setting. */
const SETTING = /^hooks:[ \t]*(?:#.*)?\n(?:(?:[ \t].*)?\n)*?[ \t]+timeout_ms:[ \t]*(\d+)[ \t]*(?:#.*)?$/mu;

/**
 * The home's `hooks.timeout_ms`, without understanding its settings: on a busy machine loading what does takes longer
 * than a hook has by default, and whoever allowed more time for that reason would never get it. Undefined when the file
 * does not say it this plainly; the settings themselves are read in any case, and then count.
 */
export function findAllowedMs(home: string): number | undefined {
  const allowed = SETTING.exec(readText(homePaths(home).configFile))?.[1];
  return allowed === undefined ? undefined : Number(allowed);
}

/** Nothing when it cannot be read: what is wrong with a home is told by whoever opens it. */
function readText(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return '';
  }
}
