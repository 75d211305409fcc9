import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { MnemeError } from '../../model/errors.ts';
import type { PluginTarget } from './client.ts';
import { findNode, insertLast, parseSettings, removeEntry, replaceValue, type JsonPath } from './json/edit.ts';
import { valueOf } from './json/tree.ts';
import { homeArgument, isOwnStart, type Program } from './program.ts';
import { addMember, removeEmpty, type Edited } from './server-entry.ts';

/** Our plugin in the list of a program's plugins: `["file:///…/plugins/opencode.js", {"command": ["node", "…/bin/mneme"]}]`. */
export interface PluginEntry {
  readonly path: JsonPath;
  readonly value: unknown;
  /** The home it names; undefined where that is the usual one. */
  readonly home: string | undefined;
}

export function findPlugin(text: string, { path: at, name }: PluginTarget): PluginEntry | undefined {
  const list = findNode(parseSettings(text), at);
  const entries: unknown = list === undefined ? [] : valueOf(list);
  if (!Array.isArray(entries)) return undefined;
  const index = entries.findIndex((entry: unknown) => commandOf(entry, name) !== undefined);
  if (index === -1) return undefined;
  return { path: [...at, index], value: entries[index], home: homeArgument(commandOf(entries[index], name) ?? []) };
}

export function connectPlugin(text: string, target: PluginTarget, program: Program): Edited {
  const entry = entryFor(target, program);
  const present = findPlugin(text, target);
  if (present !== undefined) {
    const isSame = JSON.stringify(present.value) === JSON.stringify(entry);
    return { text: isSame ? text : replaceValue(text, present.path, entry), made: [] };
  }
  const list = findNode(parseSettings(text), target.path);
  if (list === undefined) {
    const edited = addMember(text, target.path, [entry]);
    return { text: edited.text, made: [...edited.made, target.path] };
  }
  if (list.kind === 'array') return { text: insertLast(text, target.path, entry), made: [] };
  throw new MnemeError('conflict', `"${target.path.join('.')}" is no list.`);
}

export function disconnectPlugin(text: string, target: PluginTarget, made: readonly JsonPath[]): string {
  const present = findPlugin(text, target);
  return present === undefined ? text : removeEmpty(removeEntry(text, present.path), made);
}

/** The plugin lies in the package beside the program; its options say which program that is, and which home. */
function entryFor({ name }: PluginTarget, { command, args }: Program): readonly [string, object] {
  const script = [command, ...args].find((word) => path.isAbsolute(word) && isOwnStart([word]));
  if (script === undefined) {
    throw new MnemeError('refused', 'Where this Mneme keeps its plugins is not known.', {
      hint: 'Install it with `npm install -g mneme`, then connect again.',
    });
  }
  const file = path.resolve(path.dirname(script), '..', 'plugins', `${name}.js`);
  return [pathToFileURL(file).href, { command: [command, ...args] }];
}

/** The command in the options of our plugin; undefined for any other plugin. */
function commandOf(entry: unknown, name: string): readonly string[] | undefined {
  if (!Array.isArray(entry)) return undefined;
  const [spec, options] = entry as readonly unknown[];
  if (typeof spec !== 'string' || !spec.endsWith(`/plugins/${name}.js`)) return undefined;
  const command = (options as { readonly command?: unknown } | undefined)?.command;
  if (!Array.isArray(command)) return undefined;
  const words = command.map(String);
  return isOwnStart(words) ? words : undefined;
}
