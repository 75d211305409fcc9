import type { Scope } from '../../../model/provenance.ts';
import { readFrontmatter } from '../../../model/schemas/index.ts';
import { fileStem, scopeOfPath } from '../../../workspace/formats/layout.ts';
import { documentTitle } from '../../../workspace/formats/sections.ts';
import { parseDocument } from '../../../workspace/markdown/document.ts';
import { readFrontmatter as readHead } from '../../../workspace/markdown/frontmatter.ts';
import { findDamage } from '../plan.ts';
import { foldName, partsOfName, withoutTitle } from './names.ts';

/** An entity as far as it takes to recognise and find it. */
export interface EntityRecord {
  readonly path: string;
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly aliases: readonly string[];
  readonly status: string | undefined;
  readonly scope: Scope;
  /** The person whose memory this is. */
  readonly isUser: boolean;
  readonly mergedInto: string | undefined;
  /** Why the file cannot be written to until a person has looked at it. */
  readonly damage: string | undefined;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly created: string | undefined;
  readonly updated: string | undefined;
  /** Never fades, and nothing moves it. */
  readonly isPinned: boolean;
}

/** The entity of the user carries this tag, or is called so. */
export const USER_TAG = 'user';
const USER_ID = 'person--user';

/** Where to look for a title in a file whose frontmatter gives no name. */
const MAX_TITLE_CHARS = 4096;

/** The summary and facts stay unread: a file of megabytes costs as little as one of a line. */
export function readRecord(path: string, text: string): EntityRecord {
  const start = text.startsWith('\uFEFF') ? 1 : 0;
  const head = readHead(text, start);
  const values = head?.frontmatter.values;
  const frontmatter = readFrontmatter('entity', values);
  const title = (): string | undefined => {
    const from = head?.end ?? start;
    return documentTitle(parseDocument(text.slice(from, from + MAX_TITLE_CHARS)));
  };
  const stem = fileStem(path);
  const id = frontmatter.id ?? stem;
  return {
    path,
    id,
    type: (frontmatter.type ?? (id.includes('--') ? id.slice(0, id.indexOf('--')) : 'thing')).toLowerCase(),
    name: frontmatter.name ?? title() ?? stem,
    aliases: frontmatter.aliases ?? (typeof values?.['aliases'] === 'string' ? [values['aliases']] : []),
    status: frontmatter.status,
    scope: scopeOfPath(path),
    isUser: id === USER_ID || (frontmatter.tags ?? []).includes(USER_TAG),
    mergedInto: frontmatter.merged_into,
    damage: findDamage(text, head?.frontmatter),
    properties: frontmatter.properties ?? {},
    created: frontmatter.created,
    updated: frontmatter.updated,
    isPinned: frontmatter.pinned === true,
  };
}

/** The kinds of names for an entity. A `part` counts only where no other entity has it. */
export type FormKind = 'id' | 'name' | 'alias' | 'part';

export interface NameForm {
  readonly form: string;
  readonly kind: FormKind;
  /** As it stands in the file. */
  readonly spelled: string;
}

export function formsOf({ id, type, name, aliases }: EntityRecord): NameForm[] {
  const forms = new Map<string, NameForm>();
  const add = (form: string, kind: FormKind, spelled: string): void => {
    if (form !== '' && !forms.has(form)) forms.set(form, { form, kind, spelled });
  };
  add(foldName(name), 'name', name);
  for (const alias of aliases) add(foldName(alias), 'alias', alias);
  add(foldName(id), 'id', id);
  if (type !== 'person') return [...forms.values()];
  for (const whole of [name, ...aliases]) {
    const folded = foldName(whole);
    const words = whole.split(/\s+/u);
    add(withoutTitle(folded), 'alias', whole);
    for (const part of partsOfName(folded)) add(part, 'part', words.find((word) => foldName(word) === part) ?? part);
  }
  return [...forms.values()];
}
