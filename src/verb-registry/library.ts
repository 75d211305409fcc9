import type { OperationContext } from '../operations/context.ts';
import { runOperation } from '../operations/operation.ts';
import type { Verb } from '../operations/verb.ts';
import { fieldsOf } from './fields.ts';
import { VERBS, type Library } from './verbs.generated.ts';

/** The verbs as methods of an open home: `library.graph.add(…)`. Each verb is loaded when it is first called. */
export function createLibrary(context: OperationContext, assertOpen: () => Promise<never> | undefined): Library {
  const library: Record<string, unknown> = {};
  for (const { method, load } of VERBS) {
    if (method === undefined) continue;
    place(library, method, async (...given: readonly unknown[]) => {
      await assertOpen();
      const verb = await load();
      const { input, controls } = readArguments(verb, given);
      const output = await runOperation(verb, context, input, controls);
      const key = verb.library === false ? undefined : verb.library?.answer;
      return key === undefined ? output : (output as Record<string, unknown>)[key];
    });
  }
  return library as unknown as Library;
}

type Method = (...given: readonly unknown[]) => Promise<unknown>;

/** A name may be a method and hold others: `tag(…)` and `tag.list()`. */
function place(library: Record<string, unknown>, path: string, method: Method): void {
  const words = path.split('.');
  const name = words.pop() ?? '';
  let holder = library;
  for (const word of words) holder = (holder[word] ??= {}) as Record<string, unknown>;
  holder[name] = Object.assign(method, holder[name]);
}

/** Schemas describe data; functions and signals among the options are controls. */
function readArguments(
  verb: Verb,
  given: readonly unknown[],
): { readonly input: Record<string, unknown>; readonly controls: Record<string, unknown> } {
  const keys = (verb.library === false ? undefined : verb.library?.args) ?? verb.args ?? [];
  const input: Record<string, unknown> = {};
  const controls: Record<string, unknown> = {};
  const left = [...given];
  for (const word of keys) {
    const key = word.replace(/\.\.\.$/u, '');
    const isList = word !== key && takesList(verb, key);
    input[key] = isList ? left.splice(0) : left.shift();
  }
  for (const [key, value] of Object.entries(left[0] ?? {})) {
    const isControl = typeof value === 'function' || value instanceof AbortSignal;
    (isControl ? controls : input)[key] = value;
  }
  return { input, controls };
}

function takesList(verb: Verb, key: string): boolean {
  return fieldsOf(verb.input).some((field) => field.key === key && field.kind === 'list');
}
