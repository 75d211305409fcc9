import fs from 'node:fs';
import path from 'node:path';
import { readConversations, type Conversation } from '../retrieval/conversations.ts';
import { readLocomo } from './locomo.ts';
import { readLongMemEval } from './long-mem-eval.ts';

/** Conversations of a folder in our own form, or of one file as LoCoMo or LongMemEval publish it. */
export function readAny(place: string): Conversation[] {
  if (fs.statSync(place).isDirectory()) return readConversations(place);
  const content = JSON.parse(fs.readFileSync(place, 'utf8')) as readonly Readonly<Record<string, unknown>>[];
  const [first] = content;
  if (Array.isArray(content) && first !== undefined) {
    if ('haystack_sessions' in first) return readLongMemEval(content);
    if ('conversation' in first && 'qa' in first) return readLocomo(content);
  }
  throw new Error(`${path.basename(place)} is neither LoCoMo's nor LongMemEval's file.`);
}
