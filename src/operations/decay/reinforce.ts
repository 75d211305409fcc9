import type { UseKind } from '../../memory/decay/use-log.ts';
import type { ExtractedItem } from '../../extract/extraction.ts';
import { errorMessage, systemCode } from '../../model/errors.ts';
import type { HeardConversation } from '../../reasoner/port.ts';
import type { IndexView, StoredPassage } from '../../search-index/port.ts';
import { extractQueryTerms } from '../../search-index/text/terms.ts';
import { openReceipts } from '../briefing.ts';
import type { OperationContext } from '../context.ts';
import { openIndex } from './survey.ts';

/** Receipts that are looked through for those of one conversation. */
const MAX_RECEIPTS = 200;
/** Memories whose words are looked for in replies; a prompt tells a few dozen. */
const MAX_TOLD = 200;
/** Clocks of turns know minutes only. */
const MARGIN_MS = 60_000;

/** Memories were used: they stay at hand longer. For whatever confirms, links or refers to one. */
export function reinforce(
  { access, clock }: OperationContext,
  kind: UseKind,
  ids: readonly string[],
  timeMs = clock.now(),
): void {
  access.recordUses(kind, Math.min(timeMs, clock.now()), ids);
}

/**
 * Reinforces the memories a conversation used, at the time it took place: an imported one refreshes nothing. Runs when it
 * is learned from, and not while somebody waits. Returns what went wrong, in words.
 */
export async function reinforceFromSession(
  context: OperationContext,
  conversation: HeardConversation,
  fromTurn: string,
  items: readonly ExtractedItem[],
): Promise<string[]> {
  const lastMs = conversation.turns.at(-1)?.timeMs;
  const uses: readonly [UseKind, readonly string[]][] = [
    ['reference', heardAgain(items)],
    ['link', await linkedTo(context, items)],
    ['reply', await usedInReplies(context, conversation, fromTurn)],
  ];
  try {
    for (const [kind, ids] of uses) reinforce(context, kind, ids, lastMs);
    return [];
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return [`Which memories were used could not be noted down: ${errorMessage(error)}.`];
  }
}

/** Known facts that the user stated again: these are the ones they refer to. */
function heardAgain(items: readonly ExtractedItem[]): string[] {
  return items.flatMap(({ action, id, trust }) =>
    id !== undefined && trust === 'user' && (action === 'confirmed' || action === 'skipped') ? [id] : [],
  );
}

/** Whom and what the new memories are about. */
async function linkedTo(context: OperationContext, items: readonly ExtractedItem[]): Promise<string[]> {
  const added = items.flatMap(({ action, id }) => (action === 'added' && id !== undefined ? [id] : []));
  if (added.length === 0) return [];
  const view = await openView(context);
  const passages = await Promise.all(added.map(async (id) => view.read(await view.findItem(id))));
  return [...new Set(passages.flat().flatMap(({ entities }) => entities))];
}

async function usedInReplies(
  context: OperationContext,
  { session, turns }: HeardConversation,
  fromTurn: string,
): Promise<string[]> {
  const start = turns.findIndex(({ id }) => id === fromTurn);
  const heard = turns.slice(Math.max(0, start));
  const replies = heard.filter(({ role }) => role === 'agent');
  const times = heard.flatMap(({ timeMs }) => timeMs ?? []);
  if (replies.length === 0 || times.length === 0) return [];
  const span = { fromMs: Math.min(...times) - MARGIN_MS, toMs: Math.max(...times) + MARGIN_MS };
  const told = [...new Set([...toldIn(context, session, span.fromMs), ...listedIn(context, span)])].slice(0, MAX_TOLD);
  if (told.length === 0) return [];
  const said = heard.flatMap(({ role, text }) => (role === 'user' ? [text] : [])).join('\n');
  const reply = replies.map(({ text }) => text).join('\n');
  const view = await openView(context);
  const used: string[] = [];
  for (const id of told) {
    const passages = (await view.read(await view.findItem(id))).filter((passage) => !isOwn(passage, session));
    const text = passages.map((passage) => passage.text).join('\n');
    if (text !== '' && isUsedIn(text, reply, said)) used.push(id);
  }
  return used;
}

/** A conversation that repeats itself uses no memory. */
function isOwn({ turn, session }: StoredPassage, current: string): boolean {
  return turn !== undefined && session === current;
}

function* toldIn(context: OperationContext, session: string, sinceMs: number): Generator<string> {
  let read = 0;
  for (const { receipt } of openReceipts(context).list()) {
    read += 1;
    if (read > MAX_RECEIPTS || Date.parse(receipt.clock) < sinceMs) return;
    if (receipt.session !== session) continue;
    for (const { id, included } of receipt.items) if (included) yield id;
  }
}

/** Answers to an agent's own questions do not say in which conversation they were asked; their time does. */
function listedIn({ access }: OperationContext, { fromMs, toMs }: { fromMs: number; toMs: number }): string[] {
  return access.listingsBetween(fromMs, toMs).flatMap(({ hits }) => hits.map(({ id }) => id));
}

async function openView(context: OperationContext): Promise<IndexView> {
  return (await openIndex(context)).view({ scopes: ['shared'] });
}

/** The share of a memory's new words that a reply must contain before it counts as having used it. */
const MIN_SHARE = 0.6;
const MIN_TERMS = 2;

/**
 * Whether a reply says what a memory says. Words that the user brought along prove nothing: an answer repeats them
 * whether or not anything was remembered. A memory that only says what the question said cannot be told either way.
 */
export function isUsedIn(memory: string, reply: string, said: string): boolean {
  const known = new Set(extractQueryTerms(said));
  const added = [...new Set(extractQueryTerms(memory))].filter((term) => !known.has(term));
  if (added.length === 0) return false;
  const answered = new Set(extractQueryTerms(reply));
  const found = added.filter((term) => answered.has(term)).length;
  return found >= Math.min(MIN_TERMS, added.length) && found / added.length >= MIN_SHARE;
}
