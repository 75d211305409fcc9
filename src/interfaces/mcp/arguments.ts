import { parseJson } from '../../model/parse-json.ts';

/** Arguments as models really send them: under other names, numbers as text, lists as one string, null for nothing. */

/** The part of a JSON Schema that says how to read a value. */
export interface ParameterSchema {
  readonly type?: unknown;
  readonly anyOf?: readonly ParameterSchema[];
}

export interface ArgumentRules {
  readonly parameters: Readonly<Record<string, ParameterSchema>>;
  /** Other names of a parameter; case, `_` and `-` never matter. */
  readonly aliases: Readonly<Record<string, readonly string[]>>;
}

export interface ReadArguments {
  readonly values: Readonly<Record<string, unknown>>;
  /** Names that mean nothing here; the caller is told, so that a filter that did nothing is not taken for one that did. */
  readonly ignored: readonly string[];
}

/** An exact name wins over an alias, and an earlier alias over a later one. */
export function readArguments(given: Readonly<Record<string, unknown>>, rules: ArgumentRules): ReadArguments {
  const names = Object.keys(given).filter((name) => given[name] !== null && given[name] !== undefined);
  const values: Record<string, unknown> = {};
  const used = new Set<string>();
  for (const [parameter, schema] of Object.entries(rules.parameters)) {
    for (const alias of [parameter, ...(rules.aliases[parameter] ?? [])]) {
      const name = names.find((candidate) => candidate === alias) ?? names.find((name) => fold(name) === fold(alias));
      if (name === undefined || used.has(name)) continue;
      used.add(name);
      if (!Object.hasOwn(values, parameter)) values[parameter] = readValue(given[name], typeOf(schema));
    }
  }
  return { values, ignored: names.filter((name) => !used.has(name)) };
}

function fold(name: string): string {
  return name.replaceAll(/[_-]/gu, '').toLowerCase();
}

function typeOf({ type, anyOf = [] }: ParameterSchema): string | undefined {
  if (typeof type === 'string') return type;
  return anyOf.map(typeOf).find((inner) => inner !== undefined && inner !== 'null');
}

/** Leaves a value that does not fit the type as it is; the schema then reports the error. */
function readValue(value: unknown, type: string | undefined): unknown {
  if (type === 'array') return readList(value);
  if (typeof value !== 'string') {
    return type === 'string' && (typeof value === 'number' || typeof value === 'boolean') ? String(value) : value;
  }
  const trimmed = value.trim();
  if (type === 'boolean' && /^(?:true|false)$/iu.test(trimmed)) return trimmed.toLowerCase() === 'true';
  const isNumeric = (type === 'number' || type === 'integer') && /^-?\d+(?:\.\d+)?$/u.test(trimmed);
  return isNumeric ? Number(trimmed) : value;
}

function readList(value: unknown): unknown {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'string') return [value];
  const trimmed = value.trim();
  if (trimmed.startsWith('[')) {
    const parsed = parseJson(trimmed);
    if (Array.isArray(parsed)) return parsed;
  }
  return trimmed
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
