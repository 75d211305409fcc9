import { z } from 'zod';
import { HttpProblem } from './problem.ts';

interface PropertySchema {
  readonly type?: string;
  readonly items?: PropertySchema;
  readonly anyOf?: readonly PropertySchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
}

/** Turns a query string into the input of an operation, by the types in its schema. */
export type QueryReader = (query: URLSearchParams) => Record<string, unknown>;

export function createQueryReader(input: z.ZodType): QueryReader {
  const { properties = {} } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as {
    properties?: Record<string, PropertySchema>;
  };
  const known = new Map(Object.entries(properties));
  return (query) => {
    const given: Record<string, unknown> = {};
    for (const name of new Set(query.keys())) {
      const schema = known.get(name);
      if (schema === undefined) {
        throw new HttpProblem('usage', `There is no option ${JSON.stringify(name.slice(0, 60))}.`, {
          hint: known.size === 0 ? 'It takes none.' : `It takes ${[...known.keys()].join(', ')}.`,
        });
      }
      // Skipped, because an assignment to `__proto__` would be lost; no operation has such an option.
      given[name] = readValue(schema, query.getAll(name));
    }
    return given;
  };
}

function readValue(schema: PropertySchema, values: readonly string[]): unknown {
  const types = typesOf(schema);
  if (types.includes('array')) return values.map((value) => readOne(itemOf(schema), value));
  const [value = '', ...more] = values;
  // Named twice where one is meant: the operation says what it expects.
  return more.length > 0 ? values : readOne(schema, value);
}

/** Leaves a value that does not fit its type as it is, for the operation to report in its own words. */
function readOne(schema: PropertySchema, value: string): unknown {
  const types = typesOf(schema);
  if (types.includes('string')) return value;
  if ((types.includes('number') || types.includes('integer')) && /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/iu.test(value)) {
    return Number(value);
  }
  if (types.includes('boolean') && (value === 'true' || value === 'false')) return value === 'true';
  if (types.includes('null') && value === 'null') return null;
  return value;
}

function typesOf(schema: PropertySchema): readonly string[] {
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap(typesOf);
  if (schema.type !== undefined) return [schema.type];
  const values = schema.enum ?? (schema.const === undefined ? [] : [schema.const]);
  return values.map((value) => (value === null ? 'null' : typeof value));
}

function itemOf({ items, anyOf = [] }: PropertySchema): PropertySchema {
  return items ?? anyOf.find((one) => one.items !== undefined)?.items ?? {};
}
