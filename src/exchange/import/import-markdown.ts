import fs from 'node:fs';
import path from 'node:path';
import { MnemeError } from '../../model/errors.ts';
import { slugify } from '../../workspace/safety/paths.ts';
import { claimFolder, type WantedFolder } from './claim-folder.ts';
import { importDocuments, listDocuments } from './documents.ts';
import type { ImportRun } from './import-run.ts';
import { kindOfSource, type FoundFile } from './log-files.ts';
import { MnemeFolders, SKIPPED_MEMORY } from './mneme-folders.ts';
import { findOpenClawWorkspaces, isOpenClawNote } from './openclaw.ts';

/** Copies a folder of Markdown files to `memory/reference/<folder>/`. */
export async function importMarkdown(run: ImportRun, paths: readonly string[]): Promise<void> {
  const memories = new MnemeFolders(run.home.workspace.paths);
  for (const given of paths) {
    const only = kindOfSource(given) === 'file' ? path.basename(given) : undefined;
    const root = fs.realpathSync.native(only === undefined ? given : path.dirname(given));
    memories.assertOutside(root);
    const files = listDocuments({ root, only, memories, tally: run.tally });
    if (files.length === 0 && run.tally.list().length === 0) {
      throw new MnemeError('not-found', `${given} has no Markdown files.`, {
        hint: 'Files that end in .md are taken.',
      });
    }
    const name = slugify(path.basename(root));
    const target = `memory/reference/${name}`;
    await importFolder(run, { root, kind: 'markdown', name: `markdown:${name}`, target }, files);
  }
}

/** Copies an OpenClaw workspace's notes; `mneme adopt` would take the folder itself instead. */
export async function importNotes(run: ImportRun, paths: readonly string[]): Promise<void> {
  const memories = new MnemeFolders(run.home.workspace.paths);
  for (const given of paths) {
    if (kindOfSource(given) === 'file') continue;
    for (const workspace of findOpenClawWorkspaces(given)) {
      const root = fs.realpathSync.native(workspace);
      // An adopted workspace is the memory; its agent's sessions are still worth importing.
      if (memories.isInMemory(root)) {
        run.tally.add('folder', SKIPPED_MEMORY);
        continue;
      }
      const name = slugify(path.basename(workspace));
      const target = name === 'workspace' ? 'memory/reference/openclaw' : `memory/reference/openclaw/${name}`;
      const files = listDocuments({ root, memories, tally: run.tally, isWanted: isOpenClawNote });
      await importFolder(run, { root, kind: 'openclaw', name: `openclaw:${name}`, target }, files);
    }
  }
}

async function importFolder(run: ImportRun, wanted: WantedFolder, files: readonly FoundFile[]): Promise<void> {
  if (files.length === 0) return;
  const { workspace, actor, maxFileBytes } = run.home;
  const isDryRun = run.request.dryRun === true;
  const source = await claimFolder(run.writer, wanted, isDryRun);
  run.expect(files.map(({ path: file }) => ({ size: fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0 })));
  const written = await importDocuments(files, source, {
    workspace,
    maxFileBytes,
    writer: run.writer,
    tally: run.tally,
    attribution: { actor, trigger: `import ${run.request.from}` },
    isDryRun,
    sinceMs: run.request.sinceMs,
    signal: run.controls.signal,
    onDocument: (bytes) => run.finishFile(bytes),
  });
  run.countDocuments(written);
}
