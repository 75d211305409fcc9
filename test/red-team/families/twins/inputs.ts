import { z } from 'zod';
import type { Verb } from '../../../../src/operations/verb.ts';
import { FORMER, SCOPE, type Known } from './world.ts';

interface Field {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly items?: Field;
  readonly anyOf?: readonly Field[];
  readonly minimum?: number;
  readonly maximum?: number;
}

interface Schema {
  readonly properties?: Readonly<Record<string, Field | boolean>>;
  readonly required?: readonly string[];
}

type Input = Readonly<Record<string, unknown>>;

/** Which known value an input of this name takes; other names take none unless they must. */
const LIKE: Readonly<Record<string, string>> = {
  ids: 'id',
  item: 'id',
  target: 'path',
  paths: 'path',
  query: 'text',
  message: 'text',
  prompt: 'text',
  content: 'text',
  after: 'text',
  title: 'text',
  entity: 'entity',
  entities: 'entity',
  from: 'entity',
  into: 'to',
  file: 'file',
  topics: 'name',
  sessions: 'session',
  references: 'id',
  before: 'receipt',
};

function valueOf(key: string, field: Field, known: Readonly<Record<string, string>>, isRequired: boolean): unknown {
  const one = field.anyOf?.find(({ type, enum: choices }) => type !== undefined || choices !== undefined) ?? field;
  if (one.type === 'array') {
    const first = valueOf(key, one.items ?? {}, known, isRequired);
    return first === undefined ? undefined : [first];
  }
  if (one.enum !== undefined) return isRequired ? one.enum[0] : undefined;
  if (one.type === 'boolean') return isRequired ? false : undefined;
  if (one.type === 'number' || one.type === 'integer') return isRequired ? Math.max(1, one.minimum ?? 1) : undefined;
  if (one.type === 'object') return isRequired ? {} : undefined;
  return known[LIKE[key] ?? key] ?? (isRequired ? 'x' : undefined);
}

function build(schema: Schema, known: Readonly<Record<string, string>>, isFull: boolean): Input {
  const required = new Set(schema.required ?? []);
  const values = Object.entries(schema.properties ?? {}).flatMap(([key, field]) => {
    if (key === 'scope' || typeof field === 'boolean' || (!isFull && !required.has(key))) return [];
    // Everything, so that which hits are among the best few makes no difference.
    const value = key === 'limit' ? Math.min(field.maximum ?? ALL, ALL) : valueOf(key, field, known, required.has(key));
    return value === undefined ? [] : [[key, value] as const];
  });
  return Object.fromEntries(values);
}

const ALL = 200;

/** Every switch on, and some of every choice, one at a time. */
function turns(schema: Schema): Input[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, field]): Input[] => {
    if (typeof field === 'boolean') return [];
    if (field.type === 'boolean') return [{ [key]: true }];
    const choices = field.enum ?? field.items?.enum ?? [];
    return choices.slice(0, 3).map((choice) => ({ [key]: field.type === 'array' ? [choice] : choice }));
  });
}

/** Stands for a new path of the machine, which verbs that HTTP does not offer may write to. */
export const TARGET = 'a-new-path-of-this-machine';

function withTarget({ shared, hidden }: Known): Known {
  const target = { path: TARGET, file: TARGET };
  return { shared: { ...shared, ...target }, hidden: { ...hidden, ...target } };
}

/** What a file said when it was another scope's shows between then and now, and in whole records. */
function sinceFormer({ properties = {} }: Schema): Input {
  const isDiff = properties['from'] !== undefined && properties['paths'] !== undefined;
  return {
    ...(isDiff ? { from: FORMER.at } : {}),
    ...(properties['full'] === undefined ? {} : { full: true, text: undefined }),
  };
}

/** As many ways of asking as the schema of a verb has: about nothing, what is shared, what is hidden, and with every switch. */
export function inputsOf(verb: Verb, known: Known): Input[] {
  const { shared, hidden } = verb.http === false ? withTarget(known) : known;
  const schema = z.toJSONSchema(verb.input, { io: 'input', unrepresentable: 'any' }) as Schema;
  const takesScope = schema.properties?.['scope'] !== undefined;
  const least = build(schema, shared, false);
  const about = [build(schema, shared, true), build(schema, hidden, true), build(schema, hidden, false)];
  const scoped = takesScope
    ? [
        { ...about[0], scope: 'shared' },
        { ...about[1], scope: SCOPE },
      ]
    : [];
  const turned = turns(schema).map((turn) => ({ ...least, ...turn }));
  const takesPath = schema.properties?.['path'] !== undefined;
  const folder = takesPath && verb.effect === 'read' ? [{ ...least, path: 'memory' }] : [];
  const former = verb.effect === 'read' ? [{ ...build(schema, FORMER, true), ...sinceFormer(schema) }] : [];
  const all = [least, ...about, ...former, ...folder, ...scoped, ...turned];
  return [...new Map(all.map((input) => [JSON.stringify(input), input])).values()];
}
