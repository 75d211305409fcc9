import type { ReceiptItem } from './piece.ts';
import type { Receipt, StoredBriefing } from './receipt.ts';

/** The outcome of a piece in one of two prompts. */
type Outcome = Pick<ReceiptItem, 'included' | 'form' | 'tokens' | 'reason' | 'score'>;

export interface ItemDifference {
  readonly id: string;
  readonly path: string;
  readonly slot: ReceiptItem['slot'];
  /** Null where it was not even looked at. */
  readonly before: Outcome | null;
  readonly after: Outcome | null;
  /** In words. */
  readonly why: string;
}

/** Why two prompts differ. */
export interface ReceiptDiff {
  readonly isSame: boolean;
  /** The inputs and parameters that differed. */
  readonly causes: readonly { readonly what: string; readonly before: string; readonly after: string }[];
  /** Pieces that only one of them injects, or that differ in length. */
  readonly items: readonly ItemDifference[];
  /** Pieces that both tell alike. */
  readonly shared: number;
}

/** Names of what a prompt is made from, with what to compare. */
const CAUSES: readonly (readonly [string, (made: StoredBriefing) => string])[] = [
  ['message', ({ receipt }) => receipt.message],
  ['workspace', ({ receipt }) => receipt.mutation ?? 'no change yet'],
  ['settings', ({ receipt }) => receipt.configHash],
  ['embedder', ({ receipt }) => receipt.embedder],
  ['tokenizer', ({ receipt }) => receipt.tokenizer],
  ['budget', ({ budget }) => String(budget)],
  ['preset', ({ receipt }) => receipt.preset],
  ['event', ({ receipt }) => receipt.event ?? 'asked for'],
  ['session', ({ receipt }) => receipt.session ?? 'none'],
  ['day', ({ receipt }) => receipt.clock.slice(0, 10)],
  ['scope', ({ receipt }) => receipt.asked?.scope ?? 'unknown'],
  ['core memory', ({ receipt }) => mainSession(receipt)],
  ['project', ({ receipt }) => receipt.asked?.project ?? 'none'],
  ['system prompt', ({ receipt }) => receipt.asked?.systemSha256?.slice(0, 12) ?? 'none'],
];

function mainSession({ asked }: Receipt): string {
  if (asked === undefined) return 'unknown';
  return asked.isMainSession ? 'told' : 'not told: no main session';
}

export function diffReceipts(before: StoredBriefing, after: StoredBriefing): ReceiptDiff {
  const causes = CAUSES.map(([what, of]) => ({ what, before: of(before), after: of(after) }));
  const [left, right] = [byId(before.receipt.items), byId(after.receipt.items)];
  const ids = [...new Set([...left.keys(), ...right.keys()])];
  // Another tokenizer counts the same words otherwise.
  const isComparable = before.receipt.tokenizer === after.receipt.tokenizer;
  const isAlike = (one: ReceiptItem | undefined, other: ReceiptItem | undefined): boolean =>
    one?.included === true &&
    other?.included === true &&
    one.form === other.form &&
    (!isComparable || one.tokens === other.tokens);
  const shared = ids.filter((key) => isAlike(left.get(key), right.get(key)));
  const items = ids
    .filter((key) => !shared.includes(key))
    .flatMap((key) => differenceOf(left.get(key), right.get(key), { before: before.receipt, after: after.receipt }));
  return {
    isSame: before.receipt.sha256 === after.receipt.sha256,
    causes: causes.filter((cause) => cause.before !== cause.after),
    items,
    shared: shared.length,
  };
}

/** A file may be told whole in one slot and in part in another. */
function byId(items: readonly ReceiptItem[]): Map<string, ReceiptItem> {
  return new Map(items.map((item) => [`${item.slot} ${item.id} ${item.path}`, item]));
}

interface Receipts {
  readonly before: Receipt;
  readonly after: Receipt;
}

function differenceOf(
  before: ReceiptItem | undefined,
  after: ReceiptItem | undefined,
  receipts: Receipts,
): ItemDifference[] {
  const item = after ?? before;
  const isTold = before?.included === true || after?.included === true;
  if (item === undefined || !isTold) return [];
  const { id, path, slot } = item;
  return [
    { id, path, slot, before: outcomeOf(before), after: outcomeOf(after), why: whyDifferent(before, after, receipts) },
  ];
}

function whyDifferent(before: ReceiptItem | undefined, after: ReceiptItem | undefined, receipts: Receipts): string {
  if (before?.included === true && after?.included === true) {
    return before.form === after.form
      ? `it changed: ${before.tokens} tokens, then ${after.tokens}`
      : `told as ${before.form ?? 'full'}, then as ${after.form ?? 'full'}: ${after.reason}`;
  }
  if (after?.included === true)
    return before === undefined
      ? (notLookedFor(after, receipts.before) ?? 'not found or not there before')
      : `before: ${before.reason}`;
  return after === undefined
    ? (notLookedFor(before, receipts.after) ?? 'not found or not there any more')
    : `now: ${after.reason}`;
}

/** A piece that this kind of prompt never holds does not count as missing. */
function notLookedFor(item: ReceiptItem | undefined, { event, asked }: Receipt): string | undefined {
  if (item === undefined) return undefined;
  if (event === 'prompt' && item.slot !== 'P2' && item.slot !== 'P3') {
    return 'not looked for: event prompt brings only what the message calls for';
  }
  const isCoreHidden = item.tag === 'core' && asked?.isMainSession === false;
  return isCoreHidden ? 'not looked for: core memory is for the main session' : undefined;
}

function outcomeOf(item: ReceiptItem | undefined): Outcome | null {
  if (item === undefined) return null;
  const { included, form, tokens, reason, score } = item;
  return { included, form: form ?? null, tokens, reason, score };
}
