import fs from 'node:fs';
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
  /** `OPENCLAW_CONFIG_PATH`; `openclaw.json` in the state folder when not set. */
  readonly openclawConfig?: string | undefined;
  /** `XDG_CONFIG_HOME`; `~/.config` when not set. */
  readonly xdgConfig?: string | undefined;
  /** `XDG_DATA_HOME`; `~/.local/share` when not set. */
  readonly xdgData?: string | undefined;
  /** `APPDATA`, on Windows; `~/AppData/Roaming` when not set. */
  readonly appData?: string | undefined;
}

/** Values from the environment: variables, the user's folder, the machine's time zone. */
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

/**
 * `MNEME_PRIVATE=1`: the sessions of whatever runs here are private, and its agents write nothing to the memory. Who writes
 * `true` or `yes` means the same, and nothing would tell them that everything is kept.
 */
export function isPrivateEnvironment(): boolean {
  return !/^(?:0|false|no|off|)$/iu.test(readVariable('MNEME_PRIVATE')?.trim() ?? '');
}

/** The variables that are set and begin so. */
export function variableNames(prefix: string): string[] {
  return Object.keys(process.env).filter((name) => name.startsWith(prefix));
}

/** The name of this machine; tells its logs from those of another. */
export function deviceName(): string {
  return os.hostname();
}

/** The machine's time zone as far as it is told without loading the tables of zones; undefined where it is not. */
export function findOwnZone(): string | undefined {
  // Set to nothing it is UTC, whatever the system has.
  const named = process.env['TZ'];
  if (named !== undefined) return /^[A-Z][A-Za-z_]+\/[A-Za-z_/]+$/u.test(named) ? named : undefined;
  try {
    return /\/zoneinfo\/(?<zone>[A-Z][A-Za-z_]+\/[A-Za-z_/]+)$/u.exec(fs.readlinkSync('/etc/localtime'))?.groups?.[
      'zone'
    ];
  } catch {
    // Windows has no such link, and some systems have a copy in its place: Intl is asked then.
    return undefined;
  }
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
    logPlaces: findLogPlaces(os.homedir(), read),
  };
}

export function findLogPlaces(userHome: string, read: (name: string) => string | undefined): LogPlaces {
  const folder = (name: string): string | undefined => {
    const given = read(name);
    // A shell that did not see the `~`, as in a service's file, leaves it to the program.
    return given === undefined ? undefined : path.resolve(given.replace(/^~(?=$|[\\/])/u, userHome));
  };
  const absolute = (name: string): string | undefined => {
    const given = read(name);
    // A relative one is to be ignored, says its specification.
    return given !== undefined && path.isAbsolute(given) ? given : undefined;
  };
  return {
    userHome,
    claudeConfig: folder('CLAUDE_CONFIG_DIR'),
    codexHome: folder('CODEX_HOME'),
    openclawState: folder('OPENCLAW_STATE_DIR'),
    openclawConfig: folder('OPENCLAW_CONFIG_PATH'),
    xdgConfig: absolute('XDG_CONFIG_HOME'),
    xdgData: absolute('XDG_DATA_HOME'),
    appData: folder('APPDATA'),
  };
}
