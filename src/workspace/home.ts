import type { Config } from '../model/config/schema.ts';
import { setOwnZone } from '../model/time.ts';
import { findOwnZone } from '../platform/environment.ts';
import { readConfig } from './config/file.ts';
import type { ConfigFinding } from './config/yaml-source.ts';
import { formatStatus } from './config/migrate.ts';
import { type Layout, layoutOf } from './formats/layout.ts';
import { type HomePaths, type WorkspaceSettings, homePaths } from './home-paths.ts';

/** S0's interval of `git.cadence: batch`. */
const BATCH_INTERVAL_MS = 30 * 60_000;
/** Files in one atomic group: more would hold every other writer up for seconds. */
const MAX_CHANGES = 1000;
/** Windows stops at 260 characters for a whole path; the rest is for the home's own. */
const MAX_PATH_CHARS = 240;

/** A home as its configuration describes it, before anything of it is opened. */
export interface Home {
  readonly home: string;
  readonly config: Config;
  readonly findings: readonly ConfigFinding[];
  readonly paths: HomePaths;
  readonly layout: Layout;
  readonly settings: WorkspaceSettings;
}

export async function readHome(home: string): Promise<Home> {
  // Before the settings, which name a zone.
  setOwnZone(findOwnZone());
  const { config, findings } = await readConfig(home);
  return describeHome(home, config, findings);
}

/** A home with settings that were read, or made, elsewhere. */
export function describeHome(home: string, config: Config, findings: readonly ConfigFinding[] = []): Home {
  const { path, git_dir: gitDir } = config.workspace;
  return {
    home,
    config,
    findings,
    paths: homePaths(home, { path, gitDir: gitDir ?? undefined }),
    layout: layoutOf(config),
    settings: {
      mode: formatStatus(config) === 'newer' ? 'read' : 'read-write',
      cadence: config.git.cadence,
      batchIntervalMs: BATCH_INTERVAL_MS,
      branch: config.git.branch,
      identity: { name: config.git.author_name, email: config.git.author_email },
      maxFileBytes: config.limits.max_file_bytes,
      maxAttachmentBytes: config.limits.max_attachment_bytes,
      maxChanges: MAX_CHANGES,
      maxPathChars: MAX_PATH_CHARS,
      redaction: { enabled: config.redaction.enabled, allow: config.redaction.allow },
    },
  };
}
