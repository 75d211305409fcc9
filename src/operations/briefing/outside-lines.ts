import { isOutsideEdit, readAcknowledgements, type AckAnswer } from '../../audit/acknowledgement.ts';
import { commitReference } from '../../audit/history-lines.ts';
import type { AuditLine } from '../../audit/line.ts';
import { SPOKEN_FOR_USER } from '../../compile/told-trust.ts';
import { isMnemeError } from '../../model/errors.ts';
import { kindOfPath } from '../../workspace/formats/layout.ts';
import { renderComment } from '../../workspace/formats/metadata.ts';
import { locateBlocks } from '../../workspace/formats/sections.ts';
import { blobId } from '../../workspace/known-files.ts';
import { blame, type BlameLine } from '../../workspace/git/blame.ts';
import { parseDocument } from '../../workspace/markdown/document.ts';
import type { OperationContext } from '../context.ts';

/** The status of an outside edit until a person answers for it. */
type Standing = 'pending' | 'disowned';

const EXTERNAL = renderComment([['trust', 'external']]);

/**
 * Marks the lines that a program or a person wrote past the write path into files that are told as the user's words. They
 * are the user's once a person says so (`mneme audit ack`); until then they are told as external, and never after
 * "not mine".
 */
export class OutsideLines {
  readonly #context: OperationContext;
  #lines: readonly AuditLine[] | undefined;

  constructor(context: OperationContext) {
    this.#context = context;
  }

  /** The file's text as it may be told. */
  async mark(path: string, text: string): Promise<string> {
    const { layout, workspace } = this.#context;
    if (!SPOKEN_FOR_USER.has(kindOfPath(path, layout))) return text;
    const answers = this.#unsettled(path);
    const known = workspace.knownBlob(path);
    const isRecorded = known === undefined || known === blobId(Buffer.from(text, 'utf8'));
    if (answers.size === 0 && isRecorded) return text;
    await workspace.drain();
    const standings = (await this.#blame(path, text)).map((line): Standing | undefined => {
      if (line?.commit === undefined) return line === undefined || !isRecorded ? 'pending' : undefined;
      const answer = answers.get(line.mutation ?? '') ?? answers.get(commitReference(line.commit));
      return answer === undefined ? undefined : answer === 'not-mine' ? 'disowned' : 'pending';
    });
    return markLines(text, standings);
  }

  /** The references of outside edits of the file that no person has taken for theirs. */
  #unsettled(path: string): ReadonlyMap<string, AckAnswer | 'none'> {
    this.#lines ??= this.#context.audit.lines();
    const own = this.#lines.filter((line) => line.file === path && isOutsideEdit(line));
    if (own.length === 0) return new Map();
    const answers = readAcknowledgements(this.#lines);
    return new Map(
      own.flatMap(({ reference }) => {
        const answer = answers.get(reference ?? '')?.answer;
        return reference === undefined || answer === 'mine' ? [] : [[reference, answer ?? 'none'] as const];
      }),
    );
  }

  /** One entry a line; undefined where history knows nothing of the file. */
  async #blame(path: string, text: string): Promise<readonly (BlameLine | undefined)[]> {
    try {
      return await blame(this.#context.workspace.git.workspace, path);
    } catch (error) {
      if (!isMnemeError(error, 'not-found')) throw error;
      return text.split('\n').map(() => undefined);
    }
  }
}

/** An item or a paragraph that is wholly from outside is marked; what could not carry a mark is left out. */
function markLines(text: string, standings: readonly (Standing | undefined)[]): string {
  if (standings.every((standing) => standing === undefined)) return text;
  const lines = text.split('\n');
  const isOutside = (line: number): boolean => standings[line - 1] !== undefined;
  for (const { block, startLine, endLine } of locateBlocks(parseDocument(text))) {
    if (block.kind === 'blank') continue;
    const own = lines.slice(startLine - 1, endLine).map((_line, at) => startLine + at);
    const last = own.findLast((line) => (lines[line - 1] ?? '').trim() !== '') ?? startLine;
    const canCarry = block.kind === 'item' || block.kind === 'paragraph';
    const isPending = own.every((line) => line > last || standings[line - 1] === 'pending');
    if (isPending && canCarry && !block.raw.includes('<!--'))
      lines[last - 1] = `${lines[last - 1]?.trimEnd()} ${EXTERNAL}`;
    else for (const line of own) if (isOutside(line)) lines[line - 1] = '';
  }
  return lines.join('\n');
}
