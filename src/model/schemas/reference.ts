import { z } from 'zod';
import { SOURCES, TRUST_LEVELS } from '../provenance.ts';
import { flag, fraction, oneOf, text, textList, timestamp } from './fields.ts';

/** An imported document or research note; foreign frontmatter is welcome, so `type` is free. */
export const referenceSchema = z.looseObject({
  type: text.optional(),
  id: text.optional(),
  title: text.optional(),
  url: text.optional(),
  author: text.optional(),
  retrieved: timestamp.optional(),
  updated: timestamp.optional(),
  source: text.optional().describe('Where it was taken from.'),
  trust: oneOf(TRUST_LEVELS).optional(),
  tags: textList.optional(),
});

/** A vault note: pinned by being there, never edited by a machine. */
export const vaultSchema = z.looseObject({
  type: text.optional(),
  id: text.optional(),
  title: text.optional(),
  created: timestamp.optional(),
  updated: timestamp.optional(),
  source: oneOf(SOURCES).optional(),
  trust: oneOf(TRUST_LEVELS).optional(),
  importance: fraction.optional(),
  pinned: flag.optional(),
  tags: textList.optional(),
});
export type VaultFrontmatter = z.infer<typeof vaultSchema>;
