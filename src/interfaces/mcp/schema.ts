import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { z } from 'zod';

export type JsonObject = Readonly<Record<string, unknown>>;

/** Keys that a validator does not need: every conversation of every client pays for each character of the tool list. */
const DISPENSABLE: ReadonlySet<string> = new Set([
  '$schema',
  'additionalProperties',
  'default',
  'minLength',
  'minItems',
  'maxItems',
  'minimum',
  'maximum',
  'maxLength',
]);

/** The listed parameters of an input, each with its own words for a model. */
export function describeInput(
  input: z.ZodObject,
  listed: Readonly<Record<string, string>>,
  necessary: readonly string[] = [],
): JsonObject {
  const all = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
  const properties = Object.entries(listed).map(([name, description]) => {
    const schema = withoutDescription(slim(all.properties?.[name] ?? {}) as JsonObject);
    return [name, description === '' ? schema : { ...schema, description }] as const;
  });
  const required = [...necessary, ...(all.required ?? []).filter((name) => Object.hasOwn(listed, name))];
  return { type: 'object', properties: Object.fromEntries(properties), ...(required.length > 0 ? { required } : {}) };
}

export function parametersOf(input: z.ZodObject): Readonly<Record<string, JsonObject>> {
  const { properties = {} } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
  return properties as Record<string, JsonObject>;
}

/**
 * A schema for the tool list only. The tool itself reads its arguments, because it takes more names than it lists and
 * explains what is wrong in our own words.
 */
export function listedSchema(json: JsonObject): StandardSchemaWithJSON<Record<string, unknown>> {
  return {
    '~standard': {
      version: 1,
      vendor: 'mneme',
      validate: (value) => ({ value: value as Record<string, unknown> }),
      jsonSchema: { input: () => ({ ...json }), output: () => ({ ...json }) },
    },
  };
}

function slim(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(slim);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => !DISPENSABLE.has(key));
  return Object.fromEntries(kept.map(([key, inner]) => [key, slim(inner)]));
}

function withoutDescription(schema: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== 'description'));
}
