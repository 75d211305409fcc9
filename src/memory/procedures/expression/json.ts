import { isRecord } from '../../../model/records.ts';
/** Values that actions take and give: anything that survives being written down. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Values that expressions and templates see: the run's input and the answers of earlier steps. */
export type Variables = Readonly<Record<string, Json>>;

/** A value inside another by its name; only what the value itself has, never what it inherits. */
export function memberOf(value: Json, key: string | number): Json {
  if (Array.isArray(value)) {
    const list: readonly Json[] = value;
    return typeof key === 'number' && Number.isInteger(key) ? (list.at(key) ?? null) : null;
  }
  if (!isRecord(value)) return null;
  return Object.hasOwn(value, String(key)) ? (value[String(key)] ?? null) : null;
}

/** As text inside a sentence. */
export function jsonText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
