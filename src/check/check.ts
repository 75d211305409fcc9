import path from 'node:path';
import fs from 'node:fs';
import type { AuditTrail } from '../audit/trail.ts';
import { errorMessage, isMnemeError } from '../model/errors.ts';
import type { Clock } from '../platform/clock.ts';
import { nodeFileSystem } from '../platform/fs.ts';
import type { Proposals } from '../proposals/proposals.ts';
import { checkFile } from '../workspace/formats/findings.ts';
import type { Layout } from '../workspace/formats/layout.ts';
import { initRepository } from '../workspace/git/repository.ts';
import { checkRepository } from '../workspace/git/repository-check.ts';
import { Journal } from '../workspace/journal/journal.ts';
import { REPOSITORIES, type RepositoryName } from '../workspace/journal/record.ts';
import { plainName } from '../workspace/packed.ts';
import { compareRawWithHistory, restoreRecords, type ChangedRecord } from '../workspace/raw-history.ts';
import { decodeText } from '../workspace/safety/limits.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { type CheckFinding, type CheckedGraph, checkGraph } from './check-graph.ts';
import type { ChainFinding } from '../chain/entry.ts';
import type { ChainRecorder } from '../chain/record/recorder.ts';
import { verifyHomeChain } from '../chain/verify-home.ts';

export interface Checked extends CheckedChain, CheckedGraph {
  readonly workspace: Workspace;
  readonly config: CheckedChain['config'] & CheckedGraph['config'];
  readonly layout: Layout;
  readonly audit: AuditTrail;
  readonly proposals: Proposals;
  readonly clock: Clock;
}

/** Every area in turn; one that fails to be checked is itself a finding. */
export async function checkHome(checked: Checked, onProgress: (area: string) => void): Promise<CheckFinding[]> {
  const areas: Record<string, () => Promise<CheckFinding[]>> = {
    journal: () => checkJournal(checked),
    git: () => checkRepositories(checked),
    transcripts: () => checkTranscripts(checked.workspace),
    files: () => checkFiles(checked),
    audit: () => checkAudit(checked),
    proposals: () => checkProposals(checked),
    graph: () => checkGraph(checked),
    chain: () => checkChain(checked),
  };
  const findings: CheckFinding[] = [];
  for (const [area, check] of Object.entries(areas)) {
    onProgress(area);
    try {
      findings.push(...(await check()));
    } catch (error) {
      const hint = (isMnemeError(error) ? error.hint : undefined) ?? 'Look at the message; nothing was changed.';
      findings.push({ area, severity: 'error', message: errorMessage(error), hint, isRepairable: false });
    }
  }
  return findings;
}

async function checkJournal({ workspace }: Checked): Promise<CheckFinding[]> {
  const journal = new Journal(workspace.paths.writeAhead, nodeFileSystem);
  try {
    for (const _entry of journal.read(journal.start()));
  } finally {
    journal.close();
  }
  const { postponed } = await workspace.drain();
  return postponed.map((message) => ({
    area: 'journal',
    severity: 'warning',
    message: `Acknowledged changes are not in git yet: ${message}`,
    hint: 'Finish what git is in the middle of; they follow by themselves.',
    isRepairable: false,
  }));
}

async function checkRepositories({ workspace, clock }: Checked): Promise<CheckFinding[]> {
  const findings: CheckFinding[] = [];
  for (const kind of REPOSITORIES) {
    const git = workspace.git[kind];
    if (!fs.existsSync(path.join(git.location.gitDir, 'HEAD'))) {
      if (kind === 'workspace') findings.push(missingRepository(git.location.gitDir));
      continue;
    }
    for (const found of await checkRepository(git, { kind, nowMs: clock.now() })) {
      // Whether a person wants hooks is a setting; `mneme check setup` looks at them. The one that guards transcripts is none.
      if (found.code === 'hooks' && kind !== 'raw') continue;
      const { message, hint, isRepairable } = found;
      findings.push({ area: 'git', severity: 'warning', message: `${kind}: ${message}`, hint, isRepairable });
    }
    const fsck = await git.attempt(['fsck', '--strict', '--no-dangling', '--no-progress']);
    if (fsck.code !== 0) {
      const said = fsck.stderr.trim().split('\n').slice(0, 3).join('; ');
      const hint = 'Fetch the objects from a remote or a backup; the files themselves are not affected.';
      findings.push({ area: 'git', severity: 'error', message: `${kind}: ${said}`, hint, isRepairable: false });
    }
  }
  return findings;
}

function missingRepository(gitDir: string): CheckFinding {
  return {
    area: 'git',
    severity: 'error',
    message: `The history is missing: there is no git directory at ${gitDir}.`,
    hint: 'Restore it from a backup or clone it from the remote; `mneme check --repair` starts a new one.',
    isRepairable: true,
  };
}

