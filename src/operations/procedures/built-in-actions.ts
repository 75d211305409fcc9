import { z } from 'zod';
import { MnemeError, must } from '../../model/errors.ts';
import { lowestTrust, STORES, type Trust } from '../../model/provenance.ts';
import { decide } from '../../memory/procedures/decision/decide.ts';
import type { Json, Variables } from '../../memory/procedures/expression/evaluate.ts';
import { waitFor } from '../../platform/clock.ts';
import { trustOfBlocks } from '../../compile/attribute.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import { sameWords } from '../../model/same-words.ts';
import { itemDefaults } from '../../workspace/formats/defaults.ts';
import { locateBlocks } from '../../workspace/formats/sections.ts';
import { parseDocument } from '../../workspace/markdown/document.ts';
import type { OperationContext } from '../context.ts';
import { runLater } from '../operation.ts';
import { getProcedure } from './find-procedure.ts';
import type { Workflows } from './open-workflows.ts';

const MAX_WAIT_SECONDS = 24 * 3600;
/** A workflow needs an answer from the memory, not a list. */
const RECALLED = 5;

/**
 * Actions open to every workflow without registration: nothing that leaves the memory. (`confirm` and `ask` are
 * the engine's own.)
 */
export function registerBuiltIns(open: Workflows): void {
  const { actions, said } = open;
  const callerOf = (run: string): OperationContext => must(open.startedBy.get(run), `who started ${run}`);
  actions.registerBuiltIn(
    'say',
    z.object({ text: z.string() }),
    ({ text }, { run }) => {
      said.set(run, [...(said.get(run) ?? []), text]);
      return text;
    },
    { description: 'Say something to whoever started the run.', isIdempotent: true },
  );
  actions.registerBuiltIn(
    'wait',
    z.object({ seconds: z.coerce.number().min(0).max(MAX_WAIT_SECONDS) }),
    async ({ seconds }, { signal }) => {
      await waitFor(seconds * 1000, signal);
      if (signal.aborted) throw new MnemeError('failure', 'the wait was cut short');
      return null;
    },
    { description: 'Wait for some seconds.', isIdempotent: true, timeoutMs: (MAX_WAIT_SECONDS + 60) * 1000 },
  );
  actions.registerBuiltIn(
    'remember',
    z.object({ text: z.string().min(1) }),
    async ({ text }, { run, procedure, variables }) => {
      const recalled = findRecalled(variables, text);
      // A text recalled from memory does not confirm itself.
      if (recalled !== undefined) return recalled;
      const context = callerOf(run);
      const trust = trustOfProcedure(context, open, procedure);
      const given = { text, source: 'auto', trust, trigger: `procedure ${procedure}` } as const;
      const kept = await runLater(async () => (await import('../remember.ts')).remember, context, given);
      return { id: kept.id, path: kept.path };
    },
    { description: 'Remember something.', isIdempotent: false },
  );
  actions.registerBuiltIn(
    'recall',
    z.object({ text: z.string().min(1) }),
    async ({ text }, { run }) => {
      const { hits } = await runLater(async () => (await import('../search/recall.ts')).recall, callerOf(run), {
        query: text,
        limit: RECALLED,
        // The steps themselves speak of what they look for.
        stores: STORES.filter((store) => store !== 'procedural' && store !== 'meta'),
      });
      return { text: hits[0]?.text ?? null, hits: hits.map((hit) => ({ id: hit.id, text: hit.text, path: hit.path })) };
    },
    { description: 'Ask the memory.', isIdempotent: true },
  );
  actions.registerBuiltIn(
    'decide',
    z.looseObject({ tree: z.string() }),
    ({ tree: name, ...facts }, { variables }) => {
      const known = getProcedure(open.store, name);
      const { tree } = known.procedure;
      if (tree === undefined) throw new MnemeError('usage', `${known.procedure.name} is not a decision tree.`);
      const decision = decide(tree, { ...variables, ...(facts as Record<string, Json>) });
      if (decision.outcome !== null) return { outcome: decision.outcome, path: decision.path };
      throw new MnemeError('failure', `"${decision.open?.question ?? ''}" has no answer`);
    },
    { description: 'Walk a decision tree with what the run knows.', isIdempotent: true },
  );
}

/** No more than whoever wrote the least trusted line of the file; a file that is gone speaks for nobody. */
function trustOfProcedure({ workspace }: OperationContext, { store }: Workflows, name: string): Trust {
  const files = store.all().filter(({ procedure }) => procedure.name === name);
  if (files.length === 0) return 'agent';
  const trusts = files.flatMap(({ path }): readonly Trust[] => {
    const text = nodeFileSystem.read(`${workspace.root}/${path}`)?.toString('utf8');
    if (text === undefined) return ['agent'];
    const document = parseDocument(text);
    return trustOfBlocks(locateBlocks(document), itemDefaults('procedure', document.frontmatter?.values));
  });
  return lowestTrust(['user', ...trusts]);
}

/** The answer of an earlier step that says the same, as `recall` gave it. */
function findRecalled(variables: Variables, text: string): { readonly id: string; readonly path: string } | undefined {
  for (const value of Object.values(variables)) {
    const hits = typeof value === 'object' && value !== null && 'hits' in value ? value['hits'] : undefined;
    for (const hit of Array.isArray(hits) ? hits : []) {
      const parsed = RECALLED_HIT.safeParse(hit);
      if (parsed.success && sameWords(parsed.data.text, text)) return { id: parsed.data.id, path: parsed.data.path };
    }
  }
  return undefined;
}

const RECALLED_HIT = z.object({ id: z.string(), text: z.string(), path: z.string() });
