import { createHash } from 'node:crypto';
import type { FolderRecord, ImportLedger } from './ledger.ts';
import type { SessionWriter } from './session-writer.ts';

export interface WantedFolder {
  /** The real path of the source. */
  readonly root: string;
  /** `markdown` or `openclaw`. */
  readonly kind: string;
  /** The name of the import and its target, unless another folder has these names already. */
  readonly name: string;
  readonly target: string;
}

type Writer = Pick<SessionWriter, 'ledger' | 'exclusively'>;

/**
 * The names a source folder has had since it was first imported, or new ones. Many folders are called `docs`: under one
 * name the second would be taken for a newer version of the first.
 */
export function claimFolder(writer: Writer, wanted: WantedFolder, isDryRun: boolean): Promise<FolderRecord> {
  const { ledger } = writer;
  const folder = `${wanted.kind}:${hashOf(wanted.root)}`;
  const find = (): FolderRecord => ledger.folder(folder) ?? chooseNames(ledger, folder, wanted);
  if (isDryRun) return Promise.resolve(find());
  return writer.exclusively(async () => {
    const found = find();
    if (ledger.folder(folder) === undefined) await ledger.recordFolder(found);
    return found;
  });
}

function chooseNames(ledger: ImportLedger, folder: string, wanted: WantedFolder): FolderRecord {
  const taken = new Set<string>();
  for (const { name, target } of ledger.folders()) taken.add(name).add(target);
  // Documents are remembered from before folders were; whose they are is not known, so they are nobody else's.
  const hasDocuments = (name: string): boolean =>
    ledger.documents().some(({ origin }) => origin.startsWith(`${name}/`));
  for (let count = 1; ; count += 1) {
    const suffix = count === 1 ? '' : `-${count}`;
    const [name, target] = [`${wanted.name}${suffix}`, `${wanted.target}${suffix}`];
    if (!taken.has(name) && !taken.has(target) && !hasDocuments(name)) return { folder, name, target };
  }
}

function hashOf(root: string): string {
  return createHash('sha256').update(root).digest('base64url').slice(0, 22);
}
