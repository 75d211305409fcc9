import { parseDocument } from '../../../workspace/markdown/document.ts';
import type { ImportedEntity, ImportedFact, ImportedRelation } from './port.ts';
import { typeName } from './server-memory.ts';

/** The statements of a note in a basic-memory vault: observations about its subject, and its relations. */
export interface VaultNote {
  readonly entity: ImportedEntity;
  readonly permalink: string | undefined;
  readonly relations: readonly ImportedRelation[];
}

/** `- [category] text`; a box to tick, or a link, is none. */
const OBSERVATION = /^\s*[-*+]\s+\[([^[\]()]{2,60})\]\s+(\S.*)$/u;
/** `- relation [[Target]]`, with nothing but a remark behind it. */
const RELATION = /^\s*[-*+]\s+([\p{L}\p{N}_ -]{2,50}?)\s*\[\[([^[\]]+)\]\]\s*(?:\([^)]*\))?\s*$/u;
const TAG = /(?:^|\s)#([\p{L}\p{N}_/-]+)/gu;
const FENCE = /^\s*(?:```|~~~)/u;

/** Notes without observations, and without the address such a vault gives each, state nothing in this way. */
export function parseVaultNote(text: string, stem: string): VaultNote | undefined {
  const document = parseDocument(text);
  const values = document.frontmatter?.values ?? {};
  const title = textOf(values['title']) ?? stem;
  const facts: ImportedFact[] = [];
  const relations: ImportedRelation[] = [];
  let isCode = false;
  for (const line of text.split(/\r?\n/u)) {
    if (FENCE.test(line)) isCode = !isCode;
    if (isCode) continue;
    const observation = OBSERVATION.exec(line);
    if (observation !== null) facts.push(factOf(observation[1] ?? '', observation[2] ?? ''));
    const relation = observation === null ? RELATION.exec(line) : null;
    if (relation !== null) {
      relations.push({ from: title, relation: (relation[1] ?? '').trim(), to: targetOf(relation[2] ?? '') });
    }
  }
  const permalink = textOf(values['permalink']);
  if (facts.length === 0 && (permalink === undefined || relations.length === 0)) return undefined;
  const tags = Array.isArray(values['tags']) ? values['tags'].map(String) : [];
  return { entity: { name: title, type: typeName(textOf(values['type'])), tags, facts }, permalink, relations };
}

function factOf(category: string, text: string): ImportedFact {
  const tags = [...text.matchAll(TAG)].map((match) => match[1] ?? '');
  const words = text.replaceAll(TAG, '').replaceAll(/\s+/gu, ' ').trim();
  return { text: words === '' ? text : words, category: category.trim().toLowerCase(), tags };
}

/** `folder/Note#heading|shown` means the note. */
function targetOf(link: string): string {
  return link.split('|', 1)[0]?.split('#', 1)[0]?.trim() ?? link;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** Targets named by their address become the titles of the notes that are meant. */
export function resolveTargets(notes: readonly VaultNote[]): ImportedRelation[] {
  const titles = new Map<string, string>();
  for (const { entity, permalink } of notes) {
    titles.set(entity.name.toLowerCase(), entity.name);
    if (permalink !== undefined) titles.set(permalink.toLowerCase(), entity.name);
  }
  const find = (target: string): string =>
    titles.get(target.toLowerCase()) ?? titles.get(lastName(target).toLowerCase()) ?? lastName(target);
  return notes.flatMap(({ relations }) => relations.map((relation) => ({ ...relation, to: find(relation.to) })));
}

function lastName(target: string): string {
  return target.split('/').at(-1) ?? target;
}
