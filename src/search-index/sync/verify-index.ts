import { errorMessage } from '../../model/errors.ts';
import type { DocumentKey } from '../passage.ts';
import type { FoundFile } from './home-files.ts';
import type { RefreshParts } from './refresh.ts';
import { keyOf } from './stamp-table.ts';

/** What does not agree between the files and the documents made from them, in words. Reads every file. */
export function compareWithFiles(
  { files, hashOf }: Pick<RefreshParts, 'files' | 'hashOf'>,
  found: readonly FoundFile[],
  indexed: ReadonlyMap<string, DocumentKey & { readonly hash: string }>,
): string[] {
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
      }
    } catch (error) {
      findings.push(`${key.source}: ${key.path} cannot be read: ${errorMessage(error)}`);
    }
  }
  for (const { source, path } of superfluous.values()) {
    findings.push(`${source}: ${path} is in the index, but there is no such file.`);
  }
  return findings;
}
