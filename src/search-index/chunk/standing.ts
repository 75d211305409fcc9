import { SAFETY } from '../../model/content-words.ts';
import type { FactMetadata } from '../../model/schemas/item.ts';
import { normalTitle } from '../../workspace/formats/sections.ts';
import type { FileFrame } from './frame.ts';

/** Blocks of core memory that hold until somebody changes them; what is going on is not among them. */
const STANDING_BLOCKS: ReadonlySet<string> = new Set(['identity', 'persona', 'critical facts']);
const USER_ID = 'person--user';
const USER_TAG = 'user';

/** Rules, who the user is, and what somebody could be hurt by hold however long ago they were said. */
export function isStanding(
  { kind, frontmatter, tags }: FileFrame,
  heading: string,
  { text, meta }: { readonly text: string; readonly meta: FactMetadata },
): boolean {
  if (kind === 'memory') return STANDING_BLOCKS.has(normalTitle(heading));
  if (kind !== 'entity' || normalTitle(heading) !== 'facts') return false;
  const isUsers = frontmatter['id'] === USER_ID || tags.includes(USER_TAG);
  const isIdentity = isUsers && (meta.category === 'person' || meta.attribute !== undefined);
  return meta.category === 'preference' || isIdentity || SAFETY.test(text);
}
