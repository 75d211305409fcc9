import type { FoundReceipt } from '../../compile/receipt-store.ts';
import type { ReceiptItem } from '../../compile/piece.ts';
import { SLOTS } from '../../compile/slots.ts';
import type { Receipt } from '../../compile/receipt.ts';
import type { Silence } from '../../compile/silence.ts';
import type { Remembered, WhyResult } from '../why.ts';
import { plainLine } from '../command-line/plain.ts';
import { whyFading } from '../decay/render.ts';
import { type View, indented, showTime, table } from '../command-line/style.ts';
import { counted, shorten } from '../../model/text.ts';

const SLOT_NAMES: Readonly<Record<ReceiptItem['slot'], string>> = {
  P0: 'system and identity',
  P1: 'core, projects, recent days',
  P2: 'topics and procedures',
  P3: 'remembered about the message',
  P4: 'the conversation',
};

/** A receipt as a person reads it: what was asked, what was decided, what is in and what is not. */
export function renderReceipt(view: View, found: FoundReceipt, silence: Silence | null = null): string {
  const { style } = view;
  const { receipt, tokens, budget, prompt } = found;
  const included = receipt.items.filter((item) => item.included);
  const parts = [
    `${style.bold(showTime(Date.parse(receipt.clock), view.timeZone))} · ${tokens} of ${budget} tokens · ` +
      `${counted(included.length, 'piece')} in, ${receipt.items.length - included.length} out\n`,
    receipt.message === '' ? '' : `${style.dim('message')}  ${shorten(plainLine(receipt.message), MAX_SHOWN)}\n`,
    renderSilence(view, silence),
    renderDecision(view, receipt),
    ...SLOTS.map((slot) => renderSlot(view, slot, receipt.items)),
    renderBudget(view, receipt),
    renderState(view, receipt),
    found.isIntact ? '' : `${style.yellow('note')}  Something was erased from this prompt since.\n`,
    prompt === '' ? 'Nothing was told.\n' : `${style.bold('Told')}\n${indented(prompt)}\n`,
  ];
  return parts.filter((part) => part !== '').join('\n');
}

export function renderWhy(view: View, result: WhyResult): string {
  return 'told' in result
    ? renderReceipt(view, result.told, result.silence)
    : renderRemembered(view, result.remembered);
}

/** The answer for whoever wonders why an agent was told nothing; the numbers stand below it. */
function renderSilence({ style }: View, silence: Silence | null): string {
  if (silence === null) return '';
  const { summary, closest } = silence;
  const lines = closest.map(({ line }) => `  ${plainLine(line)}\n`);
  return `${style.bold(plainLine(summary))}\n${lines.length === 0 ? '' : `Closest:\n${lines.join('')}`}`;
}

function renderDecision({ style }: View, { decision }: Receipt): string {
  if (decision === null) return '';
  const verdict = decision.isRelevant ? style.green('relevant') : style.yellow('not relevant');
  const rows = decision.parts.map(({ name, weight }) => [
    `${weight < 0 ? '−' : '+'}${Math.abs(weight).toFixed(2)}`,
    name,
  ]);
  const matched = decision.evidence?.matched ?? [];
  const words = matched.length === 0 ? '' : style.dim(`  words: ${matched.join(', ')}\n`);
  return `${style.bold('Does memory matter here?')} ${verdict}: ${decision.reason}\n${table(rows, '  ')}${words}`;
}

function renderSlot({ style, timeZone }: View, slot: ReceiptItem['slot'], items: readonly ReceiptItem[]): string {
  const own = items.filter((item) => item.slot === slot);
  if (own.length === 0) return '';
  const rows = own.map((item) => [
    item.included ? style.green('in ') : style.yellow('out'),
    String(item.tokens).padStart(5),
    item.score === null ? '' : item.score.toFixed(2),
    item.time === null ? '' : showTime(Date.parse(item.time), timeZone).slice(0, 10),
    item.trust,
    plainLine(item.id === item.path || item.turn !== null ? item.id : `${item.id} ${item.path}`),
    style.dim(item.reason),
  ]);
  return `${style.bold(`${slot} ${SLOT_NAMES[slot]}`)}\n${table(rows, '  ')}`;
}

