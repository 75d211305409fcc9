import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import {
  REMOVED_HINT,
  entryNames,
  findKey,
  isSection,
  listKeys,
  suggestionFor,
  unknownKeyError,
} from '../../model/config/keys.ts';
import { CONFIG_RULES } from '../../model/config/rules.ts';
import { CURRENT_FORMAT, type Config, checkConfig, defaultConfig } from '../../model/config/schema.ts';
import { must } from '../../model/errors.ts';
import {
  type ConfigFinding,
  type Path,
  type Tree,
  type YamlSource,
  isTree,
  leafPaths,
  readYaml,
  valueAt,
  withValueAt,
  withoutEmptyBranches,
} from './yaml-source.ts';
import { describeRemoved, isRemovedSection } from '../../model/config/removed.ts';
import { capitalise } from '../../model/text.ts';

export interface ParsedConfig {
  readonly config: Config;
  readonly findings: readonly ConfigFinding[];
}

/** Past this many unknown keys the file is something else altogether, and naming each helps nobody. */
const MAX_UNKNOWN_KEYS = 20;

/**
 * Reads the text of mneme.yaml. Whatever is wrong is reported and replaced by `fallback`'s value, single settings where
 * possible; the rest of the file applies. Never throws, whatever the text.
 */
export function parseConfig(text: string, fallback?: Config): ParsedConfig {
  const reading = readYaml(text);
  if (reading.source === undefined) return { config: fallback ?? defaultConfig(), findings: reading.findings };
  return new ConfigReader(reading.source, fallback).read();
}

/** Takes a tree apart into what the schema accepts and findings about the rest. */
class ConfigReader {
  readonly #source: YamlSource;
  readonly #givenFallback: Config | undefined;
  readonly #findings: ConfigFinding[] = [];
  readonly #unknown: Path[] = [];
  /** Several mistakes inside one list are one finding. */
  readonly #replaced = new Set<string>();
  #tree: Tree;

