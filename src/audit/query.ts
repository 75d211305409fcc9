import type { Action } from '../model/mutation.ts';
import { compileGlob } from '../workspace/formats/glob.ts';
import type { AuditLine } from './line.ts';

export interface AuditQuery {
  /** A glob, or the beginning of a path. */
  readonly file?: string | undefined;
  /** The whole actor or its first part: `reflection`, `reflection:`, `reflection:*` and `reflection:r-012`. */
  readonly actor?: string | undefined;
  readonly action?: Action | readonly Action[] | undefined;
  readonly sinceMs?: number | undefined;
  readonly untilMs?: number | undefined;
  /** Any part of path, summary, trigger or reference, in any letter case. */
  readonly text?: string | undefined;
  /** A further condition that a line must meet. */
  readonly accepts?: LineTest | undefined;
  readonly limit?: number | undefined;
}

export type LineTest = (line: AuditLine) => boolean;

export function createLineTest(query: AuditQuery): LineTest {
  const tests: LineTest[] = [];
  const { file, actor, action, sinceMs, untilMs, text } = query;
  if (file !== undefined) tests.push(fileTest(file));
  if (actor !== undefined) tests.push(actorTest(actor));
  if (action !== undefined) tests.push((line) => [action].flat().includes(line.action));
  if (sinceMs !== undefined) tests.push((line) => line.timeMs >= sinceMs);
  if (untilMs !== undefined) tests.push((line) => line.timeMs <= untilMs);
  if (text !== undefined) tests.push(textTest(text));
  if (query.accepts !== undefined) tests.push(query.accepts);
  return (line) => tests.every((test) => test(line));
}

function fileTest(file: string): LineTest {
  if (!/[*?[{]/.test(file)) return (line) => line.file.startsWith(file);
  const glob = compileGlob(file);
  return (line) => glob.test(line.file);
}

function actorTest(actor: string): LineTest {
  const name = actor.replace(/:?\*?$/, '');
  const isOnlyKind = name !== actor;
  return (line) => (!isOnlyKind && line.actor === name) || line.actor.startsWith(`${name}:`);
}

function textTest(text: string): LineTest {
  const needle = text.toLowerCase();
  return (line) =>
    [line.file, line.summary, line.trigger, line.reference].some((field) => field?.toLowerCase().includes(needle));
}
