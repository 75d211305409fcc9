import { builtInLabel, chooseExtractors, EXTRACTOR_NAMES } from '../../extract/extractors.ts';
import { KNOWLEDGE_KINDS } from '../../model/knowledge.ts';
import { MnemeError } from '../../model/errors.ts';
import type { OperationContext } from '../context.ts';

/** Every extractor there is, with its version: `facts@1`, and those the host brought along. */
function labels(context: OperationContext): Map<string, string> {
  const own = KNOWLEDGE_KINDS.map((kind): [string, string] => {
    const label = builtInLabel(kind);
    return [label.replace(/@.*$/u, ''), label];
  });
  const plugins = context.extractors.map(({ name, version }): [string, string] => [name, `${name}@${version}`]);
  const known = new Map([...own, ...plugins]);
  // The diary has no version of its own.
  for (const name of EXTRACTOR_NAMES) if (!known.has(name)) known.set(name, name);
  return known;
}

/** The names without versions; refused where there is no such extractor, or not in this version. */
export function resolveExtractors(context: OperationContext, given: readonly string[]): string[] {
  const known = labels(context);
  return [...new Set(given)].map((wanted) => {
    const name = wanted.replace(/@.*$/u, '');
    const label = known.get(name);
    if (label === undefined) {
      throw new MnemeError('not-found', `There is no extractor "${name}".`, {
        hint: `There are: ${[...known.values()].join(', ')}.`,
      });
    }
    if (wanted !== name && wanted !== label) {
      throw new MnemeError('not-found', `There is no ${wanted} here, only ${label}.`, {
        hint: 'Install the version of mneme, or bring the extractor along, that has it.',
      });
    }
    return name;
  });
}

export function versionsOf(context: OperationContext, names: readonly string[]): string[] {
  const known = labels(context);
  return names.map((name) => known.get(name) ?? name);
}

export function chosenOf(context: OperationContext, names: readonly string[]): ReturnType<typeof chooseExtractors> {
  return chooseExtractors(names, context.extractors);
}
