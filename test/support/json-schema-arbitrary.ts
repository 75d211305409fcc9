import * as fc from 'fast-check';
import { z } from 'zod';

interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly additionalProperties?: Schema | boolean;
}

/** Words that lead somewhere, and words that should lead nowhere. */
const WORDS = [
  'MEMORY.md',
  'memory/episodes/2026-02-16.md',
  '../../etc/passwd',
  '/etc/passwd',
  '..%2f..%2fetc',
  'a\u0000b',
  'ses_abc',
  't1',
  'last',
  'yesterday',
  '2026-02-16',
  'reflection',
  'Ada',
  'shared',
  'user:ada',
  '__proto__',
  'constructor',
  '-rf',
  '--output=x',
  '🙂',
  '\ud800',
  ' ',
  '',
];

/** Inputs of an operation, made from the schema it is documented with: mostly fitting, sometimes not. */
export function arbitraryInput(input: z.ZodType): fc.Arbitrary<Record<string, unknown>> {
  const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as Schema;
  const fitting = objectOf(schema, 0);
  const wild = fc.dictionary(fc.string({ maxLength: 12 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 });
  return fc.oneof(
    { weight: 8, arbitrary: fitting },
    { weight: 1, arbitrary: fc.tuple(fitting, wild).map(([one, other]) => ({ ...one, ...other })) },
  );
}

function objectOf(schema: Schema, depth: number): fc.Arbitrary<Record<string, unknown>> {
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants !== undefined) return fc.oneof(...variants.map((variant) => objectOf(variant, depth)));
  const { properties = {}, required = [] } = schema;
  const model = Object.fromEntries(Object.entries(properties).map(([name, own]) => [name, valueOf(own, depth + 1)]));
  return fc.record(model, { requiredKeys: required.filter((name) => name in model) });
}

function valueOf(schema: Schema, depth: number): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants !== undefined) return fc.oneof(...variants.map((variant) => valueOf(variant, depth)));
  if (depth > 4) return fc.constant(null);
  switch (schema.type) {
    case 'string':
      return fc.oneof(
        fc.constantFrom(...WORDS),
        fc.string({ minLength: schema.minLength ?? 0, maxLength: 40, unit: 'grapheme' }),
      );
    case 'integer':
      return fc.integer({ min: Math.max(schema.minimum ?? -2, -2), max: Math.min(schema.maximum ?? 40, 40) });
    case 'number':
      return fc.double({ min: schema.minimum ?? -1, max: schema.maximum ?? 100, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(valueOf(schema.items ?? {}, depth + 1), { maxLength: 3 });
    case 'object':
      return schema.properties === undefined
        ? fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 2 })
        : objectOf(schema, depth);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}
