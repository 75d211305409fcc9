import type { z } from 'zod';

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Says in words what a value may be, for error messages and the reference. */
export function describeAllowed(schema: JsonSchema): string {
  if (typeof schema['allowed'] === 'string') return schema['allowed'];
  if (schema.anyOf !== undefined) return schema.anyOf.map((option) => describeOption(option)).join(', or ');
  if (schema.enum !== undefined) return listOr(schema.enum.map(String));
  switch (schema.type) {
    case 'null':
      return 'null';
    case 'boolean':
      return 'true or false';
    case 'integer':
      return `a whole number${describeRange(schema)}`;
    case 'number':
      return `a number${describeRange(schema)}`;
    default:
      return 'text';
  }
}

/** "a, b or c" */
function listOr(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

function describeOption(option: JsonSchema | boolean): string {
  return typeof option === 'boolean' ? 'anything' : describeAllowed(option);
}

function describeRange({ minimum, maximum }: JsonSchema): string {
  // zod bounds every whole number by what JavaScript can count exactly; that is no limit worth telling.
  const top = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? undefined : maximum;
  if (minimum === undefined) return top === undefined ? '' : ` up to ${top}`;
  return top === undefined ? ` from ${minimum}` : ` from ${minimum} to ${top}`;
}
