import fs from 'node:fs';
import path from 'node:path';
import type { Config } from '../../model/config/schema.ts';
import { errorMessage, MnemeError } from '../../model/errors.ts';
import { createProposalEraser } from '../../proposals/erase.ts';
import { Proposals } from '../../proposals/proposals.ts';
import { AuditTrail } from '../../audit/trail.ts';
import { ChainRecorder, createChainEraser } from '../../chain/record/recorder.ts';
import type { Clock } from '../../platform/clock.ts';
import { systemRandom } from '../../platform/random.ts';
import { CHAIN_FILE } from '../../workspace/chain-log.ts';
import { PARTIAL_SUFFIX, formOf, sortArchives } from '../../workspace/erase/backup-archives.ts';
import { eraseEverywhere } from '../../workspace/erase/erase.ts';
import { eraseInFolder } from '../../workspace/erase/files.ts';
import { readHome } from '../../workspace/home.ts';
import type { HomePaths } from '../../workspace/home-paths.ts';
import type { EraseReport, Erasure } from '../../workspace/registries.ts';
import { Workspace } from '../../workspace/workspace.ts';
import { dropErasingPlans } from '../forget/unfinished.ts';
import { type KeyHolder, allRecipients, findIdentities } from '../history/sealed/key.ts';
import { sealFile } from '../history/sealed/seal.ts';
import { tidyParts } from './create-parts.ts';
import { removePartials } from './create.ts';
import { PartStore } from './part-store.ts';
import { backupFolder, findHomeId, partsFolder, scratchFolder } from './places.ts';
import { unpackHome } from './unpack.ts';
import { writeArchive } from './write-archive.ts';
import { writeParts, writePartsManifest } from './write-parts.ts';

export interface BackupPlace {
  readonly paths: HomePaths;
  readonly config: Config;
  readonly clock: Clock;
}

const WHERE = 'backups';

/**
 * Takes texts out of every backup of a home: each is restored into a scratch folder, erased there as in a real home, and
 * packed again. That is slow, and the only way that also reaches the histories inside.
 */
export async function eraseFromBackups({ paths, config, clock }: BackupPlace, erasure: Erasure): Promise<EraseReport> {
  const homeId = findHomeId(paths.journal);
  if (homeId === undefined) return { where: WHERE, occurrences: 0 };
  const folder = backupFolder(paths.home, config);
  if (!fs.existsSync(folder)) {
    return { where: WHERE, occurrences: 0, left: [`backups in ${folder}, which is not there now`] };
  }
  // One in the making was begun before the erasure; without its file it cannot be finished.
  removePartials(folder, homeId);
  let occurrences = 0;
  const left: string[] = [];
  for (const name of sortArchives(fs.readdirSync(folder), homeId)) {
    const file = path.join(folder, name);
    fs.mkdirSync(scratchFolder(paths), { recursive: true });
    // A new name: one that was killed leaves its own, and its process number comes again.
    const scratch = fs.mkdtempSync(path.join(scratchFolder(paths), 'erase-'));
    try {
      const keys = { home: paths.home, config };
      if (await eraseFromArchive(file, { scratch, clock, keys }, erasure)) occurrences += 1;
    } catch (error) {
      left.push(`the backup ${file}, which cannot be rewritten (${errorMessage(error)})`);
    } finally {
      fs.rmSync(scratch, { recursive: true, force: true });
    }
  }
  left.push(...dropOldParts(folder, homeId));
  return { where: WHERE, occurrences, left };
}

/** The rewritten backups need others; what they needed before still holds the text. */
function dropOldParts(folder: string, homeId: string): string[] {
  try {
    tidyParts(folder, homeId);
    return [];
  } catch (error) {
    return [`parts of backups in ${partsFolder(folder, homeId)} (${errorMessage(error)})`];
  }
}

/** Whether there was anything to erase; if not, the archive stays as it is. */
async function eraseFromArchive(
  file: string,
  { scratch, clock, keys }: { readonly scratch: string; readonly clock: Clock; readonly keys: KeyHolder },
  { texts, erase }: Erasure,
): Promise<boolean> {
  const home = path.join(scratch, 'home');
  fs.mkdirSync(home);
  const { manifest } = await unpackHome(file, home, { identities: findIdentities(keys) });
  const { paths, settings, config } = await readHome(home);
  const workspace = Workspace.create(paths, settings);
  const audit = new AuditTrail({ workspace, clock, config });
  workspace.registries.recorders.push((acknowledged) => audit.record(acknowledged));
  workspace.registries.erasers.push(audit);
  const chain = new ChainRecorder({ workspace, clock, random: systemRandom, config, leavesNotes: true });
  workspace.registries.firstErasers.push(createChainEraser(chain, 'silent'));
  const proposals = new Proposals({ workspace, clock, random: systemRandom, config });
  workspace.registries.firstErasers.push(createProposalEraser(proposals));
  await workspace.start();
  try {
    // Before the rest, to know whether there was any: write-ahead segments are dropped and counted in any case, but
    // what they hold is in the history too.
    const inJournal = eraseInFolder(paths.journal, erase, (full) => full === paths.writeAhead);
    const plans = dropErasingPlans(paths.journal, erase);
    const { reports, left } = await eraseEverywhere(workspace, texts, 'manual');
    // Half an erasure is none: the archive stays as it is, and is named.
    if (left.length > 0) throw new MnemeError('failure', `The words are left in it: ${left[0]?.what ?? ''}.`);
    const others = reports.filter(({ where }) => where !== 'journal');
    const inPlainFiles = eraseInFolder(paths.home, erase, (full) => isNoPlainFile(full, paths));
    const found = others.reduce((sum, { occurrences }) => sum + occurrences, inJournal.count + inPlainFiles.count);
    if (found + plans === 0) return false;
    const partial = `${file}${PARTIAL_SUFFIX}`;
    fs.rmSync(partial, { force: true });
    const copies = path.join(scratch, 'copies');
    fs.mkdirSync(copies);
    const { homeId, made, hasTranscripts } = manifest;
    const request = { workspace, file: partial, scratch: copies, homeId, made, hasTranscripts };
    const form = formOf(path.basename(file));
    if (form === 'parts') {
      // Nothing of the old list is made use of: its histories hold the text.
      const store = PartStore.open(partsFolder(path.dirname(file), homeId));
      writePartsManifest(partial, (await writeParts({ ...request, store, earlier: undefined })).manifest);
    } else if (form === 'sealed') {
      const plain = path.join(scratch, 'plain.tar.gz');
      await writeArchive({ ...request, file: plain });
      await sealFile(await allRecipients(keys), plain, partial);
    } else {
      await writeArchive(request);
    }
    fs.renameSync(partial, file);
    return true;
  } finally {
    await workspace.close();
  }
}

/** Files that git is told to ignore are erased by modules that this workspace does not know; all of them are plain text. */
function isNoPlainFile(full: string, { writeAhead, state, repositories }: HomePaths): boolean {
  // The entries of the chain hold none of a memory's words.
  const isChain = full === path.join(repositories.chain.workTree, CHAIN_FILE);
  return isChain || path.basename(full) === '.git' || full === writeAhead || full === state;
}
