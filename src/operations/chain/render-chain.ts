import type { ChainAdded } from './add.ts';
import type { ChainAnchored } from './anchor.ts';
import type { ChainKeys } from './keys.ts';
import type { ChainShown, ShownEntry } from './show.ts';
import type { ChainStats } from './stats.ts';
import type { ChainSynced } from './sync.ts';
import type { ChainVerified } from './verify.ts';
import type { ProofVerdict } from '../../chain/proof/verify-proof.ts';
import { countOf, showBytes } from '../command-line/plain.ts';
import { type Style, type View, showTime, table } from '../command-line/style.ts';

export function renderAdded({ style }: View, { seq, type, hash, redacted, notes }: ChainAdded): string {
  return lines([
    `${style.green('Entered')} ${type} as entry ${seq}`,
    style.dim(`head ${seq}:${hash}`),
    ...(redacted.length === 0 ? [] : [`${style.yellow('note')}  taken out first: ${redacted.join(', ')}`]),
    ...notesOf(style, notes),
  ]);
}

export function renderVerified({ style }: View, result: ChainVerified): string {
  const { entries, walked, signatures, head, findings, content, anchors, others } = result;
  if (entries === 0 && findings.length === 0)
    return lines([style.dim('Nothing was entered yet.'), ...notesOf(style, result.notes)]);
  const found = findings.map(
    ({ seq, message }) => `${style.red('finding')} ${seq === null ? '' : `${style.dim(`#${seq}`)} `}${message}`,
  );
  const gone = content === null || content.deleted === 0 ? '' : `, ${content.deleted} deleted by age`;
  const words =
    content === null ? '' : `; ${content.checked} commitments compared, ${content.erased} pieces erased${gone}`;
  const last = findings.length === 0 ? style.green('The chain is whole.') : `${countOf(findings.length, 'finding')}.`;
  return lines([
    ...found,
    last,
    `${countOf(entries, 'entry', 'entries')} (${walked} walked, ${countOf(signatures, 'signature')} checked)${words}`,
    ...(anchors ?? []).map(({ kind, place, heads, lastSeq, heldSince }) => {
      const since = heldSince === null ? '' : ` since ${heldSince}`;
      return `${kind} ${place}: ${countOf(heads, 'head')}${lastSeq === null ? '' : `, the last of entry ${lastSeq}${since}`}`;
    }),
    ...others.map(
      ({ chain, entries: count }) => `chain ${chain} of another machine: ${countOf(count, 'entry', 'entries')}`,
    ),
    ...(head === null ? [] : [style.dim(`head ${entries - 1}:${head}`)]),
    ...notesOf(style, result.notes),
  ]);
}

export function renderStats({ style, timeZone }: View, stats: ChainStats): string {
  if (stats.entries === 0) {
    const off = stats.isEnabled ? 'Nothing was entered yet.' : 'The chain is switched off (chain.enabled).';
    return lines([style.dim(off), ...notesOf(style, stats.notes)]);
  }
  const time = (text: string | null): string => (text === null ? '' : showTime(Date.parse(text), timeZone));
  const last = stats.anchors.at(-1);
  return (
    table([
      ['chain', stats.chain ?? ''],
      ['entries', `${stats.entries} (${showBytes(stats.bytes)}), ${time(stats.first)} to ${time(stats.last)}`],
      [
        'types',
        Object.entries(stats.types)
          .map(([type, count]) => `${count} ${type}`)
          .join(', '),
      ],
      ['checkpoint', stats.lastCheckpoint === null ? 'none yet' : `entry ${stats.lastCheckpoint}`],
      ['key', `${stats.keys.at(-1)?.fingerprint ?? ''}${stats.hasKey ? '' : ' (not here: nothing can be entered)'}`],
      [
        'anchors',
        last === undefined
          ? 'none: nobody else holds a head'
          : `${stats.anchors.length}, the last of entry ${last.seq} (${last.kind} ${last.place})`,
      ],
      ...stats.links.map(({ chain, seq }) => ['linked', `chain ${chain} at entry ${seq}`]),
      ['head', stats.head ?? ''],
    ]) + lines(notesOf(style, stats.notes))
  );
}

