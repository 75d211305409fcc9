import { isDeepStrictEqual } from 'node:util';
import { isSection, listKeys, unknownKeyError, findKey } from '../../model/config/keys.ts';
import type { Config } from '../../model/config/schema.ts';
import { valueAt } from './tree.ts';
import { readYaml } from './yaml-source.ts';

export interface ConfigEntry {
  readonly key: string;
  readonly value: unknown;
  readonly default: unknown;
  readonly isDefault: boolean;
  /** Where mneme.yaml sets it; undefined when it does not. */
  readonly line: number | undefined;
  readonly allowed: string;
  readonly description: string;
}

/** The value in effect of a setting, or of a whole section. */
export function getConfigValue(config: Config, key: string): unknown {
  const info = findKey(key);
  if (info === undefined && !isSection(key)) throw unknownKeyError(key);
  // An entry that a table does not name has its usual value.
  return valueAt(config, key.split('.')) ?? info?.default;
}

/** Every setting with its value in effect; the text tells which of them the file sets itself. */
export function listConfig(config: Config, text: string): readonly ConfigEntry[] {
  const { source } = readYaml(text);
  return listKeys().map(({ key, default: standard, allowed, description }) => {
    const path = key.split('.');
    const value = valueAt(config, path);
    const line = valueAt(source?.tree, path) === undefined ? undefined : source?.lineOf(path);
    return { key, value, default: standard, isDefault: isDeepStrictEqual(value, standard), line, allowed, description };
  });
}
