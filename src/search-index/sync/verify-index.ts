import { errorMessage } from '../../model/errors.ts';
import { chunkFile } from '../chunk/chunk-file.ts';
import type { IndexedDocument } from '../passage.ts';
import type { DocumentState, IndexView } from '../port.ts';
import type { FoundFile } from './home-files.ts';
import type { RefreshParts } from './refresh.ts';
import { keyOf } from './stamp-table.ts';

/** Differences between the files and the documents made from them, in words. Reads every file. */
export async function compareWithFiles(
  { index, files, context, hashOf }: RefreshParts,
  found: readonly FoundFile[],
  indexed: ReadonlyMap<string, DocumentState>,
): Promise<string[]> {
  const view = await index.view({ scopes: [], withArchived: true });
  const findings: string[] = [];
  const superfluous = new Map(indexed);
  for (const key of found) {
    const document = indexed.get(keyOf(key));
    superfluous.delete(keyOf(key));
    try {
      const file = files.read(key);
      if (file === undefined) continue;
      if (document === undefined) findings.push(`${key.source}: ${key.path} is not in the index.`);
      else if (document.hash !== hashOf(file.oid)) {
        findings.push(`${key.source}: ${key.path} has changed since it was indexed.`);
      } else if (!(await hasSameTexts(view, chunkFile({ ...file, hash: document.hash }, context)))) {
        findings.push(`${key.source}: the index holds another text than ${key.path}.`);
      }
    } catch (error) {
      findings.push(`${key.source}: ${key.path} cannot be read: ${errorMessage(error)}`);
    }
  }
  for (const { source, path, isOthers } of superfluous.values()) {
    if (isOthers === true) continue;
    findings.push(`${source}: ${path} is in the index, but there is no such file.`);
  }
  return findings;
}

/** The hash says what a document was made from, not that it is still what was made. */
async function hasSameTexts(view: IndexView, document: IndexedDocument | undefined): Promise<boolean> {
  if (document === undefined) return true;
  const stored = await view.readDocument(document);
  const { passages } = document;
  return (
    stored.length === passages.length &&
    stored.every(({ id, lead, day, text }, at) => {
      const made = passages[at];
      return id === made?.id && lead === made.lead && day === made.day && text === made.text;
    })
  );
}
