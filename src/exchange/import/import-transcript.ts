import fs from 'node:fs';
import path from 'node:path';
import { MnemeError } from '../../model/errors.ts';
import type { ImportRun } from './import-run.ts';
import { readLines } from './lines.ts';
import { kindOfSource } from './log-files.ts';
import {
  isMarkdown,
  linesOf,
  readMarkdownTranscript,
  TranscriptLines,
  type TranscriptSource,
} from './transcript-file.ts';

/** Imports conversations somebody wrote down or exported: a Markdown transcript, or JSON lines. */
export async function importTranscript(run: ImportRun, paths: readonly string[]): Promise<void> {
  for (const source of paths) {
    const take = source === '-' ? await openInput(run) : openFile(run, source);
    do {
      run.writer.startOver();
      await take();
      await run.writer.flush();
    } while (run.writer.overtaken.size > 0 && !run.isAborted);
  }
}

async function openInput(run: ImportRun): Promise<() => Promise<void>> {
  const text = (await run.controls.readInput?.()) ?? '';
  if (text.trim() === '') throw new MnemeError('usage', 'The input is empty.', { hint: 'Pipe a transcript into it.' });
  const size = Buffer.byteLength(text);
  run.expect([{ size }]);
  return async () => {
    if (isMarkdown(text)) await takeMarkdown(run, text, 'input');
    else await takeLines(run, { name: 'input', lines: linesOf(text) });
    run.finishFile(size);
  };
}

function openFile(run: ImportRun, source: string): () => Promise<void> {
  if (kindOfSource(source) === 'folder') {
    throw new MnemeError('usage', `${source} is a folder.`, { hint: 'Name a transcript file in it.' });
  }
  const { size } = fs.statSync(source);
  run.expect([{ size }]);
  const name = path.basename(source);
  return async () => {
    if (isMarkdown(readStart(source))) await takeMarkdown(run, fs.readFileSync(source, 'utf8'), name);
    else await takeLines(run, { name: name.replace(/\.\w+$/u, ''), lines: readLines(source) });
    run.finishFile(size);
  };
}

async function takeMarkdown(run: ImportRun, text: string, name: string): Promise<void> {
  await run.take(readMarkdownTranscript(text, name, run.clock.zone, run.writer.isKnown));
}

async function takeLines(run: ImportRun, source: TranscriptSource): Promise<void> {
  const reader = new TranscriptLines(run.clock, run.tally, run.writer.isKnown);
  for await (const piece of reader.read(source)) {
    if (run.isAborted) return;
    await run.take(piece);
  }
}

/** The first bytes of a file tell which of the two formats it is. */
function readStart(file: string): string {
  const buffer = Buffer.alloc(512);
  const descriptor = fs.openSync(file, 'r');
  try {
    return buffer.subarray(0, fs.readSync(descriptor, buffer, 0, buffer.length, 0)).toString('utf8');
  } finally {
    fs.closeSync(descriptor);
  }
}
