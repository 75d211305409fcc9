import { z } from 'zod';
import { PUBLISHED_SCHEMAS } from '../../src/model/schemas/index.ts';

/** The JSON Schema of one published schema, as the text of its file: editors validate a person's YAML with it. */
export function jsonSchemaText(name: string, schema: z.ZodType): string {
  const body = z.toJSONSchema(schema, { io: 'input', target: 'draft-2020-12' });
  const { $schema, ...rest } = body;
  const described = { $schema, $id: `mneme/${name}.schema.json`, title: `Mneme ${name.replaceAll('-', ' ')}`, ...rest };
  return `${JSON.stringify(described, undefined, 2)}\n`;
}

/** Every published schema by file name. */
export function jsonSchemaFiles(): ReadonlyMap<string, string> {
  const entries = Object.entries(PUBLISHED_SCHEMAS);
  return new Map(entries.map(([name, schema]) => [`${name}.schema.json`, jsonSchemaText(name, schema)]));
}
