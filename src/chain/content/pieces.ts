import { parseTranscript } from '../../workspace/formats/transcript.ts';
import { parseDocument } from '../../workspace/markdown/document.ts';

/**
 * A transcript as the pieces that are committed to: what stands before the first turn, then a piece a turn, from its
 * heading to the next. Together they are the file, byte for byte.
 */
export function splitTranscript(text: string): Buffer[] {
  const starts = new Set(parseTranscript(parseDocument(text)).turns.map(({ startLine }) => startLine));
  const pieces: string[] = [''];
  let number = 0;
  for (const line of text.split(/(?<=\n)/u)) {
    number += 1;
    if (starts.has(number)) pieces.push('');
    pieces[pieces.length - 1] += line;
  }
  return pieces.map((piece) => Buffer.from(piece, 'utf8'));
}

export function splitText(text: string): Buffer[] {
  return [Buffer.from(text, 'utf8')];
}
