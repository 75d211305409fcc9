import type { Contradiction } from '../../memory/graph/contradictions.ts';
import type { Episode } from '../../memory/episodes/read-episodes.ts';
import type { EntityRecord } from '../../memory/stores/registry/entity-record.ts';
import type { Entity } from '../../workspace/formats/entity.ts';
import type { PastReflection } from './log.ts';

/** An entity in whose file something changed since the last reflection. */
export interface LookedAt {
  readonly record: EntityRecord;
  readonly entity: Entity;
  /** Whether its file changed since; the user's is looked at all the same. */
  readonly isChanged: boolean;
}

/** The input of a reflection; everything below judges only from here. */
export interface Survey {
  readonly number: number;
  /** `YYYY-MM-DD` in the home's zone. */
  readonly today: string;
  /** The day of the last reflection; '' when this is the first. */
  readonly since: string;
  readonly episodes: readonly Episode[];
  readonly entities: readonly LookedAt[];
  /** `Vera works-at Harbour Ltd`: edges that are new. */
  readonly connections: readonly string[];
  readonly contradictions: readonly Contradiction[];
  readonly past: readonly PastReflection[];
}

/** A statement with the name of whom it is about. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** Statements learned since the last reflection that still hold. */
export function learnedOf({ entities, since }: Survey): Statement[] {
  return entities
    .filter(({ isChanged }) => isChanged)
    .flatMap(({ record, entity }) =>
      entity.facts
        .filter(
          ({ isSuperseded, meta }) => !isSuperseded && (meta.learned ?? '') >= since && meta.learned !== undefined,
        )
        .map(({ text }) => ({ name: record.name, text })),
    );
}

/** Beliefs that no longer hold. */
export function revisedOf({ entities, since }: Survey): Statement[] {
  return entities
    .filter(({ isChanged }) => isChanged)
    .flatMap(({ record, entity }) =>
      entity.facts
        .filter(({ isSuperseded, meta }) => isSuperseded && meta.until !== undefined && meta.until >= since)
        .map(({ text }) => ({ name: record.name, text })),
    );
}

const MAX_THEMES = 3;

/** The themes since the last reflection: tags of what happened, and entities with new statements. */
export function themesOf(survey: Survey): string[] {
  const weights = new Map<string, number>();
  const add = (theme: string, weight: number): void => {
    weights.set(theme, (weights.get(theme) ?? 0) + weight);
  };
  for (const { meta } of survey.episodes) for (const tag of meta.tags ?? []) add(tag, 1);
  const others = survey.entities.filter(({ record }) => !record.isUser);
  for (const { name } of learnedOf({ ...survey, entities: others })) add(name, 1);
  return [...weights]
    .toSorted(([one, low], [other, high]) => high - low || one.localeCompare(other))
    .slice(0, MAX_THEMES)
    .map(([theme]) => theme.replaceAll(/[,;|]/gu, ' '));
}
