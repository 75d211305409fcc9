import fs from 'node:fs';
import path from 'node:path';
import { parseCore, type CoreBlockName } from '../../src/workspace/formats/core.ts';
import { parseEntity, type Entity } from '../../src/workspace/formats/entity.ts';
import { parseDocument } from '../../src/workspace/markdown/document.ts';

export const STORES = [
  'identity',
  'persona',
  'critical',
  'preference',
  'procedure',
  'person-fact',
  'project-fact',
  'decision',
  'task',
  'episode',
  'vault',
] as const;
export type RequestStore = (typeof STORES)[number];

const BLOCKS: Readonly<Partial<Record<RequestStore, CoreBlockName>>> = {
  identity: 'Identity',
  persona: 'Persona',
  critical: 'Critical Facts',
};

/** What a home says in each of the places: one text for each entry, with the name of the page it stands on. */
export function createContentReader(workspace: string): (store: RequestStore) => readonly string[] {
  const read = (file: string): string => fs.readFileSync(path.join(workspace, file), 'utf8');
  const core = parseCore(parseDocument(read('MEMORY.md')));
  const entities = filesIn(workspace, 'memory/graph/entities').map((file) =>
    parseEntity(parseDocument(read(file)), file),
  );
  const named = ({ name }: Entity, items: readonly { readonly text: string }[]): string[] =>
    items.map(({ text }) => `${name}: ${text}`);
  return (store) => {
    const block = BLOCKS[store];
    if (block !== undefined) return core.blocks[block].map(({ text }) => text);
    switch (store) {
      case 'procedure':
        return filesIn(workspace, 'memory/procedures').map(read);
      case 'episode':
        return filesIn(workspace, 'memory/episodes').map(read);
      case 'vault':
        return filesIn(workspace, 'memory/vault').map(read);
      case 'decision':
        return entities.flatMap((entity) => named(entity, entity.decisions));
      case 'task':
        return entities.flatMap((entity) => named(entity, entity.tasks));
      case 'preference':
        return entities.filter(isUsers).flatMap((entity) =>
          named(
            entity,
            entity.facts.filter(({ meta }) => meta.category === 'preference'),
          ),
        );
      case 'person-fact':
        return entities.filter((entity) => entity.type === 'person' && !isUsers(entity)).flatMap(factsOf);
      default:
        return entities.filter(({ type }) => type !== 'person').flatMap(factsOf);
    }
  };
  function factsOf(entity: Entity): string[] {
    return named(entity, entity.facts);
  }
}

function isUsers({ id, frontmatter }: Entity): boolean {
  return id === 'person--user' || (frontmatter.tags ?? []).includes('user');
}

function filesIn(workspace: string, folder: string): string[] {
  const place = path.join(workspace, folder);
  if (!fs.existsSync(place)) return [];
  return fs
    .readdirSync(place, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => path.join(folder, file));
}
