import { type Candidate, type EntityMention, UNNAMED_USER, realName } from '../model/knowledge.ts';
import { planAdd } from '../memory/stores/entities/add.ts';
import { type Plan, type StoreParts, refuseDamaged } from '../memory/stores/plan.ts';
import type { EntityRecord } from '../memory/stores/registry/entity-record.ts';
import type { EntityRegistry } from '../memory/stores/registry/registry.ts';

/** The entity in whose file a statement belongs, and what has to be written for it to be there. */
export interface Whose {
  readonly entity: EntityRecord;
  readonly plans: readonly Plan<unknown>[];
}

/** A name that fits two entities: no owner is guessed. */
export interface Ambiguous {
  readonly entity: undefined;
  readonly reason: string;
}

/** Kinds of things that get a file as soon as something is known of them; a tool or place mentioned once does not. */
const ADDED_AT_ONCE: ReadonlySet<string> = new Set(['person', 'project', 'organization']);

/** Kinds that are about the project being worked on when they name no subject. */
const OF_THE_PROJECT: ReadonlySet<Candidate['kind']> = new Set(['decision', 'lesson', 'fact', 'task', 'correction']);

export interface Setting {
  readonly user: string | undefined;
  readonly project: string | undefined;
}

export function findWhose(
  parts: StoreParts,
  registry: EntityRegistry,
  candidate: Candidate,
  { user, project }: Setting,
): Whose | Ambiguous {
  const { subject, kind, statement } = candidate;
  if (subject !== undefined && subject.isUser !== true) {
    const resolution = registry.resolve(subject.name, { type: subject.type, context: statement });
    if (resolution.kind === 'entity') return { entity: resolution.entity, plans: [] };
    if (resolution.kind === 'candidates' && subject.type === 'person') {
      return { entity: undefined, reason: `"${subject.name}" ${resolution.reason}` };
    }
    if (resolution.kind === 'none' && ADDED_AT_ONCE.has(subject.type)) return added(parts, registry, subject);
  }
  if (subject?.isUser !== true && project !== undefined && OF_THE_PROJECT.has(kind)) {
    return theProject(parts, registry, project);
  }
  return findUser(parts, registry, user);
}

function added(parts: StoreParts, registry: EntityRegistry, { name, type, isUser }: EntityMention): Whose {
  const plan = planAdd(parts, registry, { name, type, isUser });
  return { entity: plan.entity, plans: [plan] };
}

function theProject(parts: StoreParts, registry: EntityRegistry, project: string): Whose {
  const resolution = registry.resolve(project, { type: 'project' });
  if (resolution.kind === 'entity') return { entity: resolution.entity, plans: [] };
  const plan = planAdd(parts, registry, { name: project, type: 'project', status: 'active' });
  return { entity: plan.entity, plans: [plan] };
}

/** Finds the user, with or without a name: the file is called `person--user` until one is known. */
export function findUser(parts: StoreParts, registry: EntityRegistry, user: string | undefined): Whose {
  const known = registry.findUser();
  if (known !== undefined) return { entity: known, plans: [] };
  refuseWhileUnknown(registry);
  const name = realName(user);
  const resolution = name === undefined ? undefined : registry.resolve(name, { type: 'person' });
  if (resolution?.kind === 'entity') return { entity: resolution.entity, plans: [] };
  return added(parts, registry, { name: name ?? UNNAMED_USER, type: 'person', isUser: true });
}

/** A file that cannot be read may be the user's: another one would divide what is known of them. */
function refuseWhileUnknown(registry: EntityRegistry): void {
  const damaged = registry.all().find(({ type, scope, damage }) => {
    return damage !== undefined && type === 'person' && scope === 'shared';
  });
  if (damaged !== undefined) refuseDamaged(damaged.path, damaged.damage);
}
