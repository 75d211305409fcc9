import { hashLine, type Head } from '../entry.ts';
import { linesOf } from '../file.ts';
import type { ChainFinding } from '../finding.ts';

/** Whether heads that somebody holds are still in the chain, each at its place. */
export function compareHeads(bytes: Buffer, heads: readonly (Head & { readonly holder: string })[]): ChainFinding[] {
  if (heads.length === 0) return [];
  const wanted = new Map<number, string>(heads.map(({ seq }) => [seq, '']));
  let next = 0;
  for (const line of linesOf(bytes)) {
    if (wanted.has(next)) wanted.set(next, hashLine(line));
    next += 1;
  }
  const findings: ChainFinding[] = [];
  let right = -1;
  for (const { seq, head, holder } of [...heads].sort((one, other) => one.seq - other.seq)) {
    if (wanted.get(seq) === head) {
      right = seq;
    } else if (seq >= next) {
      const message = `The chain ends with entry ${next - 1}, but ${holder} holds the head of entry ${seq}.`;
      findings.push({ code: 'truncated', seq: next, line: next + 1, message });
    } else {
      const after = right === -1 ? '' : `, after entry ${right}`;
      const message = `Entry ${seq} is not the one whose head ${holder} holds; something before or at it was replaced${after}.`;
      findings.push({ code: 'rewritten', seq, line: seq + 1, message });
    }
  }
  return findings;
}
