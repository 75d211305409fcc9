import { serializeHead } from '../../workspace/markdown/document.ts';
import { countLines } from '../../workspace/markdown/lines.ts';
import { parseEntity, type Entity } from '../../workspace/formats/entity.ts';
import type { IndexedEntity, Passage } from '../passage.ts';
import { chunkBlocks, type SectionTypes } from './blocks.ts';
import { oneLineOf, passagesOf, provenanceOf } from './draft.ts';
import { frameOf, type FileFrame, type FrameInput } from './frame.ts';
import type { ChunkedFile } from './transcript.ts';

const ENTITY_TYPES: SectionTypes = new Map([
  ['summary', 'summary'],
  ['facts', 'fact'],
  ['timeline', 'event'],
  ['open questions', 'question'],
  ['goals and tasks', 'task'],
  ['goals', 'task'],
  ['tasks', 'task'],
  ['decisions', 'decision'],
  ['key decisions', 'decision'],
  ['relations', 'relation'],
]);

const MAX_PROPERTY_CHARS = 400;

export function chunkEntity(input: FrameInput): ChunkedFile & { readonly entity: IndexedEntity } {
  const entity = parseEntity(input.document, input.path.replace(/\.gz$/iu, ''));
  const frame = frameOf({ ...input, name: entity.name });
  const about = [entity.id];
  const passages = chunkBlocks(frame, frame.blocks, {
    type: 'note',
    sectionTypes: ENTITY_TYPES,
    trailHead: entity.name,
    day: frame.day,
    timeMs: frame.timeMs,
    about,
  });
  return {
    scope: input.scope,
    title: entity.name,
    session: undefined,
    passages: [...chunkProperties(entity, frame), ...passages],
    entity: {
      id: entity.id,
      name: entity.name,
      type: entity.type,
      aliases: entity.frontmatter.aliases ?? [],
      edges: entity.relations
        .filter(({ isSuperseded }) => !isSuperseded)
        .map(({ relation, target }) => ({ relation, to: target })),
    },
  };
}

/** Properties stand in the frontmatter, but "when is her birthday?" asks for one like for any other fact. */
function chunkProperties(entity: Entity, frame: FileFrame): Passage[] {
  const stated = Object.entries(entity.frontmatter.properties ?? {});
  const text = stated.map(([name, value]) => `${name.replaceAll('_', ' ')}: ${valueText(value)}`).join('\n');
  if (text === '') return [];
  const draft = {
    id: entity.id,
    text,
    lead: entity.name,
    day: '',
    startLine: 1,
    endLine: Math.max(1, countLines(serializeHead(frame.document))),
    type: 'fact',
    timeMs: frame.timeMs,
    speaker: undefined,
    ...provenanceOf({}, frame.defaults, frame.tags),
    about: [entity.id],
  };
  return passagesOf(draft, frame.context);
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return oneLineOf(value.map(valueText).join(', '), MAX_PROPERTY_CHARS);
  const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
  return oneLineOf(text, MAX_PROPERTY_CHARS);
}
