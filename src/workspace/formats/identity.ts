import { IDENTITY_ROLES, type IdentityFrontmatter, type IdentityRole } from '../../model/schemas/frontmatter.ts';
import { readFrontmatter } from '../../model/schemas/index.ts';
import type { MarkdownDocument } from '../markdown/types.ts';
import { visibleText } from './metadata.ts';
import { fileStem } from './layout.ts';
import { documentTitle, sectionsOf, textOf } from './sections.ts';

/** SOUL, IDENTITY, USER, AGENTS or TOOLS.md: prose in sections, loaded as it is. */
export interface IdentityFile {
  readonly role: IdentityRole | undefined;
  readonly title: string | undefined;
  readonly frontmatter: Partial<IdentityFrontmatter>;
  readonly sections: readonly { readonly title: string; readonly text: string }[];
}

export function parseIdentity(document: MarkdownDocument, path: string): IdentityFile {
  const frontmatter = readFrontmatter('identity', document.frontmatter?.values);
  const name = fileStem(path).toLowerCase();
  const sections = sectionsOf(document).map(({ title, blocks }) => ({
    title,
    text: visibleText(textOf(blocks)).trim(),
  }));
  return {
    role: frontmatter.role ?? IDENTITY_ROLES.find((role) => role === name),
    title: documentTitle(document),
    frontmatter,
    sections: sections.filter(({ text }) => text !== ''),
  };
}
