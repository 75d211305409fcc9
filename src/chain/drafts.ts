import type { Random } from '../platform/random.ts';
import type { Bodies, BodyType, ContentType, Reference } from './entry.ts';
import type { Opening } from './content/openings.ts';
import { hashPiece, rootOf, SALT_BYTES } from './merkle.ts';

/** Something to be entered that commits to words. */
export interface ContentDraft {
  readonly type: ContentType;
  readonly ref: Reference;
  readonly pieces: readonly Buffer[];
  /** Where the words are kept: in the opening itself, or in a transcript. */
  readonly text?: string | undefined;
  readonly path?: string | undefined;
  readonly scope?: string | undefined;
}

/** Something to be entered about the chain itself. */
export type BodyDraft = {
  readonly [Type in Exclude<BodyType, 'key' | 'checkpoint'>]: { readonly type: Type; readonly body: Bodies[Type] };
}[Exclude<BodyType, 'key' | 'checkpoint'>];

/** A checkpoint sums up whatever stands before it. */
export type Draft = ContentDraft | BodyDraft | { readonly type: 'checkpoint' };

export function isContentDraft(draft: Draft): draft is ContentDraft {
  return 'pieces' in draft;
}

export function openingOf(draft: ContentDraft, seq: number, random: Random): Opening {
  const salts = draft.pieces.map(() => Buffer.from(random.bytes(SALT_BYTES)).toString('hex'));
  const leaves = draft.pieces.map((piece, index) => hashPiece(salts[index] ?? '', piece));
  return {
    seq,
    leaves,
    salts,
    ...(draft.text === undefined ? {} : { text: draft.text }),
    ...(draft.path === undefined ? {} : { path: draft.path }),
    ...(draft.scope === undefined || draft.scope === 'shared' ? {} : { scope: draft.scope }),
  };
}

export function contentOf({ leaves }: Opening): { readonly leaves: number; readonly root: string } {
  return { leaves: leaves.length, root: rootOf(leaves) };
}