async function checkFiles({ workspace, layout }: Checked): Promise<CheckFinding[]> {
  const findings: CheckFinding[] = [];
  const names = await workspace.git.workspace.fields(['ls-files', '-z', '--cached', '--others', '--exclude-standard']);
  for (const name of new Set(names)) {
    const bytes = nodeFileSystem.read(path.join(workspace.root, name));
    if (bytes === undefined || !/\.(?:md|markdown)$/iu.test(name)) continue;
    const decoded = decodeText(bytes);
    if (decoded.kind === 'binary') {
      findings.push({
        area: 'files',
        severity: 'warning',
        message: `${name}: not text (${decoded.reason})`,
        hint: 'It is kept as it is and not searched; save it as UTF-8 to change that.',
        isRepairable: false,
      });
      continue;
    }
    for (const { line, severity, message, hint } of checkFile(name, decoded.text, layout)) {
      findings.push({ area: 'files', severity, message: `${name}:${line}: ${message}`, hint, isRepairable: false });
    }
  }
  return findings;
}

async function checkAudit({ audit }: Checked): Promise<CheckFinding[]> {
  const findings = await audit.verify();
  return findings.map(({ message }) => ({
    area: 'audit',
    severity: 'warning',
    message,
    hint: 'The log is made from the history and can be written anew.',
    isRepairable: true,
  }));
}

function checkProposals({ proposals }: Checked): Promise<CheckFinding[]> {
  const { problems } = proposals.list();
  return Promise.resolve(
    problems.map(({ message }) => ({
      area: 'proposals',
      severity: 'warning' as const,
      message,
      hint: 'Correct the file or remove it; it is ignored until then.',
      isRepairable: false,
    })),
  );
}

/**
 * Puts right what is derived, and brings changed transcripts back; other files and histories are never touched. Returns what
 * was done, in words.
 */
export async function repairHome(
  { workspace, audit, entities, clock }: Checked,
  findings: readonly CheckFinding[],
  branch: string,
): Promise<string[]> {
  const done: string[] = [];
  const areas = new Set(findings.filter((finding) => finding.isRepairable).map((finding) => finding.area));
  if (areas.has('git')) {
    for (const kind of REPOSITORIES)
      if (await repairRepository(workspace, kind, branch)) done.push(`${kind}: settings renewed`);
  }
  if (areas.has('transcripts')) done.push(await repairTranscripts(workspace, clock));
  if (areas.has('audit')) done.push(`audit.log written anew: ${await audit.rebuild()} lines`);
  if (areas.has('graph')) done.push(`graph table made anew: ${await entities.rebuild()} entities`);
  return done;
}

async function repairRepository(workspace: Workspace, kind: RepositoryName, branch: string): Promise<boolean> {
  const location = workspace.paths.repositories[kind];
  if (kind !== 'workspace' && !fs.existsSync(path.join(location.gitDir, 'HEAD'))) return false;
  await initRepository({ ...location, kind, branch });
  return true;
}

interface CheckedChain {
  readonly workspace: Workspace;
  readonly chain: ChainRecorder;
  readonly config: { readonly chain: { readonly accepted_keys: readonly string[] } };
}

/** Whether the provable history is what it was. */
async function checkChain({ workspace, chain: recorder, config }: CheckedChain): Promise<CheckFinding[]> {
  const chain = await recorder.open();
  if (!chain.isExpected) return [];
  const verified = await verifyHomeChain(chain, {
    workspace,
    acceptedKeys: config.chain.accepted_keys,
    full: false,
    content: true,
  });
  // That the key is not here is no disagreement: a home that was restored from a backup comes without it.
  const modes = chain.keys.problems().map((problem) => warning(`${problem}.`, 'Take the permission away: chmod 600.'));
  return [...verified.findings.map(describe), ...modes];
}

function describe({ message }: ChainFinding): CheckFinding {
  const hint = 'See `mneme chain verify`; what was there before may be in git, a backup or with whoever holds a head.';
  return { area: 'chain', severity: 'error', message, hint, isRepairable: false };
}

function warning(message: string, hint: string): CheckFinding {
  return { area: 'chain', severity: 'warning', message, hint, isRepairable: false };
}

/** Whether the conversations still say what they said when they were written. */
async function checkTranscripts(workspace: Workspace): Promise<CheckFinding[]> {
  const { changed, strangers } = await compareRawWithHistory(workspace);
  return [
    ...changed.map((one): CheckFinding => ({
      area: 'transcripts',
      severity: 'error',
      message: `raw/${plainName(one.path)} ${describeProblem(one)}`,
      hint: 'A transcript is a record: `mneme check --repair` brings back what its history has.',
      isRepairable: true,
    })),
    ...strangers.map((file): CheckFinding => ({
      area: 'transcripts',
      severity: 'warning',
      message: `raw/${file} is in no history: Mneme did not write it.`,
      hint: 'Look at it; move it away, or bring it in with `mneme import`.',
      isRepairable: false,
    })),
  ];
}

function describeProblem({ state, isCommitted }: ChangedRecord): string {
  const what = state === 'missing' ? 'is gone' : 'was changed after it was written';
  return isCommitted ? `${what}, and a commit took that over.` : `${what}.`;
}

/** Returns what was done, in words. */
async function repairTranscripts(workspace: Workspace, clock: Clock): Promise<string> {
  const { changed } = await compareRawWithHistory(workspace);
  await restoreRecords(workspace, changed, clock);
  return `transcripts brought back from their history: ${changed.length}`;
}
