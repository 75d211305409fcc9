import type { EntityMention } from '../../../model/knowledge.ts';
import type { Scene } from '../kinds/finding.ts';
import { RELATION_NOUN } from './people.ts';
import { isPlaceName } from './lexicon.ts';
import { capitalise } from '../../../model/text.ts';

/** Capitalised words that name nothing. */
const NO_ENTITY = new Set(
  'i the a an and but so if ok yes no monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december'.split(
    ' ',
  ),
);
const MAX_ENTITIES = 12;
const INTRODUCED = new RegExp(`\\b(?:my|our) (?:new |little |older |younger )?${RELATION_NOUN},? (\\p{L}{2,})`, 'giu');

/** The entities a text mentions, under the names used there. */
export function entitiesIn(text: string, scene: Scene): EntityMention[] {
  const found = new Map<string, EntityMention>();
  const add = (entity: EntityMention): void => {
    const key = entity.name.toLowerCase();
    if (!found.has(key) && found.size < MAX_ENTITIES) found.set(key, entity);
  };
  const isNamed = namesIn(text);
  if (isNamed(scene.user)) add({ name: scene.user, type: 'person', isUser: true });
  for (const known of scene.conversation.known ?? []) if (isNamed(known.name)) add(known);
  const { project } = scene.conversation;
  if (project !== undefined && project !== '' && text.toLowerCase().includes(project.toLowerCase()))
    add({ name: project, type: 'project' });
  for (const [word] of text.matchAll(/\p{L}[\p{L}'-]*/gu)) {
    const name = scene.people.nameOf(word);
    if (name !== undefined) add({ name: fullName(name, text), type: 'person' });
    else if (isPlaceName(scene.lexicon, word) && (/^\p{Lu}/u.test(word) || word.length > 4))
      add({ name: capitalise(word), type: 'place' });
  }
  for (const [, name] of text.matchAll(INTRODUCED)) {
    if (name !== undefined && /^\p{Lu}/u.test(name)) add({ name, type: 'person' });
  }
  for (const [, code] of text.matchAll(/`([^`\s]{2,40})`/gu)) if (code !== undefined) add({ name: code, type: 'tool' });
  for (const { 0: name, index } of text.matchAll(/(?<![\p{L}\d'`.-])\p{Lu}[\p{L}\d]+(?: \p{Lu}[\p{L}\d]+)?/gu)) {
    const isFirst = index === 0 || /[.!?:(]\s*$/u.test(text.slice(0, index));
    const words = name.toLowerCase().split(' ');
    if (isFirst || words.some((word) => NO_ENTITY.has(word) || found.has(word))) continue;
    add({ name, type: 'concept' });
  }
  return [...found.values()];
}

/** Whether a text has a name in it, whatever its capitals, also at the end of a sentence and as an owner ("Ada's"). */
export function namesIn(text: string): (name: string) => boolean {
  const words = ` ${bare(text)} `;
  return (name) => {
    const own = bare(name);
    return own !== '' && (words.includes(` ${own} `) || words.includes(` ${own}'s `));
  };
}

function bare(text: string): string {
  const words = text
    .toLowerCase()
    .replaceAll('’', "'")
    .replaceAll(/[^\p{L}\p{N}'@._-]+/gu, ' ');
  return words.replaceAll(/[._'-]+(?= |$)/gu, '').trim();
}

/** "Jonas Weidel" where the text says so, else "Jonas". */
function fullName(first: string, text: string): string {
  const match = new RegExp(`\\b${first}\\s+(\\p{Lu}\\p{Ll}+)`, 'u').exec(text);
  return match?.[1] === undefined ? first : `${first} ${match[1]}`;
}
