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
  /** `MNEME_DEBUG=1`: show where an unexpected error came from. */
  readonly isDebugging?: boolean | undefined;
}

export function readEnvironment(): Environment {
  // Set to nothing is how a shell takes a variable back for one command.
  const read = (name: string): string | undefined => (process.env[name] === '' ? undefined : process.env[name]);
  const fallbackEditor = process.platform === 'win32' ? 'notepad' : 'vi';
  return {
    home: path.resolve(read('MNEME_HOME') ?? path.join(os.homedir(), '.mneme')),
    actor: read('MNEME_ACTOR'),
    editor: read('VISUAL') ?? read('EDITOR') ?? fallbackEditor,
    // Loading the zone tables takes 10 ms, and only `init` asks.
    get timeZone() {
      return Intl.DateTimeFormat().resolvedOptions().timeZone;
    },
    wantsColor: read('NO_COLOR') === undefined && process.stdout.isTTY,
    isDebugging: read('MNEME_DEBUG') === '1',
  };
}
