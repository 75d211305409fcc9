import type { Eraser } from '../workspace/registries.ts';
import { pathsOf, waitingChanges, type Proposal } from './proposal.ts';
import type { Proposals } from './proposals.ts';
import { isOpen } from './state.ts';

const WHERE = 'proposals';
/** Stays in the header of the proposal, so that a reviewer sees why it can no longer be approved. */
const REASON = 'words that it would have written or changed were erased permanently';

/**
 * Withdraws open proposals whose changes hold the words: without them a change is no longer the one that was proposed.
 * A proposal that only quotes them (title, reasons, evidence) stays open. The words themselves go with those of every
 * other file. Runs before the files are rewritten, because afterwards no proposal can be told to have held them.
 */
export function createProposalEraser(proposals: Proposals): Eraser {
  return {
    name: WHERE,
    async erase({ erase, actor }) {
      const holds = (text: string): boolean => {
        const bytes = Buffer.from(text, 'utf8');
        return erase(bytes) !== bytes;
      };
      const touched = proposals
        .list()
        .proposals.filter((proposal) => isOpen(proposal.state) && wordsOfChanges(proposal).some(holds));
      for (const { id } of touched) await proposals.withdraw(id, { actor, why: REASON });
      const notes = touched.map(({ id, kind }) => `The ${kind} proposal ${id} was withdrawn: ${REASON}.`);
      return { where: WHERE, occurrences: touched.length, notes };
    },
  };
}

/** Everything of a proposal that approving it would write. */
function wordsOfChanges(proposal: Proposal): string[] {
  const { statement } = proposal;
  const waiting = waitingChanges(proposal);
  const changed = [...waiting.map(({ diff }) => diff), ...waiting.flatMap(pathsOf)];
  if (statement === undefined) return changed;
  const { content, subject = '', attribute = '', value = '', entities } = statement;
  return [...changed, content, subject, attribute, value, ...entities];
}
