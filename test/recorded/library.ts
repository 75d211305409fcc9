import { MnemeError } from '../../src/model/errors.ts';
import { openMneme } from '../../src/mneme.ts';
import type { Verb } from '../../src/operations/verb.ts';
import { VERBS } from '../../src/verb-registry/verbs.generated.ts';
import { exampleCalls } from '../support/http-examples.ts';
import { serveTestHome } from '../support/http-server.ts';
import { asText } from './normal.ts';

type Method = (...given: readonly unknown[]) => Promise<unknown>;

/** Every method of the library, with the calls that HTTP is recorded with, in a home of its own. */
export async function recordLibrary(): Promise<string> {
  const server = await serveTestHome();
  const mneme = await openMneme({ home: server.home, actor: 'manual' });
  try {
    const verbs = new Map(VERBS.map((entry) => [entry.name, entry]));
    const records: string[] = [];
    for (const { name, input } of exampleCalls(server)) {
      const { method, load } = verbs.get(name) ?? {};
      const given = await input();
      // Git has followed what was written before: some answers name its commits.
      await mneme.internals.workspace.drain();
      if (method === undefined || load === undefined) continue;
      const call = method.split('.').reduce<unknown>((place, word) => (place as Record<string, unknown>)[word], mneme);
      const answer = await (call as Method)(...argumentsOf(await load(), given)).catch((error: unknown) => {
        if (!(error instanceof MnemeError)) throw error;
        const { code, message, hint } = error;
        return { error: { code, message, hint } };
      });
      records.push(`## ${method} ${asText(given)}\n\n${asText(answer)}\n`);
    }
    return records.join('\n');
  } finally {
    await mneme.close();
    await server.close();
  }
}

/** Positional keys first, everything else as options. */
function argumentsOf({ args, library }: Verb, input: Readonly<Record<string, unknown>>): readonly unknown[] {
  const keys = (library === false ? undefined : library?.args) ?? args ?? [];
  const names = keys.map((word) => word.replace(/\.\.\.$/u, ''));
  const places = names.flatMap((name, at) => {
    const value = input[name];
    return keys[at]?.endsWith('...') === true && Array.isArray(value) ? value : [value];
  });
  return [...places, Object.fromEntries(Object.entries(input).filter(([key]) => !names.includes(key)))];
}
