import { errorMessage } from '../model/errors.ts';
import type { ConflictReport } from '../workspace/registries.ts';
import { conflictRequest } from './conflict-report.ts';
import type { ProposalRequest } from './request.ts';
import type { Texts } from './texts.ts';

/**
 * Files what a merge could not settle, one after the other behind the door's back: it reports between two writes, and the
 * proposal is the next one.
 */
export class ReportedConflicts {
  readonly #texts: Texts;
  readonly #propose: (request: ProposalRequest) => Promise<unknown>;
  #background: Promise<void> = Promise.resolve();
  #problems: string[] = [];

  constructor(texts: Texts, propose: (request: ProposalRequest) => Promise<unknown>) {
    this.#texts = texts;
    this.#propose = propose;
  }

  /** Returns at once. */
  add(report: ConflictReport): void {
    this.#background = this.#background.then(async () => {
      try {
        const current = await this.#texts.current(report.path);
        const request = current === undefined ? undefined : conflictRequest(report, current);
        if (request !== undefined) await this.#propose(request);
      } catch (error) {
        this.#problems.push(`The conflict in ${report.path} could not be filed: ${errorMessage(error)}`);
      }
    });
  }

  /** Waits until every one is filed; returns what failed. */
  async settle(): Promise<readonly string[]> {
    await this.#background;
    const problems = this.#problems;
    this.#problems = [];
    return problems;
  }
}