function renderBudget({ style }: View, { slots }: Receipt): string {
  if (slots === undefined) return '';
  const { room, request, response, parts } = slots;
  const rows = parts
    .filter(({ tokens }) => tokens > 0)
    .map(({ slot, tag, tokens, cap, floor }) => [
      slot,
      tag,
      String(tokens).padStart(6),
      style.dim(`of ${Math.min(cap, room)}${floor === 0 ? '' : `, at least ${floor}`}`),
    ]);
  const aside = [...(request === 0 ? [] : [`message ${request}`]), ...(response === 0 ? [] : [`answer ${response}`])];
  const kept = aside.length === 0 ? '' : `, set aside: ${aside.join(', ')}`;
  return `${style.bold('Budget')} ${room} tokens for the prompt${kept}\n${table(rows, '  ')}`;
}

function renderState({ style }: View, receipt: Receipt): string {
  const rows: [string, string][] = [
    ['receipt', receipt.id],
    ['mutation', receipt.mutation ?? 'none yet'],
    ['settings', receipt.configHash],
    ['clock', receipt.clock],
    ['embedder', receipt.embedder],
    ['tokenizer', receipt.tokenizer],
    ['preset', receipt.preset],
    ['event', receipt.event ?? 'asked for'],
    ['session', receipt.session ?? ''],
    ['sha256', receipt.sha256],
  ];
  const filled = rows.filter(([, value]) => value !== '').map(([name, value]) => [style.dim(name), value]);
  return `${style.bold('Made from')}\n${table(filled, '  ')}`;
}

function renderRemembered(view: View, item: Remembered): string {
  const { style, timeZone } = view;
  const { provenance, fading } = item;
  const when = (time: string | null): string => (time === null ? '' : showTime(Date.parse(time), timeZone));
  const use = fading.uses === 0 ? 'never used' : `used ${counted(fading.uses, 'time')}, last ${when(fading.lastUse)}`;
  const facts: [string, string][] = [
    ['where', `${item.path}:${item.startLine}`],
    ['when', when(item.time)],
    ['source', `${provenance.source}, trust ${item.trust}`],
    ['session', provenance.session === null ? '' : `${provenance.session} ${provenance.turn ?? ''}`],
    ['written', provenance.actor === null ? '' : `${when(provenance.writtenAt)} by ${provenance.actor}`],
    ['mutation', provenance.mutation ?? ''],
    ['fading', `${fading.status} (${fading.relevance.toFixed(2)}), ${use}`],
    ['', whyFading(view, fading)],
  ];
  const rows = facts.filter(([, value]) => value !== '').map(([name, value]) => [style.dim(name), plainLine(value)]);
  return [
    `${style.bold(plainLine(item.id))}\n${indented(item.text)}\n`,
    table(rows),
    renderUses(
      view,
      'Found by',
      item.listed.map(({ time, query, score }) => [when(time), score.toFixed(2), shorten(plainLine(query), MAX_SHOWN)]),
    ),
    renderUses(
      view,
      'Looked at for a prompt',
      item.prompted.map(({ time, included, message, reason }) => [
        when(time),
        included ? style.green('in ') : style.yellow('out'),
        shorten(plainLine(message), MAX_SHOWN),
        style.dim(reason),
      ]),
    ),
    renderUses(
      view,
      'Contradicted by a proposal',
      item.contradictedBy.map(({ proposal, actor, text }) => [proposal, actor, shorten(plainLine(text), MAX_SHOWN)]),
    ),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function renderUses({ style }: View, title: string, rows: readonly (readonly string[])[]): string {
  return rows.length === 0 ? '' : `${style.bold(title)}\n${table(rows, '  ')}`;
}

const MAX_SHOWN = 100;
