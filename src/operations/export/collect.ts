import fs from 'node:fs';
import path from 'node:path';
import type { Scope } from '../../model/provenance.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import { walkTree } from '../../platform/walk-tree.ts';
import { isRecord } from '../../exchange/import/mneme/records.ts';
import { scopeOfFile } from '../../workspace/formats/layout.ts';
import { parseDocument } from '../../workspace/markdown/document.ts';
import { plainName, readPacked } from '../../workspace/packed.ts';
import { decodeText } from '../../workspace/safety/limits.ts';
import { listWorkspaceFiles } from '../backup/snapshot.ts';
import type { OperationContext } from '../context.ts';
import { hideForeignItems, seesFile, visibleTo, type Visibility } from '../visible-to.ts';

/** A file of the home as it goes into an export. */
export interface CollectedFile {
  /** `workspace/…`, `raw/…`, `journal/…` */
  readonly path: string;
  readonly bytes: Buffer;
  readonly mtimeMs: number;
}

/** Collects the home for an export: everything, or the view of one scope. */
export class HomeCollector {
  readonly notes: string[] = [];
  readonly #context: OperationContext;
  readonly #visible: Visibility;

  constructor(context: OperationContext, scope: Scope | undefined) {
    this.#context = scope === undefined ? context : { ...context, confinedTo: scope };
    this.#visible = visibleTo(this.#context);
  }

  /** Everything that is exported as it is, in the order of the home. */
  async *all(): AsyncGenerator<CollectedFile> {
    yield* this.workspace();
    yield* this.transcripts();
    if (!this.#visible.seesHome) return;
    const { paths } = this.#context.workspace;
    for (const relative of listFiles(paths.repositories.chain.workTree)) {
      // The key signs in the name of the agent, so it never leaves the home.
      if (!relative.endsWith('.key')) yield* this.#take('chain', paths.repositories.chain.workTree, relative);
    }
    for (const relative of listFiles(paths.journal)) {
      if (isRecord(relative)) yield* this.#take('journal', paths.journal, relative);
    }
    yield* this.#take('', paths.home, 'mneme.yaml');
    const open = listFiles(path.join(paths.journal, 'live')).length;
    if (open > 0) this.notes.push(`${open} conversation${open === 1 ? ' is' : 's are'} still open and not in it.`);
  }

  async *workspace(): AsyncGenerator<CollectedFile> {
    const { workspace } = this.#context;
    for (const relative of await listWorkspaceFiles(workspace)) {
      if (!seesFile(this.#context, relative)) continue;
      for (const file of this.#take('workspace', workspace.root, relative)) yield this.#shown(file);
    }
  }

  *transcripts(): Generator<CollectedFile> {
    const root = this.#context.workspace.paths.repositories.raw.workTree;
    for (const relative of listFiles(root)) {
      if (this.#seesTranscript(root, relative)) yield* this.#take('raw', root, relative);
    }
  }

  #seesTranscript(root: string, relative: string): boolean {
    if (this.#visible.seesHome) return true;
    const plain = plainName(relative);
    if (!plain.endsWith('.md')) return false;
    const text = readPacked(nodeFileSystem, path.join(root, plain))?.toString('utf8') ?? '';
    return this.#visible.sees(scopeOfFile('shared', parseDocument(text)));
  }

  /** Without the lines that say they belong to another scope. */
  #shown(file: CollectedFile): CollectedFile {
    if (this.#visible.seesHome) return file;
    const decoded = decodeText(file.bytes);
    if (decoded.kind !== 'text') return file;
    return { ...file, bytes: Buffer.from(hideForeignItems(this.#visible, decoded.text), 'utf8') };
  }

  *#take(folder: string, root: string, relative: string): Generator<CollectedFile> {
    const full = path.join(root, relative);
    const stat = fs.lstatSync(full, { throwIfNoEntry: false });
    if (stat?.isSymbolicLink() === true) this.notes.push(`${relative} is a link and was left out.`);
    if (stat === undefined || !stat.isFile()) return;
    // Gone meanwhile: then it is not part of the memory any more.
    const bytes = nodeFileSystem.read(full);
    if (bytes !== undefined) yield { path: path.posix.join(folder, relative), bytes, mtimeMs: stat.mtimeMs };
  }
}

/** Every file below a folder with forward slashes, in order, without git's own. */
function listFiles(root: string): string[] {
  if (!fs.existsSync(root)) return [];
  return walkTree(root)
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
    .filter((relative) => !relative.split('/').includes('.git') && !relative.startsWith('.git'))
    .sort();
}
