import { compareHeads } from '../../chain/anchors/compare-heads.ts';
import { AnchorReceipts } from '../../chain/anchors/receipts.ts';
import type { Chain } from '../../chain/chain.ts';
import type { ChainFinding } from '../../chain/finding.ts';
import { errorMessage } from '../../model/errors.ts';
import type { OperationContext } from '../context.ts';
import { listAnchorPlaces, EVM_URL_VARIABLE } from './anchor-places.ts';

export interface CheckedAnchor {
  readonly kind: string;
  readonly place: string;
  /** Heads of this chain that it holds. */
  readonly heads: number;
  /** The newest of them, and since when it has it by its own clock. */
  readonly lastSeq: number | null;
  readonly heldSince: string | null;
}

/** Asks everybody who may hold a head whether it is still the chain's. */
export async function checkAnchors(
  context: OperationContext,
  { chain, id, bytes }: { readonly chain: Chain; readonly id: string; readonly bytes: Buffer },
): Promise<{ readonly anchors: readonly CheckedAnchor[]; readonly findings: readonly ChainFinding[] }> {
  const anchors: CheckedAnchor[] = [];
  const findings: ChainFinding[] = [];
  const receipts = new AnchorReceipts(chain.folder).read();
  for (const { place, receipts: own } of listAnchorPlaces(context, receipts)) {
    const named = `${place.kind} ${place.place}`;
    try {
      const { heads, problems } = await place.recall(id, own);
      findings.push(...problems.map((problem) => anchorFinding(`${named}: ${problem}.`)));
      findings.push(
        ...compareHeads(
          bytes,
          heads.map((head) => ({ ...head, holder: named })),
        ),
      );
      const last = heads.reduce((one, other) => (other.seq > one.seq ? other : one), heads[0] ?? NO_HEAD);
      anchors.push({
        kind: place.kind,
        place: place.place,
        heads: heads.length,
        lastSeq: heads.length === 0 ? null : last.seq,
        heldSince: last.heldSince,
      });
    } catch (error) {
      findings.push(anchorFinding(`${named} cannot be asked: ${errorMessage(error)}`));
    }
  }
  const isAsked = listAnchorPlaces(context, receipts).some(({ place }) => place.kind === 'evm');
  const unasked = receipts.filter(({ kind }) => kind === 'evm' && !isAsked).length;
  if (unasked > 0) {
    findings.push(anchorFinding(`${unasked} heads are in an EVM chain, and ${EVM_URL_VARIABLE} names no node to ask.`));
  }
  return { anchors, findings };
}

const NO_HEAD = { seq: -1, heldSince: null };

function anchorFinding(message: string): ChainFinding {
  return { code: 'anchor', seq: null, line: null, message };
}
