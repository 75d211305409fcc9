import { z } from 'zod';
import { MnemeError } from '../../../model/errors.ts';
import { forget, type ForgetPlan } from '../../../operations/forget.ts';
import { confirmForget } from '../../../operations/forget/confirm.ts';
import type { Forgotten } from '../../../operations/forget/plan-file.ts';
import { runOperation } from '../../../operations/operation.ts';
import { scopeFor } from '../access.ts';
import { notYet } from '../show-change.ts';
import { NOTICE, type ToolAnswer, type ToolCall, asUser, defineTool, fence, tell } from '../tool.ts';

const text = z.string();

const input = z.object({
  query: text.default(''),
  ids: z.array(text).max(200).default([]),
  code: text.optional(),
  only: z.array(z.number().int().min(1)).min(1).optional(),
  said: text.optional(),
  session: text.optional(),
  limit: z.number().int().min(1).max(500).optional(),
  scope: text.optional(),
});

export const memoryForget = defineTool({
  name: 'memory_forget',
  title: 'Forget',
  description:
    'Two steps. First query or ids: lists what would go, and gives a code. Show the user the list; after a yes, code archives it (it can come back) or proposes to.',
  proposerDescription:
    'Two steps. First query or ids: lists what would go, and gives a code. Then code proposes to archive it.',
  effect: 'write',
  input,
  listed: {
    query: 'What to forget, in plain words.',
    ids: '',
    code: 'From the first step.',
    only: 'Numbers of the list.',
  },
  aliases: {
    query: ['q', 'text', 'what', 'message', 'content'],
    ids: ['id', 'memory_id', 'items', 'path'],
    code: ['confirm', 'token', 'confirmation', 'confirm_token'],
    only: ['numbers'],
    said: ['turn'],
    session: ['session_id', 'conversation_id'],
    scope: ['namespace'],
  },
  async run(call, { query, ids, code, only, said, session, limit, scope }) {
    const { context, access } = call;
    if (code !== undefined) {
      return showForgotten(call, await runOperation(confirmForget, context, { code, only, said, session }));
    }
    if (query.trim() === '' && ids.length === 0) {
      throw new MnemeError('usage', 'memory_forget: there is nothing to forget.', {
        hint: 'Say what: {"query": "the old office"}, or {"ids": ["7k2m9x0q4t1za"]}.',
      });
    }
    const asked = { text: query, ids, limit, scope: scopeFor(access, scope) };
    const plan = await runOperation(forget, context, asked);
    return (await askAtOnce(call, plan, session)) ?? showPlan(call, plan);
  },
});

/** Number of memories a user can read in a confirmation dialogue. */
const MAX_ASKED = 10;

/** The user sees the list in the client's dialogue instead of in the model's words; undefined where they were not asked. */
async function askAtOnce(
  call: ToolCall,
  { code, matches, kept }: ForgetPlan,
  session: string | undefined,
): Promise<ToolAnswer | undefined> {
  if (call.ask === undefined || code === null || matches.length > MAX_ASKED || kept.length > 0) return undefined;
  const list = matches.map(({ text: words }) => `- ${words.replaceAll(/\s+/gu, ' ')}`);
  if (await call.ask(`Forget this? It goes to the archive and can be restored.\n\n${list.join('\n')}`)) {
    const done = await runOperation(confirmForget, asUser(call.context), { code, session });
    return showForgotten(call, done, 'The user was asked and agreed. ');
  }
  return tell(['Nothing is forgotten: the user was asked and did not agree. Do not ask again.'], { outcome: 'kept' });
}

function showPlan({ conceal }: ToolCall, { code, expires, matches, kept, notes }: ForgetPlan): ToolAnswer {
  const told = notes.map(conceal);
  const head =
    code === null
      ? 'Nothing that could be forgotten was found.'
      : `Nothing is forgotten yet. Show the user the list and ask; then call again with code ${code} (until ${expires ?? ''}). ${NOTICE}`;
  const listed = matches.map(({ number, id, path, text: words }) => fence({ number, id, path }, words));
  const left = kept.map(({ id, path, reason }) => `Left alone: ${id} (${path}) ${reason}`);
  return {
    text: [head, ...listed, ...left, ...told.map((note) => `Note: ${note}`)].join('\n\n'),
    structured: {
      message: [head, ...left, ...told].join(' '),
      ...(code === null ? {} : { code }),
      matches: matches.map(({ number, id, path, text: words }) => ({ number, id, path, text: fence({}, words) })),
    },
  };
}

const OUTCOMES: Readonly<Record<Forgotten['outcome'], (done: Forgotten) => string>> = {
  archived: ({ archived }) => `Archived: ${archived.map(({ id, from }) => id ?? from).join(', ')}. It can be restored.`,
  erased: () => 'Erased.',
  erasing: ({ erased }) => `Not finished; left: ${(erased?.left ?? []).map(({ what }) => what).join('; ')}.`,
  proposed: ({ proposal }) => notYet('forgotten', proposal ?? ''),
};

function showForgotten({ conceal }: ToolCall, done: Forgotten, before = ''): ToolAnswer {
  const { outcome, proposal, warnings } = done;
  const lines = [`${before}${OUTCOMES[outcome](done)}`, ...warnings.map((note) => `Note: ${conceal(note)}`)];
  return tell(lines, { outcome, ...(proposal === null ? {} : { proposal }) });
}
