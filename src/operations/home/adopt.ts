import fs from 'node:fs';
import path from 'node:path';
import { CriticalChecksums, createCriticalTest } from '../../audit/checksums.ts';
import { MnemeError } from '../../model/errors.ts';
import { systemClock } from '../../platform/clock.ts';
import { CONFIG_FILE, newConfigText, writeConfig } from '../../workspace/config/file.ts';
import { findEnclosingRepository, initRepository } from '../../workspace/git/repository.ts';
import { readHome } from '../../workspace/home.ts';
import { makePrivate } from './init.ts';
import { Workspace } from '../../workspace/workspace.ts';

export type AdoptedLayout = 'mneme' | 'openclaw' | 'vault';

export interface AdoptInput {
  readonly home: string;
  readonly folder: string;
  readonly timeZone: string;
  /** Guessed from the files when not given. */
  readonly layout?: AdoptedLayout | undefined;
}

export interface Adopted {
  readonly home: string;
  readonly folder: string;
  readonly layout: AdoptedLayout;
  readonly files: number;
  /** Where Mneme keeps the history of the folder. */
  readonly gitDir: string;
  /** The person's own repository around the folder, which stays untouched. */
  readonly enclosingRepository: string | null;
  /** Files that are not kept in history, and why. */
  readonly heldBack: readonly string[];
}

/** The file that a home leaves in a folder it has written to. */
const AUDIT_LOG = 'memory/meta/audit.log';
/** The git directory of an adopted folder, inside the home: nothing is written into the folder itself. */
const ADOPTED_GIT_DIR = 'workspace.git';

/** Takes an existing folder of Markdown as the workspace, changing no byte of it. */
export async function adoptFolder(input: AdoptInput): Promise<Adopted> {
  const folder = realFolder(input.folder);
  refuseOverlap(input.home, folder);
  if (fs.existsSync(path.join(input.home, CONFIG_FILE))) {
    throw new MnemeError('refused', `${input.home} is a home already.`, {
      hint: 'Name a new one with --home: a home has one workspace.',
    });
  }
  refuseOthers(folder);
  const layout = input.layout ?? guessLayout(folder);
  makePrivate(input.home);
  const text = newConfigText({
    timeZone: input.timeZone,
    workspacePath: folder,
    gitDir: ADOPTED_GIT_DIR,
    layout,
    // Notes are what their owner edits all day.
    isEditedDaily: layout === 'vault',
  });
  await writeConfig(input.home, text);
  const { config, paths, settings } = await readHome(input.home);
  const { workspace: location } = paths.repositories;
  await initRepository({ ...location, kind: 'workspace', branch: config.git.branch, identity: settings.identity });
  const workspace = await Workspace.open(paths, settings);
  try {
    const heldBack = await workspace.scan({
      actor: 'system:init',
      trigger: 'mneme init adopt',
      summary: `adopted ${path.basename(folder)} as it is`,
    });
    await workspace.drain();
    const criticalFiles = config.audit.critical_files;
    const isCritical = createCriticalTest(criticalFiles);
    const checksums = new CriticalChecksums({ workspace, clock: systemClock, isCritical, criticalFiles });
    await checksums.compare(new Map());
    const tracked = await workspace.git.workspace.fields(['ls-files', '-z']);
    return {
      home: input.home,
      folder,
      layout,
      files: tracked.length,
      gitDir: location.gitDir,
      enclosingRepository: findEnclosingRepository(folder)?.workTree ?? null,
      heldBack,
    };
  } finally {
    await workspace.close();
  }
}

function realFolder(given: string): string {
  const full = path.resolve(given);
  if (fs.statSync(full, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new MnemeError('not-found', `There is no folder ${full}.`);
  }
  return fs.realpathSync(full);
}

function refuseOverlap(home: string, folder: string): void {
  const isInside = (inner: string, outer: string): boolean => `${inner}${path.sep}`.startsWith(`${outer}${path.sep}`);
  if (isInside(path.resolve(home), folder) || isInside(folder, path.resolve(home))) {
    throw new MnemeError('usage', `The home ${home} and the folder ${folder} must not lie inside each other.`, {
      hint: 'Choose a home elsewhere with --home.',
    });
  }
}

/** Two homes would each take the other's writes for edits of a person. */
function refuseOthers(folder: string): void {
  if (!fs.existsSync(path.join(folder, AUDIT_LOG))) return;
  throw new MnemeError('refused', `${folder} is the workspace of another home: it has ${AUDIT_LOG}.`, {
    hint: `Use that home with --home. If it is gone, delete ${AUDIT_LOG}, which is made from its history, and adopt the folder again.`,
  });
}

/** OpenClaw keeps SOUL.md or day files beside MEMORY.md; anything else is somebody's notes. */
function guessLayout(folder: string): AdoptedLayout {
  const has = (name: string): boolean => fs.existsSync(path.join(folder, name));
  if (has('memory/episodes') || has('memory/graph')) return 'mneme';
  const memory = path.join(folder, 'memory');
  const hasDayFiles =
    fs.existsSync(memory) && fs.readdirSync(memory).some((name) => /^\d{4}-\d{2}-\d{2}.*\.md$/u.test(name));
  // As a first start leaves it, before anything was remembered.
  if (has('SOUL.md') && has('IDENTITY.md')) return 'openclaw';
  return (has('MEMORY.md') && (has('SOUL.md') || has('AGENTS.md') || has('USER.md'))) || hasDayFiles
    ? 'openclaw'
    : 'vault';
}
