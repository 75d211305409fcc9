import fs from 'node:fs';
import path from 'node:path';
import { isTimeZone } from '../../model/time.ts';
import { CriticalChecksums } from '../../audit/checksums.ts';
import { AuditTrail } from '../../audit/trail.ts';
import { errorMessage, MnemeError, systemCode } from '../../model/errors.ts';
import { systemClock } from '../../platform/clock.ts';
import { CONFIG_FILE, newConfigText, writeConfig } from '../../workspace/config/file.ts';
import {
  FULL_FILES,
  INITIAL_FILES,
  WORKSPACE_GITATTRIBUTES,
  WORKSPACE_GITIGNORE,
} from '../../workspace/formats/templates.ts';
import { installHooks } from '../../workspace/git/hooks.ts';
import { initRepository } from '../../workspace/git/repository.ts';
import { readHome } from '../../workspace/home.ts';
import { Workspace } from '../../workspace/workspace.ts';

export interface InitInput {
  readonly home: string;
  readonly timeZone: string;
  /** Identity files, AGENTS.md, ontology and examples too. */
  readonly isFull: boolean;
  /** The command with which git hooks start this program. */
  readonly command: readonly string[];
}

export interface Initialized {
  readonly home: string;
  readonly isNew: boolean;
  readonly timeZone: string;
  /** Files that were written, relative to the home. */
  readonly created: readonly string[];
  readonly notes: readonly string[];
}

/** Makes a home, or completes one that is there; running it twice changes nothing. */
export async function initHome(input: InitInput): Promise<Initialized> {
  const { home, timeZone } = input;
  refuseUnsuitable(home, timeZone);
  const isNew = !fs.existsSync(path.join(home, CONFIG_FILE));
  const created: string[] = [];
  if (isNew) {
    makePrivate(home);
    await writeConfig(home, newConfigText({ timeZone }));
    created.push(CONFIG_FILE);
  }
  const { config, paths, settings } = await readHome(home);
  const { workspace: location } = paths.repositories;
  const { git, isNew: isNewHistory } = await initRepository({
    ...location,
    kind: 'workspace',
    branch: config.git.branch,
    identity: settings.identity,
  });
  const notes: string[] = [];
  if (config.git.hooks) {
    const hook = await installHooks(git, { command: input.command, kind: 'workspace' });
    if (hook.reason !== undefined) notes.push(hook.reason);
  }
  const workspace = Workspace.create(paths, settings);
  if (isNewHistory && !isNew) {
    notes.push(`The history was missing; a new one begins at ${location.gitDir}.`);
    // Old state would keep the drain from writing everything to the new history.
    workspace.dropState();
  }
  const audit = new AuditTrail({ workspace, clock: systemClock, config });
  workspace.registries.recorders.push((acknowledged) => audit.record(acknowledged));
  await workspace.start();
  const criticalFiles = config.audit.critical_files;
  const checksums = new CriticalChecksums({
    workspace,
    clock: systemClock,
    isCritical: audit.isCritical,
    criticalFiles,
  });
  try {
    for (const file of await writeTemplates(workspace, input.isFull)) {
      created.push(path.relative(home, path.join(workspace.root, file)));
    }
    // From here on a change of a critical file is noticed, also the very first.
    await checksums.compare(audit.acknowledgements());
  } finally {
    await workspace.close();
  }
  return { home, isNew, timeZone: config.time_zone, created, notes };
}

function refuseUnsuitable(home: string, timeZone: string): void {
  if (!isTimeZone(timeZone)) {
    throw new MnemeError('usage', `"${timeZone}" is not a time zone.`, {
      hint: 'Use an IANA name such as Europe/Berlin.',
    });
  }
  const stat = fs.statSync(home, { throwIfNoEntry: false });
  if (stat === undefined || fs.existsSync(path.join(home, CONFIG_FILE))) return;
  if (!stat.isDirectory()) throw new MnemeError('usage', `${home} is a file, not a folder.`);
  if (fs.readdirSync(home).length > 0) {
    throw new MnemeError('refused', `${home} is not empty and not a Mneme home.`, {
      hint: 'Choose another folder with --home, or use `mneme init adopt DIR` to take in a folder of Markdown as it is.',
    });
  }
}

/** Makes the home's folder. Memories are private: an existing folder that other users can look into is closed to them. */
export function makePrivate(home: string): void {
  makeFolder(home);
  const { mode } = fs.statSync(home);
  if ((mode & 0o077) === 0 || process.platform === 'win32') return;
  try {
    fs.chmodSync(home, 0o700);
  } catch (error) {
    const code = systemCode(error);
    throw new MnemeError(
      'refused',
      `Other users can look into ${home}, and it cannot be closed to them (${code ?? errorMessage(error)}).`,
      {
        hint: 'Choose a folder of your own with --home or MNEME_HOME.',
        cause: error,
      },
    );
  }
}

/** One folder at a time: in /proc, Node's own way of making several never ends. */
export function makeFolder(folder: string): void {
  if (fs.existsSync(folder)) return;
  makeFolder(path.dirname(folder));
  try {
    fs.mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    const code = systemCode(error);
    // Another process created it a moment before.
    if (code === 'EEXIST') return;
    throw new MnemeError('failure', `The folder ${folder} cannot be made (${code ?? errorMessage(error)}).`, {
      hint: 'Choose a folder that you may write to with --home or MNEME_HOME.',
      cause: error,
    });
  }
}

async function writeTemplates(workspace: Workspace, isFull: boolean): Promise<string[]> {
  const files = new Map(isFull ? FULL_FILES : INITIAL_FILES);
  if (isFull) files.set('.gitignore', WORKSPACE_GITIGNORE).set('.gitattributes', WORKSPACE_GITATTRIBUTES);
  const missing = [...files].filter(([file]) => !fs.existsSync(path.join(workspace.root, file)));
  if (missing.length === 0) return [];
  await workspace.commit({
    actor: 'system:init',
    approval: '—',
    trigger: 'mneme init',
    summary: 'a new memory begins',
    changes: missing.map(([file, content]) => ({ path: file, edit: (current) => current ?? content })),
  });
  return missing.map(([file]) => file);
}
