import { lowestTrust, type Source, type Trust } from '../../model/provenance.ts';
import { itemMetadataSchema, type ItemMetadata } from '../../model/schemas/item.ts';
import type { FileKind } from './layout.ts';

/** Defaults of an item that does not say: the file's frontmatter first, then what its kind of file usually holds. */

/** The frontmatter keys that speak for every item in the file. */
const INHERITED = ['source', 'trust', 'session', 'scope', 'importance', 'confidence'] as const;
type InheritedKey = (typeof INHERITED)[number];

export interface ItemDefaults extends Pick<ItemMetadata, InheritedKey> {
  /** The limit for every item of the file, whatever it says of itself. */
  readonly trustCap?: Trust | undefined;
}

/** Complete metadata, after defaults: what every later stage works with. */
export type ResolvedMetadata<T extends ItemMetadata = ItemMetadata> = T & {
  readonly source: Source;
  readonly trust: Trust;
  readonly importance: number;
};

const USUAL_IMPORTANCE = 0.5;

const KIND_SOURCES: Partial<Record<FileKind, Source>> = {
  identity: 'user-explicit',
  vault: 'user-explicit',
  reference: 'import',
  journal: 'reflection',
};

/**
 * Text of unknown trust in a file the agent edits counts as the agent's: a person's own words are marked
 * `user-explicit` when they are captured, and guessing too high would let anything with a shell speak for the user.
 */
const IMPLIED_TRUST: Record<Source, Trust> = {
  'user-explicit': 'user',
  conversation: 'agent',
  auto: 'agent',
  reflection: 'agent',
  import: 'import',
  flush: 'agent',
  inferred: 'agent',
};

export function itemDefaults(kind: FileKind, frontmatter: Readonly<Record<string, unknown>> | undefined): ItemDefaults {
  const defaults: Record<string, unknown> = { source: KIND_SOURCES[kind] ?? 'conversation' };
  for (const key of INHERITED) {
    // Confidence that an entity exists says nothing about the single facts below it.
    if (kind === 'entity' && key === 'confidence') continue;
    const stated = itemMetadataSchema.shape[key].safeParse(frontmatter?.[key]);
    if (stated.success && stated.data !== undefined) defaults[key] = stated.data;
  }
  // A copy of somebody else's text: its lines do not say how far they are trusted.
  if (kind === 'reference' && defaults['trust'] !== undefined) defaults['trustCap'] = defaults['trust'];
  return defaults;
}

export function resolveMetadata<T extends ItemMetadata>(meta: T, defaults: ItemDefaults): ResolvedMetadata<T> {
  const source = meta.source ?? defaults.source ?? 'conversation';
  const inherited: Record<string, unknown> = {};
  for (const key of INHERITED)
    if (meta[key] === undefined && defaults[key] !== undefined) inherited[key] = defaults[key];
  return {
    ...inherited,
    ...meta,
    source,
    trust: capped(meta.trust ?? defaults.trust ?? IMPLIED_TRUST[source], defaults.trustCap),
    importance: meta.importance ?? defaults.importance ?? USUAL_IMPORTANCE,
  };
}

function capped(trust: Trust, cap: Trust | undefined): Trust {
  return cap === undefined ? trust : lowestTrust([trust, cap]);
}

/** Only what differs from the defaults: what is written. */
export function withoutDefaults<T extends ItemMetadata>(meta: T, defaults: ItemDefaults): T {
  const silent = resolveMetadata<ItemMetadata>(meta.source === undefined ? {} : { source: meta.source }, defaults);
  const usual: ItemMetadata = { ...silent, source: defaults.source ?? 'conversation' };
  const kept = Object.entries(meta).filter(([key, value]) => {
    return value !== undefined && !(isInherited(key) && usual[key] === value);
  });
  return Object.fromEntries(kept) as T;
}

function isInherited(key: string): key is InheritedKey {
  return (INHERITED as readonly string[]).includes(key);
}
