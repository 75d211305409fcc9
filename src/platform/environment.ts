import os from 'node:os';
import path from 'node:path';

/** What the surroundings say: variables, the user's folder, the machine's time zone. */
export interface Environment {
  readonly home: string;
  /** `MNEME_ACTOR`: on whose behalf commands act when `--as` is not given. */
  readonly actor: string | undefined;
  readonly editor: string;
  readonly timeZone: string;
  readonly wantsColor: boolean;
}

export function readEnvironment(): Environment {
  const { env } = process;
  const fallbackEditor = process.platform === 'win32' ? 'notepad' : 'vi';
  return {
    home: path.resolve(env['MNEME_HOME'] ?? path.join(os.homedir(), '.mneme')),
    actor: env['MNEME_ACTOR'],
    editor: env['VISUAL'] ?? env['EDITOR'] ?? fallbackEditor,
    // Loading the zone tables takes 10 ms, and only `init` asks.
    get timeZone() {
      return Intl.DateTimeFormat().resolvedOptions().timeZone;
    },
    wantsColor: env['NO_COLOR'] === undefined && process.stdout.isTTY,
  };
}
