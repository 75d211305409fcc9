import { parseDocument, serializeDocument } from '../../../workspace/markdown/document.ts';
import { setFrontmatterValue, type FrontmatterValue } from '../../../workspace/markdown/frontmatter.ts';
import { parseProcedure } from '../../../workspace/formats/procedure.ts';
import type { Refinement } from './refinement.ts';
import { nextVersion } from './versions.ts';

/** The file with the refinements made, its version raised and its history told; the same text when none fits. */
export function applyRefinements(text: string, path: string, refinements: readonly Refinement[], time: string): string {
  let edited = text;
  const made: Refinement[] = [];
  for (const refinement of refinements) {
    const next = refinement.edit(edited);
    if (next !== edited) made.push(refinement);
    edited = next;
  }
  if (made.length === 0) return text;
  const document = parseDocument(edited);
  const { frontmatter } = parseProcedure(document, path);
  const history = [...(frontmatter.refinements ?? []), ...made.map((refinement) => entryOf(refinement, time))];
  const raised = setFrontmatterValue(document, 'version', nextVersion(frontmatter.version ?? '1'));
  return serializeDocument(setFrontmatterValue(raised, 'refinements', history as unknown as FrontmatterValue));
}

function entryOf(
  { type, description, before, after, evidence }: Refinement,
  time: string,
): Record<string, FrontmatterValue> {
  return {
    time,
    type,
    description,
    before,
    after: after === '' ? 'removed' : after,
    trigger: `${evidence.length} runs`,
  };
}

/** A procedure that nearly always fails is put away, not deleted: its file and its history stay. */
export function retire(text: string): string {
  return serializeDocument(setFrontmatterValue(parseDocument(text), 'status', 'retired'));
}
