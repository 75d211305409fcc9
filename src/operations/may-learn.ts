import path from 'node:path';
import type { IgnoreRules } from '../memory/ignore-rules.ts';
import { MnemeError } from '../model/errors.ts';
import { roleOf } from '../model/mutation.ts';
import { isPrivateEnvironment } from '../platform/environment.ts';
import { nodeFileSystem } from '../platform/fs.ts';
import { IGNORE_FILE } from '../workspace/formats/control-files.ts';
import type { OperationContext } from './context.ts';

/** Says what is changed or where, and not what is to be kept. */
const PLACES: ReadonlySet<string> = new Set(
  'path target id ids session turn find replace base trigger why evidence proposal'.split(' '),
);

/**
 * Refuses what an agent wants to write in a private environment, or about something the user wants nothing kept about. What
 * people do themselves is theirs to decide.
 */
export async function assertMayLearn(context: OperationContext, name: string, given: unknown): Promise<void> {
  if (roleOf(context.actor) === 'human') return;
  assertNotPrivateHere(context, name);
  // Most homes have no rules, and matching loads a stemmer.
  if (!nodeFileSystem.exists(path.join(context.workspace.root, IGNORE_FILE))) return;
  const { refuseIgnored } = await import('../memory/ignore-rules.ts');
  const rules = await ignoreRulesOf(context);
  for (const line of newLines(context, given)) {
    const rule = rules.find(line);
    if (rule !== undefined) refuseIgnored(rule);
  }
}

/** Refuses what an agent wants to write in a private environment. */
export function assertNotPrivateHere({ actor }: Pick<OperationContext, 'actor'>, name: string): void {
  if (roleOf(actor) === 'human' || !isPrivateEnvironment()) return;
  throw new MnemeError('refused', `${name} writes nothing here: MNEME_PRIVATE is set, so the session is private.`, {
    hint: 'Only the user can keep something of it, without --as.',
  });
}

/** The home's rules; what a rule names is also found by its other names in the graph. */
export async function ignoreRulesOf({ workspace, entities }: OperationContext): Promise<IgnoreRules> {
  const { readIgnoreRules } = await import('../memory/ignore-rules.ts');
  return readIgnoreRules(workspace.root, (name) => entities.namesOf(name));
}

/** Every line that a call brings along; lines that the file it changes has already are no news. */
function newLines(context: OperationContext, given: unknown): string[] {
  if (typeof given === 'string') return given.split('\n');
  if (Array.isArray(given)) return given.flatMap((one) => newLines(context, one));
  if (typeof given !== 'object' || given === null) return [];
  const known = new Set('path' in given && typeof given.path === 'string' ? readLines(context, given.path) : []);
  const lines = Object.entries(given)
    .filter(([key]) => !PLACES.has(key))
    .flatMap(([, value]) => newLines(context, value))
    .filter((line) => !known.has(line));
  // Statements about an entity concern it, even where the words leave out the name.
  return 'entity' in given && typeof given.entity === 'string'
    ? lines.map((line) => `${String(given.entity)} ${line}`)
    : lines;
}

function readLines({ homeIndex }: OperationContext, file: string): readonly string[] {
  return homeIndex.files.read({ source: 'workspace', path: file })?.text.split('\n') ?? [];
}
