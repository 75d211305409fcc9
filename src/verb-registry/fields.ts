import { z } from 'zod';

/** One key of a verb's input, as the command line needs to know it. */
export interface Field {
  readonly key: string;
  readonly kind: 'flag' | 'number' | 'integer' | 'text' | 'list' | 'record' | 'other';
  readonly isRequired: boolean;
  /** True where a flag is on by default: it is offered as `--no-…`. */
  readonly isOn: boolean;
  readonly help: string;
  /** The kind of a list's members. */
  readonly members: Field['kind'] | undefined;
  /** The values of an enum, or of the members of a list. */
  readonly choices: readonly string[] | undefined;
}

/** The keys of a verb's input in the order of its schema. */
export function fieldsOf(schema: z.ZodType): readonly Field[] {
  const object = unwrap(schema).inner;
  if (!(object instanceof z.ZodObject)) return [];
  return Object.entries(object.shape as Record<string, z.ZodType>).map(([key, field]) => describeField(key, field));
}

function describeField(key: string, schema: z.ZodType): Field {
  const { inner, isRequired, isOn, help } = unwrap(schema);
  const kind = kindOf(inner);
  const member = inner instanceof z.ZodArray ? unwrap(inner.element as z.ZodType).inner : undefined;
  const members = member === undefined ? undefined : kindOf(member);
  return { key, kind, isRequired, isOn, help, members, choices: choicesOf(member ?? inner) };
}

interface Unwrapped {
  readonly inner: z.ZodType;
  readonly isRequired: boolean;
  readonly isOn: boolean;
  readonly help: string;
}

/** Takes off what surrounds a type: optional, default, nullable, transformations. */
function unwrap(given: z.ZodType): Unwrapped {
  let schema = given;
  let isRequired = true;
  let isOn = false;
  let help = given.description ?? '';
  for (;;) {
    help = help === '' ? (schema.description ?? '') : help;
    if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) {
      isRequired = false;
      if (schema instanceof z.ZodDefault) isOn = schema.def.defaultValue === true;
      schema = schema.def.innerType as z.ZodType;
    } else if (schema instanceof z.ZodNullable || schema instanceof z.ZodReadonly) {
      schema = schema.def.innerType as z.ZodType;
    } else if (schema instanceof z.ZodPipe) {
      // A transformation in front (`preprocess`) takes anything: what is behind it says what is meant.
      const isPreprocessed = schema.def.in instanceof z.ZodTransform;
      schema = (isPreprocessed ? schema.def.out : schema.def.in) as z.ZodType;
    } else {
      if (schema instanceof z.ZodUnknown) isRequired = false;
      return { inner: schema, isRequired, isOn, help };
    }
  }
}

function kindOf(schema: z.ZodType): Field['kind'] {
  if (schema instanceof z.ZodBoolean) return 'flag';
  if (schema instanceof z.ZodNumber) return schema.format === null ? 'number' : 'integer';
  if (schema instanceof z.ZodArray) return 'list';
  if (schema instanceof z.ZodRecord) return 'record';
  return schema instanceof z.ZodString || schema instanceof z.ZodEnum || schema instanceof z.ZodLiteral
    ? 'text'
    : 'other';
}

function choicesOf(schema: z.ZodType): readonly string[] | undefined {
  return schema instanceof z.ZodEnum ? schema.options.map(String) : undefined;
}
