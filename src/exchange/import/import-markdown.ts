import fs from 'node:fs';
import path from 'node:path';
import { MnemeError } from '../../model/errors.ts';
import { slugify } from '../../workspace/safety/paths.ts';
import { importDocuments, listDocuments, type DocumentSource } from './documents.ts';
import type { ImportRun } from './import-run.ts';
import { kindOfSource } from './log-files.ts';
import { findOpenClawWorkspaces, isOpenClawNote } from './openclaw.ts';

/** Copies a folder of Markdown files to `memory/reference/<folder>/`. */
export async function importMarkdown(run: ImportRun, paths: readonly string[]): Promise<void> {
  for (const root of paths) {
    const isFile = kindOfSource(root) === 'file';
    const folder = path.resolve(isFile ? path.dirname(root) : root);
    const name = slugify(path.basename(folder));
    const isWanted = (relative: string): boolean => !isFile || relative === path.basename(root);
    const source = { root: folder, name: `markdown:${name}`, target: `memory/reference/${name}`, isWanted };
    if (listDocuments(source).length === 0) {
      throw new MnemeError('not-found', `${root} has no Markdown files.`, { hint: 'Files that end in .md are taken.' });
    }
    await importFolder(run, source);
  }
}

/** Copies an OpenClaw workspace's notes; `mneme adopt` would take the folder itself instead. */
export async function importNotes(run: ImportRun, paths: readonly string[]): Promise<void> {
  for (const root of paths) {
    if (kindOfSource(root) === 'file') continue;
    for (const workspace of findOpenClawWorkspaces(root)) {
      const name = slugify(path.basename(workspace));
      const target = name === 'workspace' ? 'memory/reference/openclaw' : `memory/reference/openclaw/${name}`;
      await importFolder(run, { root: workspace, name: `openclaw:${name}`, target, isWanted: isOpenClawNote });
    }
  }
}

async function importFolder(run: ImportRun, source: DocumentSource): Promise<void> {
  const { workspace, actor } = run.home;
  run.expect(listDocuments(source).map(({ path: file }) => ({ size: fs.statSync(file).size })));
  const written = await importDocuments(source, {
    workspace,
    writer: run.writer,
    tally: run.tally,
    attribution: { actor, trigger: `import ${run.request.from}` },
    isDryRun: run.request.dryRun === true,
    sinceMs: run.request.sinceMs,
    signal: run.controls.signal,
    onDocument: (bytes) => run.finishFile(bytes),
  });
  run.countDocuments(written);
}
