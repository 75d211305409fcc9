import os from 'node:os';
import path from 'node:path';

/** Where other agents on this machine keep their sessions, as far as the environment tells. */
export interface LogPlaces {
  readonly userHome: string;
  /** `CLAUDE_CONFIG_DIR`; `~/.claude` when not set. */
  readonly claudeConfig?: string | undefined;
  /** `CODEX_HOME`; `~/.codex` when not set. */
  readonly codexHome?: string | undefined;
  /** `OPENCLAW_STATE_DIR`; `~/.openclaw` when not set. */
  readonly openclawState?: string | undefined;
}

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
  /** Absent where a test must not look at the machine it runs on. */
  readonly logPlaces?: LogPlaces | undefined;
}

/** Set to nothing is how a shell takes a variable back for one command. */
export function readVariable(name: string): string | undefined {
  return process.env[name] === '' ? undefined : process.env[name];
}

/** What this machine is called; tells its logs from those of another. */
export function deviceName(): string {
  return os.hostname();
}

export function readEnvironment(): Environment {
  const read = readVariable;
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
    logPlaces: {
      userHome: os.homedir(),
      claudeConfig: read('CLAUDE_CONFIG_DIR'),
      codexHome: read('CODEX_HOME'),
      openclawState: read('OPENCLAW_STATE_DIR'),
    },
  };
}