export function renderShown({ style, timeZone }: View, { entries, total, notes }: ChainShown): string {
  if (entries.length === 0)
    return lines([
      style.dim(total === 0 ? 'Nothing was entered yet.' : 'No entry of that type.'),
      ...notesOf(style, notes),
    ]);
  const rows = entries.map((one) => [`#${one.seq}`, showTime(Date.parse(one.time), timeZone), one.type, one.summary]);
  const [only] = entries;
  const detail = entries.length === 1 && only !== undefined && only.pieces !== null ? renderPieces(style, only) : '';
  return table(rows) + detail + lines(notesOf(style, notes));
}

function renderPieces(style: Style, { pieces, hash, entry, type }: ShownEntry): string {
  const shown = (pieces ?? []).flatMap(({ leaf, text, isErased }) => {
    const said = isErased ? style.dim('(erased)') : (text?.trimEnd() ?? style.dim('(words missing)'));
    return type === 'transcript' ? [style.dim(leaf === 0 ? '— beginning' : `— turn ${leaf}`), said] : [said];
  });
  return lines([style.dim(`hash ${hash}`), style.dim(`key  ${entry.key}`), '', ...shown]);
}

export function renderAnchored({ style }: View, { seq, kind, place, receipt, notes }: ChainAnchored): string {
  return lines([
    `${style.green('Left')} the head of entry ${seq} with ${kind} ${place}`,
    ...(receipt === null ? [] : [style.dim(`receipt ${receipt}`)]),
    style.dim('`mneme chain verify --anchors` asks for it again.'),
    ...notesOf(style, notes),
  ]);
}

export function renderSynced({ style }: View, { remote, chain, others, linked, notes }: ChainSynced): string {
  return lines([
    `${style.green('Exchanged')} chain ${chain} with ${remote}`,
    ...others.map(
      (other) =>
        `chain ${other.chain}: ${countOf(other.entries, 'entry', 'entries')}${other.findings.length === 0 ? '' : `, ${style.red(countOf(other.findings.length, 'finding'))}`}`,
    ),
    ...linked.map((link) => style.dim(`named its head at entry ${link.seq} (${link.chain})`)),
    ...notesOf(style, notes),
  ]);
}

export function renderKeys({ style, timeZone }: View, { chain, keys, pem, notes }: ChainKeys): string {
  if (chain === null)
    return lines([style.dim('There is no key yet; the first entry makes one.'), ...notesOf(style, notes)]);
  const rows = keys.map(({ fingerprint, since, seq, reason, isCurrent, isHere }) => [
    fingerprint,
    showTime(Date.parse(since), timeZone),
    `entry ${seq}`,
    reason,
    isCurrent ? `signs now${isHere ? '' : ', but is not here'}` : '',
  ]);
  return (
    table(rows) +
    lines([
      '',
      `public key ${keys.at(-1)?.publicKey ?? ''}`,
      ...(pem === null ? [] : [pem.trimEnd()]),
      ...notesOf(style, notes),
    ])
  );
}

export function renderVerdict(
  { style }: { readonly style: Style },
  { isValid, problems, claim }: ProofVerdict,
): string {
  if (!isValid || claim === null) return lines([`${style.red('Not proved')}: ${problems.join('; ')}.`]);
  const words = claim.text === null ? [] : ['', claim.text.trimEnd()];
  return lines([
    `${style.green('Proved')}: entry ${claim.seq} (${claim.type}) of chain ${claim.chain}, entered ${claim.time}`,
    ...(claim.erased === null ? [] : [`Its words were erased; that was entered ${claim.erased}`]),
    style.dim(`under checkpoint ${claim.checkpoint.seq}:${claim.checkpoint.hash}, signed by key ${claim.signer}`),
    ...words,
  ]);
}

function notesOf(style: Style, notes: readonly string[]): string[] {
  return notes.map((note) => `${style.yellow('note')}  ${note}`);
}

function lines(all: readonly string[]): string {
  return all.map((line) => `${line}\n`).join('');
}
