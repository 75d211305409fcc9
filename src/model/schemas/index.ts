import type { z } from 'zod';
import { identitySchema, memorySchema, referenceSchema, transcriptSchema, vaultSchema } from './frontmatter.ts';
import { entitySchema, relationsSchema } from './graph.ts';
import { itemMetadataSchema, memoryEntrySchema } from './item.ts';
import { procedureSchema } from './procedure.ts';
import { proposalSchema } from './proposal.ts';
import { episodeSchema, journalSchema } from './time.ts';
import { topicSchema } from './topic.ts';

/** The schema of each kind of file's frontmatter; unknown keys always survive. */
export const FRONTMATTER_SCHEMAS = {
  memory: memorySchema,
  identity: identitySchema,
  journal: journalSchema,
  episode: episodeSchema,
  entity: entitySchema,
  relations: relationsSchema,
  procedure: procedureSchema,
  topic: topicSchema,
  transcript: transcriptSchema,
  reference: referenceSchema,
  vault: vaultSchema,
  proposal: proposalSchema,
} as const;

export type FrontmatterKind = keyof typeof FRONTMATTER_SCHEMAS;
export type FrontmatterOf<K extends FrontmatterKind> = z.infer<(typeof FRONTMATTER_SCHEMAS)[K]>;

/** Everything that is published as JSON Schema, by file name. */
export const PUBLISHED_SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  ...FRONTMATTER_SCHEMAS,
  item: itemMetadataSchema,
  'memory-entry': memoryEntrySchema,
};

export interface SchemaProblem {
  /** Where in the frontmatter, such as `triggers[0].match`. */
  readonly at: string;
  /** The top-level key, to find its line; undefined when the whole is wrong. */
  readonly key: string | undefined;
  readonly message: string;
}

/** A key without a value (`aliases:`) is YAML null; people mean that it is absent. */
function withoutEmptyKeys(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}

export function checkFrontmatter(kind: FrontmatterKind, values: Readonly<Record<string, unknown>>): SchemaProblem[] {
  const given = withoutEmptyKeys(values);
  const result = FRONTMATTER_SCHEMAS[kind].safeParse(given);
  return result.success ? [] : result.error.issues.map((issue) => problemOf(issue, given));
}

/**
 * The typed frontmatter as far as it is valid: a wrong value is left out rather than failing the file, because a file
 * a person half edited must still be read. `checkFrontmatter` tells what was left out.
 */
export function readFrontmatter<K extends FrontmatterKind>(
  kind: K,
  values: Readonly<Record<string, unknown>> | undefined,
): Partial<FrontmatterOf<K>> {
  const shape: Readonly<Record<string, z.ZodType>> = FRONTMATTER_SCHEMAS[kind].shape;
  const valid: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(withoutEmptyKeys(values ?? {}))) {
    const schema = shape[key];
    const result = schema?.safeParse(value);
    if (result === undefined) valid[key] = value;
    else if (result.success) valid[key] = result.data;
  }
  return valid as Partial<FrontmatterOf<K>>;
}

function problemOf(issue: z.core.$ZodIssue, values: unknown): SchemaProblem {
  const key = issue.path[0];
  const missing = valueAt(values, issue.path) === undefined;
  return {
    at: formatPath(issue.path),
    key: key === undefined ? undefined : String(key),
    message: missing ? `is missing; it ${issue.message}` : issue.message,
  };
}

function valueAt(values: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => {
    return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
  }, values);
}

function formatPath(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${String(part)}`))
    .join('');
}
