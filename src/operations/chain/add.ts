import { z } from 'zod';
import { hashLine, serializeEntry, splitText } from '../../chain/entry.ts';
import { ITEM_ID_PATTERN } from '../../model/ids.ts';
import { must } from '../../model/errors.ts';
import { defineVerb } from '../verb.ts';
import { openChain } from './note-memories.ts';

/** The types a person or agent may enter by hand; the other types record events. */
export const ADDED_TYPES = ['identity', 'decision', 'commitment', 'remember', 'milestone'] as const;

const MAX_CHARS = 100_000;

const input = z.strictObject({
  text: z
    .string()
    .trim()
    .min(1, 'there is nothing to enter')
    .max(MAX_CHARS)
    .describe('What is to be provable, in plain words.'),
  type: z.enum(ADDED_TYPES).default('decision').describe('What it is.'),
  item: z.string().regex(ITEM_ID_PATTERN, 'is the id of a memory').optional().describe('The memory it belongs to.'),
});

export type ChainAddInput = z.input<typeof input>;

export interface ChainAdded {
  readonly chain: string;
  readonly seq: number;
  readonly type: string;
  readonly time: string;
  readonly hash: string;
  readonly redacted: readonly string[];
  readonly notes: readonly string[];
}

export const chainAdd = defineVerb({
  name: 'chain add',
  summary: 'Enter something into the provable history.',
  examples: ['mneme chain add "We agreed on the offer of 4 May" --type commitment'],
  input,
  args: ['text...'],
  effect: 'write',
  withoutLease: 'own',
  async run(context, given): Promise<ChainAdded> {
    const { chain, notes } = await openChain(context);
    const { text, findings } = await context.workspace.redactor.redact(given.text);
    const ref = given.item === undefined ? {} : { item: given.item };
    const { entry, id } = await chain.exclusively(async (writer) => {
      const [first] = await writer.append([{ type: given.type, ref, pieces: splitText(text), text }]);
      return { entry: must(first, 'the entry'), id: must(writer.chain, 'the chain') };
    });
    const { seq, type, time } = entry;
    const hash = hashLine(serializeEntry(entry));
    return { chain: id, seq, type, time, hash, redacted: findings.map(({ rule }) => rule), notes };
  },
  cli: { options: { type: { value: 'type', parse: (typed) => String(typed).toLowerCase() }, item: { value: 'id' } } },
  render: async (view, output) => (await import('./render-chain.ts')).renderAdded(view, output),
});
