import { MnemeError } from '../../model/errors.ts';
import { parseDocument, serializeDocument } from '../../workspace/markdown/document.ts';
import { setFrontmatterValue } from '../../workspace/markdown/frontmatter.ts';
import type { Frontmatter, MarkdownDocument } from '../../workspace/markdown/types.ts';

/** Why a file cannot be changed by a machine, as the end of a sentence; undefined when it can. */
export function findDamage(text: string, frontmatter: Frontmatter | undefined): string | undefined {
  if (frontmatter?.values !== undefined) return undefined;
  if (frontmatter !== undefined) return `its frontmatter is broken YAML (${frontmatter.error ?? 'unreadable'})`;
  const isUnclosed = /^\uFEFF?---[ \t]*\r?\n[\w-]+[ \t]*:/u.test(text);
  return isUnclosed ? 'its frontmatter is opened with --- and never closed' : undefined;
}

/** A file that a person has to look at first is reported, never written to. */
export function refuseDamaged(path: string, damage: string | undefined): void {
  if (damage === undefined) return;
  throw new MnemeError('conflict', `${path} is left as it is: ${damage}.`, {
    hint: damage.startsWith('its frontmatter')
      ? 'Repair the lines between the --- markers by hand, then repeat the change.'
      : 'Split it, or save it as plain text, by hand; then repeat the change.',
  });
}

/**
 * The text after `change`, with `updated` brought up to date where anything else changed. A file without frontmatter
 * is a person's own; it is not given any.
 */
export function editText(
  path: string,
  current: string,
  updated: string,
  change: (document: MarkdownDocument) => MarkdownDocument,
): string {
  const before = parseDocument(current);
  refuseDamaged(path, findDamage(current, before.frontmatter));
  const after = change(before);
  const text = serializeDocument(after);
  if (text === current || after.frontmatter === undefined) return text;
  return serializeDocument(setFrontmatterValue(after, 'updated', updated));
}