  constructor(source: YamlSource, fallback: Config | undefined) {
    this.#source = source;
    this.#givenFallback = fallback;
    this.#tree = withoutEmptyBranches(this.#withoutRemoved(source.tree), (path) =>
      isTree(valueAt(defaultConfig(), path)),
    );
  }

  /** Computed when something is wrong: a good file needs no defaults beside those the schema fills in. */
  get #fallback(): Config {
    return this.#givenFallback ?? defaultConfig();
  }

  read(): ParsedConfig {
    const first = checkConfig(this.#tree);
    for (const issue of first.error?.issues ?? []) this.#repair(issue);
    this.#reportUnknown();
    // Every issue removed a key or put a valid value in its place, so what is left fits.
    const config = this.#keepRules(must(first.data ?? checkConfig(this.#tree).data, 'the repaired configuration'));
    this.#noteNewerFormat(config);
    return { config, findings: this.#findings.sort((left, right) => (left.line ?? 0) - (right.line ?? 0)) };
  }

  /** Settings of earlier versions are noted and left out before anything looks at the rest. */
  #withoutRemoved(tree: Tree, path: Path = []): Tree {
    const kept: [string, unknown][] = [];
    for (const [word, value] of Object.entries(tree)) {
      const here = [...path, word];
      const removed = describeRemoved(here.join('.'));
      if (removed !== undefined) this.#report('removed-key', here, removed, REMOVED_HINT);
      else if (!isTree(value)) {
        // A section that is gone may stand there without keys, too.
        if (value !== null || !isRemovedSection(here.join('.'))) kept.push([word, value]);
      } else {
        const inner = this.#withoutRemoved(value, here);
        if (Object.keys(inner).length > 0 || !isRemovedSection(here.join('.'))) kept.push([word, inner]);
      }
    }
    return Object.fromEntries(kept);
  }

  #repair(issue: z.core.$ZodIssue): void {
    const path = issue.path.map(String);
    const setting = settingAround(path);
    if (issue.code === 'unrecognized_keys' && (setting === undefined || isTable(path)))
      this.#dropUnknown(path, issue.keys);
    else this.#replace(setting ?? path);
  }

  /** All of a section at once: one by one, a file of a few thousand keys would take minutes. */
  #dropUnknown(path: Path, words: readonly string[]): void {
    const section = valueAt(this.#tree, path);
    if (!isTree(section)) return;
    for (const word of words) this.#unknown.push(...leafPaths(valueAt(section, [word]), [...path, word]));
    const dropped = new Set(words);
    const kept = Object.fromEntries(Object.entries(section).filter(([word]) => !dropped.has(word)));
    this.#tree = path.length === 0 ? kept : withValueAt(this.#tree, path, kept);
  }

  #reportUnknown(): void {
    for (const path of this.#unknown.slice(0, MAX_UNKNOWN_KEYS)) {
      const key = path.join('.');
      const isDotted = findKey(key) !== undefined;
      const hint = isDotted
        ? 'Write the section on a line of its own and the key indented below it.'
        : suggestionFor(key);
      this.#report('unknown-key', path, `${key} is not a setting as it stands; it has no effect.`, hint);
    }
    const more = this.#unknown.length - MAX_UNKNOWN_KEYS;
    if (more > 0) {
      const message = `${more} more keys are not settings; they have no effect.`;
      this.#report('unknown-key', this.#unknown[MAX_UNKNOWN_KEYS] ?? [], message, 'See `mneme config list`.');
    }
  }

  #replace(path: Path): void {
    const key = path.join('.');
    if (this.#replaced.has(key)) return;
    this.#replaced.add(key);
    const given = describeValue(valueAt(this.#source.tree, path));
    const instead = valueAt(this.#fallback, path);
    const info = findKey(key);
    if (info === undefined) {
      this.#report('value', path, `${key} is ${given}, but it is a section.`, 'Write its settings indented below it.');
    } else {
      const message = `${key} takes ${info.allowed}; the file has ${given}. In effect: ${JSON.stringify(instead ?? info.default)}.`;
      this.#report('value', path, message, `Correct it, or remove it to get ${JSON.stringify(info.default)}.`);
    }
    this.#tree = withValueAt(this.#tree, path, instead);
  }

  #keepRules(config: Config): Config {
    let kept: Config = config;
    for (const rule of CONFIG_RULES) {
      if (rule.holds(kept)) continue;
      const paths = rule.keys.map((key) => key.split('.'));
      const culprit = paths.find((path) => valueAt(this.#source.tree, path) !== undefined) ?? [];
      const effect = paths
        .map((path) => `${path.join('.')} ${JSON.stringify(valueAt(this.#fallback, path))}`)
        .join(', ');
      this.#report('rule', culprit, `${capitalise(rule.says)}. In effect: ${effect}.`, 'Change one of these settings.');
      for (const path of paths) kept = withValueAt(kept, path, valueAt(this.#fallback, path)) as Config;
    }
    return kept;
  }

  #noteNewerFormat(config: Config): void {
    if (config.format <= CURRENT_FORMAT) return;
    const message = `This home has format ${config.format}, this Mneme knows formats up to ${CURRENT_FORMAT}.`;
    this.#report('format', ['format'], message, 'It opens read-only; install a newer Mneme to write to it.');
  }

  #report(kind: ConfigFinding['kind'], path: Path, message: string, hint: string): void {
    this.#findings.push({ kind, key: path.join('.'), line: this.#source.lineOf(path), message, hint });
  }
}

/** The setting that an issue at the path, perhaps deep inside a list, is about; undefined when it is a section. */
function settingAround(path: Path): Path | undefined {
  const prefixes = path.map((_, index) => path.slice(0, index + 1));
  return prefixes.findLast((prefix) => findKey(prefix.join('.')) !== undefined);
}

/** Whether it is a table that knows the names of its entries. */
function isTable(path: Path): boolean {
  const info = findKey(path.join('.'));
  return info !== undefined && entryNames(info) !== undefined;
}

/** Says what stands there without repeating text: a secret pasted into the wrong key must not reach a log. */
function describeValue(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return 'other text';
  if (typeof value === 'object' && value !== null) return 'a table';
  return String(value);
}

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
