import { z } from 'zod';
import { MnemeError } from '../errors.ts';
import { describeAllowed, type JsonSchema } from './values.ts';
import { configSchema } from './schema.ts';
import { describeRemoved, isRemovedSection } from './removed.ts';

/** One setting, by its dotted name. */
export interface ConfigKey {
  readonly key: string;
  readonly default: unknown;
  /** In words: "a whole number from 1 to 20". */
  readonly allowed: string;
  readonly description: string;
  readonly schema: JsonSchema;
}

/** A group of settings; the top level is the section ''. */
export interface ConfigSection {
  readonly name: string;
  readonly description: string;
  /** The section's own keys, without those of the sections inside it. */
  readonly keys: readonly ConfigKey[];
}

/** No setting has a longer name, so nothing longer is a misspelling of one. */
const LONGEST_NAME = 80;

let sections: readonly ConfigSection[] | undefined;
let keysByName: ReadonlyMap<string, ConfigKey> | undefined;

/** All sections in the order of the schema, derived once: most runs never need them. */
export function listSections(): readonly ConfigSection[] {
  sections ??= collectSections('', z.toJSONSchema(configSchema(), { io: 'input' }));
  return sections;
}

export function listKeys(): readonly ConfigKey[] {
  return [...allKeys().values()];
}

export function findKey(key: string): ConfigKey | undefined {
  return allKeys().get(key) ?? findEntry(key);
}

/** The names that a table's entries may have; undefined for other settings, and for tables that take any name. */
export function entryNames({ schema }: ConfigKey): readonly unknown[] | undefined {
  return (schema.propertyNames as JsonSchema | undefined)?.enum;
}

/** One entry of a table that knows its names, such as `scheduler.daily`: it can be set like a setting of its own. */
function findEntry(key: string): ConfigKey | undefined {
  const dot = key.lastIndexOf('.');
  const table = allKeys().get(key.slice(0, dot));
  const word = key.slice(dot + 1);
  if (table === undefined || entryNames(table)?.includes(word) !== true) return undefined;
  const schema = table.schema.additionalProperties as JsonSchema;
  const usual = (table.schema['defaults'] as Readonly<Record<string, unknown>> | undefined)?.[word] ?? null;
  return { key, default: usual, allowed: describeAllowed(schema), description: table.description, schema };
}

export function isSection(name: string): boolean {
  return name !== '' && listSections().some((section) => section.name === name);
}

/** The setting of that name, or an error that names the one probably meant. */
export function getKey(key: string): ConfigKey {
  const found = findKey(key);
  if (found !== undefined) return found;
  if (isSection(key)) {
    const example = listKeys().find((candidate) => candidate.key.startsWith(`${key}.`));
    throw new MnemeError('usage', `${key} is a section, not a single setting.`, {
      hint: `Name one of its keys, such as ${example?.key ?? key}.`,
    });
  }
  throw unknownKeyError(key);
}

/** The advice about a setting of an earlier version. */
export const REMOVED_HINT = '`mneme config unset KEY` takes it out of mneme.yaml.';

export function unknownKeyError(key: string): MnemeError {
  const removed = isRemovedSection(key) ? `"${key}" is no longer a section of settings.` : describeRemoved(key);
  if (removed !== undefined) return new MnemeError('usage', removed, { hint: REMOVED_HINT });
  return new MnemeError('not-found', `There is no setting ${key}.`, { hint: suggestionFor(key) });
}

/** The advice about an unknown key, as a sentence. */
export function suggestionFor(key: string): string {
  const meant = suggestKey(key);
  return meant === undefined ? 'See `mneme config list` for all settings.' : `Did you mean ${meant}?`;
}

/** The setting or section probably meant: the same last word elsewhere, or a near spelling. */
export function suggestKey(key: string): string | undefined {
  const wanted = key.toLowerCase().replaceAll('-', '_');
  const names = [...allKeys().keys(), ...listSections().map((section) => section.name)].filter((name) => name !== '');
  const sameEnd = names.filter((name) => lastWord(name) === lastWord(wanted));
  if (sameEnd.length === 1) return sameEnd[0];
  return nearest(wanted, sameEnd.length > 0 ? sameEnd : names);
}

function allKeys(): ReadonlyMap<string, ConfigKey> {
  keysByName ??= new Map(listSections().flatMap((section) => section.keys.map((key) => [key.key, key])));
  return keysByName;
}

function collectSections(name: string, schema: JsonSchema): readonly ConfigSection[] {
  const keys: ConfigKey[] = [];
  const inner: ConfigSection[] = [];
  for (const [word, property] of Object.entries(schema.properties ?? {})) {
    if (typeof property === 'boolean') continue;
    const key = name === '' ? word : `${name}.${word}`;
    const description = property.description ?? '';
    if (property.properties !== undefined) inner.push(...collectSections(key, property));
    else
      keys.push({ key, default: property.default, allowed: describeAllowed(property), description, schema: property });
  }
  return [{ name, description: schema.description ?? '', keys }, ...inner];
}

function lastWord(key: string): string {
  return key.slice(key.lastIndexOf('.') + 1);
}

function nearest(wanted: string, names: readonly string[]): string | undefined {
  if (wanted.length > LONGEST_NAME) return undefined;
  const farthest = Math.max(2, Math.floor(wanted.length / 4));
  const ranked = names
    .flatMap((name) => [
      { name, spelling: name, penalty: 0 },
      { name, spelling: lastWord(name), penalty: 1 },
    ])
    // The difference in length alone rules most names out, which keeps a file full of unknown keys cheap.
    .filter(({ spelling }) => Math.abs(spelling.length - wanted.length) <= farthest)
    .map(({ name, spelling, penalty }) => ({ name, distance: editDistance(wanted, spelling) + penalty }))
    .filter(({ distance }) => distance <= farthest)
    .sort((left, right) => left.distance - right.distance || (left.name < right.name ? -1 : 1));
  return ranked[0]?.name;
}

/** Levenshtein distance, one row at a time. */
function editDistance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const replace = (previous[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1);
      current.push(Math.min(replace, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[right.length] ?? 0;
}
