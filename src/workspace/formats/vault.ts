import type { Trust } from '../../model/provenance.ts';
import type { VaultFrontmatter } from '../../model/schemas/reference.ts';
import { renderBody } from './body.ts';
import { renderFrontmatter } from './frontmatter-text.ts';

export interface VaultNote {
  readonly id: string;
  readonly date: string;
  readonly text: string;
  readonly tags: readonly string[];
  /** The source's trust; the user's when not given. */
  readonly trust?: Trust | undefined;
}

/** A note that never fades and that only a person changes. */
export function newVaultNote({ id, date, text, tags, trust = 'user' }: VaultNote): string {
  const frontmatter = {
    type: 'vault',
    created: date,
    pinned: true,
    ...(tags.length === 0 ? {} : { tags: [...tags] }),
    ...(trust === 'user' ? {} : { trust }),
  };
  return `${renderFrontmatter(frontmatter satisfies VaultFrontmatter)}\n${renderBody(text, id)}\n`;
}
