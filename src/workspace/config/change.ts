import { isDeepStrictEqual } from 'node:util';
import { parseDocument } from 'yaml';
import { findKey, getKey, unknownKeyError, type ConfigKey } from '../../model/config/keys.ts';
import { checkConfig, defaultConfig, FIXED_KEYS } from '../../model/config/schema.ts';
import { MnemeError } from '../../model/errors.ts';
import { removePair, writePair } from './edit-text.ts';
import { parseConfig } from './parse.ts';
import { type Path, type Tree, isTree, readYaml, valueAt, withValueAt, withoutEmptyBranches } from './yaml-source.ts';

export interface ChangeOptions {
  /** Also change what `init` fixed: the format and the time zone. */
  readonly force?: boolean | undefined;
}

/**
 * The text of mneme.yaml with one setting changed; everything else stays as it is to the byte. The value is YAML on one
 * line (`20`, `true`, `[a, b]`); what is not, or does not fit as such, is taken as plain text.
 */
export function setConfigValue(text: string, key: string, rawValue: string, options: ChangeOptions = {}): string {
  const info = getKey(key);
  const path = key.split('.');
  const before = readTree(text);
  const value = parseValue(info, rawValue);
  if (isDeepStrictEqual(valueAt(before, path), value)) return text;
  refuseFixed(text, key, value, options);
  const after = writePair(text, path, value);
  requireOnlyChange(after, key, withValueAt(before, path, value));
  requireRules(text, after);
  return after;
}

/** The text without the setting, so that its default holds; also takes out keys that are no settings. */
export function unsetConfigValue(text: string, key: string, options: ChangeOptions = {}): string {
  const path = key.split('.');
  const before = readTree(text);
  if (valueAt(before, path) === undefined) {
    if (findKey(key) === undefined) throw unknownKeyError(key);
    return text;
  }
  refuseFixed(text, key, findKey(key)?.default, options);
  const after = removePair(text, path);
  requireOnlyChange(after, key, withValueAt(before, path, undefined));
  requireRules(text, after);
  return after;
}

function readTree(text: string): Tree {
  const reading = readYaml(text);
  if (reading.source !== undefined) return reading.source.tree;
  const [finding] = reading.findings;
  throw new MnemeError('usage', finding?.message ?? 'mneme.yaml cannot be read.', { hint: finding?.hint });
}

function parseValue(info: ConfigKey, rawValue: string): unknown {
  const document = parseDocument(rawValue, { prettyErrors: false });
  const readable = document.errors.length === 0 && document.comment === null && document.commentBefore === null;
  const parsed: unknown = readable ? document.toJS() : rawValue;
  if (isAllowed(info.key, parsed)) return parsed;
  // "2024" is a fine branch and "*/5 * * * *" a fine schedule, but an empty value or null is never meant as text.
  if (parsed !== null && isAllowed(info.key, rawValue)) return rawValue;
  // The typed value is not repeated: it may be a secret that was meant for a variable.
  throw new MnemeError('usage', `${info.key} takes ${info.allowed}.`, {
    hint: `${info.description} The default is ${JSON.stringify(info.default)}.`,
  });
}

function isAllowed(key: string, value: unknown): boolean {
  return checkConfig(withValueAt({}, key.split('.'), value)).success;
}

function refuseFixed(text: string, key: string, value: unknown, { force = false }: ChangeOptions): void {
  if (force || !FIXED_KEYS.includes(key) || isDeepStrictEqual(valueAt(parseConfig(text).config, [key]), value)) return;
  throw new MnemeError('refused', `${key} is fixed when a home is made; files that exist depend on it.`, {
    hint: 'Add --force only if you know that no file depends on it.',
  });
}

/** Reads the edited text back: cutting and pasting is trusted only as far as it can be checked. */
function requireOnlyChange(after: string, key: string, expected: Tree): void {
  const reading = readYaml(after);
  if (reading.source !== undefined && isDeepStrictEqual(meaningOf(reading.source.tree), meaningOf(expected))) return;
  throw new MnemeError('conflict', `${key} cannot be changed in mneme.yaml without touching other lines.`, {
    hint: 'The file uses YAML that this command does not edit (anchors, several documents …); change it by hand.',
  });
}

function meaningOf(tree: Tree): Tree {
  const shape = defaultConfig();
  return withoutEmptyBranches(tree, (path: Path) => isTree(valueAt(shape, path)) || path.length === 1);
}

function requireRules(before: string, after: string): void {
  const known = new Set(parseConfig(before).findings.map(({ message }) => message));
  const broken = parseConfig(after).findings.find(({ kind, message }) => kind === 'rule' && !known.has(message));
  if (broken !== undefined) throw new MnemeError('usage', broken.message, { hint: broken.hint });
}
