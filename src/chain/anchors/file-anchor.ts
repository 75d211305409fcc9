import fs from 'node:fs';
import path from 'node:path';
import { MnemeError, systemCode } from '../../model/errors.ts';
import { type AnchorPlace, type HeldHead, parseHead, serializeHead } from './port.ts';

/** A file that grows by a line a head: on a stick, a share, or wherever somebody else keeps it. */
export function createFileAnchor(file: string): AnchorPlace {
  return {
    kind: 'file',
    place: file,
    leave(head) {
      try {
        fs.mkdirSync(path.dirname(file), { recursive: true });
        fs.appendFileSync(file, `${serializeHead(head)}\n`, { flush: true });
      } catch (error) {
        throw new MnemeError(
          'failure',
          `The head cannot be written to ${file} (${systemCode(error) ?? 'unknown error'}).`,
          {
            hint: 'Name a file that can be written: `mneme config set chain.anchor_file PATH`.',
            cause: error,
          },
        );
      }
      return Promise.resolve({ receipt: null });
    },
    recall(chain, receipts) {
      const lines = readLines(file);
      if (lines === undefined) {
        return Promise.resolve({ heads: [], problems: receipts.length === 0 ? [] : [`${file} is not there`] });
      }
      const heads: HeldHead[] = [];
      const problems: string[] = [];
      for (const [index, line] of lines.entries()) {
        const head = parseHead(line);
        if (head === undefined) problems.push(`line ${index + 1} of ${file} is not a chain head`);
        else if (head.chain === chain) heads.push(head);
      }
      const held = new Set(heads.map(({ head }) => head));
      const gone = receipts.filter(({ head }) => !held.has(head));
      problems.push(...gone.map(({ seq }) => `the head of entry ${seq} is no longer in ${file}`));
      return Promise.resolve({ heads, problems });
    },
  };
}

function readLines(file: string): string[] | undefined {
  try {
    return fs
      .readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
