import type { DocumentKey } from '../passage.ts';

/** A document's key as one text: keys are told apart and put in order by it. NUL is before all other characters. */
export function keyText({ source, path }: DocumentKey): string {
  return `${source}\0${path}`;
}
