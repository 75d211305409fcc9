import type { Config } from '../model/config/schema.ts';
import type { Store } from '../model/provenance.ts';
import {
  defineLayout,
  HOME_LAYOUT,
  OPENCLAW_LAYOUT,
  VAULT_LAYOUT,
  type FileKind,
  type Layout,
  type LayoutRule,
} from './formats/layout.ts';

const BUILT_IN: Readonly<Record<string, Layout>> = {
  mneme: HOME_LAYOUT,
  openclaw: OPENCLAW_LAYOUT,
  vault: VAULT_LAYOUT,
};

/** The shape of a store's files when only the store is known. */
const KIND_OF_STORE: Readonly<Record<Store, FileKind>> = {
  core: 'memory',
  episodic: 'episode',
  semantic: 'entity',
  procedural: 'procedure',
  vault: 'vault',
  journal: 'journal',
  reference: 'reference',
  topic: 'topic',
  identity: 'identity',
  meta: 'meta',
};

/** The table that says which file belongs to which store: a person's own patterns first, then the named layout's. */
export function layoutOf(config: Config): Layout {
  const { layout: name, patterns } = config.workspace;
  const own: LayoutRule[] = Object.entries(patterns).map(([pattern, store]) =>
    store === 'ignore'
      ? { pattern, kind: 'asset', store: 'reference' }
      : { pattern, kind: KIND_OF_STORE[store], store },
  );
  const base = BUILT_IN[name] ?? VAULT_LAYOUT;
  if (own.length === 0) return { ...base, core: config.core };
  return defineLayout(name, base.isStrict, [...own, ...base.rules], config.core);
}
