import { z } from 'zod';
import type { Chain } from '../../chain/chain.ts';
import { erasedTest, findPieces } from '../../chain/content/check-content.ts';
import { BODY_TYPES, CONTENT_TYPES, hashLine, isContentEntry, type Entry, type EntryType } from '../../chain/entry.ts';
import { readEntries } from '../../chain/file.ts';
import { MnemeError } from '../../model/errors.ts';
import { shorten } from '../../model/text.ts';
import { defineVerb } from '../verb.ts';
import { openChain } from './note-memories.ts';

const TYPES = [...CONTENT_TYPES, ...BODY_TYPES] as [EntryType, ...EntryType[]];

const input = z.strictObject({
  seq: z.number().int().min(0).optional().describe('One entry, with all its words.'),
  limit: z.number().int().min(1).max(10_000).default(20).describe('The last so many.'),
  type: z.enum(TYPES).optional().describe('Only entries of this type.'),
});

export type ChainShowInput = z.input<typeof input>;

export interface ShownPiece {
  readonly leaf: number;
  /** null when it was erased or is gone. */
  readonly text: string | null;
  readonly isErased: boolean;
}

export interface ShownEntry {
  readonly seq: number;
  readonly time: string;
  readonly type: EntryType;
  readonly hash: string;
  readonly summary: string;
  readonly entry: Entry;
  /** The words, for one entry. */
  readonly pieces: readonly ShownPiece[] | null;
}

export interface ChainShown {
  readonly entries: readonly ShownEntry[];
  readonly total: number;
  readonly notes: readonly string[];
}

export const chainShow = defineVerb({
  name: 'chain show',
  summary: 'Show the entries of the provable history, newest last.',
  description: 'Show the entries of the provable history, newest last. With a number: that entry and its words.',
  input,
  args: ['seq'],
  effect: 'read',
  async run(context, { seq, limit, type }): Promise<ChainShown> {
    const { chain, notes } = await openChain(context);
    const all = [...readEntries(chain.read())];
    const isErased = erasedTest(all.flatMap(({ entry }) => (entry.type === 'erasure' ? entry.body.targets : [])));
    const wanted = all.filter(({ entry }) =>
      seq === undefined ? type === undefined || entry.type === type : entry.seq === seq,
    );
    if (seq !== undefined && wanted.length === 0) {
      throw new MnemeError('not-found', `There is no entry ${seq}; there are ${all.length}.`, {
        hint: '`mneme chain show` lists the last ones.',
      });
    }
    const entries = wanted.slice(-limit).map(({ entry, line }): ShownEntry => {
      const pieces = isContentEntry(entry) ? piecesOf(chain, entry, isErased) : null;
      return {
        seq: entry.seq,
        time: entry.time,
        type: entry.type,
        hash: hashLine(line),
        summary: summarize(entry, pieces),
        entry,
        pieces: seq === undefined ? null : pieces,
      };
    });
    return { entries, total: all.length, notes };
  },
  library: { args: [] },
  cli: { isDefault: true, options: { type: { value: 'type', parse: (typed) => String(typed).toLowerCase() } } },
  render: async (view, output) => (await import('./render-chain.ts')).renderShown(view, output),
});

function piecesOf(
  chain: Chain,
  entry: Extract<Entry, { readonly content: unknown }>,
  isErased: (seq: number, leaf: number) => boolean,
): ShownPiece[] {
  const opening = chain.openings.find(entry);
  const pieces = opening === undefined ? undefined : findPieces(chain.rawFolder, opening);
  return Array.from({ length: entry.content.leaves }, (_, leaf) => {
    const erased = isErased(entry.seq, leaf);
    return { leaf, text: erased ? null : (pieces?.[leaf]?.toString('utf8') ?? null), isErased: erased };
  });
}

function summarize(entry: Entry, pieces: readonly ShownPiece[] | null): string {
  switch (entry.type) {
    case 'key':
      return `key ${entry.body.reason}`;
    case 'checkpoint':
      return `sums up ${entry.body.size} entries`;
    case 'anchor':
      return `head ${entry.body.seq} left (${entry.body.kind})`;
    case 'erasure':
      return `${entry.body.targets.length} pieces erased`;
    case 'link':
      return `chain ${entry.body.chain} at entry ${entry.body.seq}`;
    case 'transcript': {
      const title = /^# (.+)$/mu.exec(pieces?.[0]?.text ?? '')?.[1];
      return `${entry.content.leaves - 1} turns${title === undefined ? '' : `: ${shorten(title)}`}`;
    }
    default: {
      const [first] = pieces ?? [];
      if (first?.isErased === true) return '(erased)';
      return first?.text === null || first === undefined
        ? '(words missing)'
        : shorten(first.text.replaceAll(/\s+/gu, ' '));
    }
  }
}
