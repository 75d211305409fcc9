import { MnemeError } from '../../../model/errors.ts';
import { readElements } from '../../sources/json-elements.ts';
import { type SourceFile, openSource } from '../../sources/open-source.ts';
import type { ImportRun } from '../import-run.ts';
import { asRecord } from '../lines.ts';
import type { ConversationFormat, ExportedConversation, ImportedPiece } from '../port.ts';
import { SessionDraft } from '../session-draft.ts';

/** Imports the conversations of a service's export, one at a time, however large it is. */
export async function importConversations(
  run: ImportRun,
  format: ConversationFormat,
  paths: readonly string[],
): Promise<void> {
  for (const given of paths) {
    const { files, isFile } = await openSource(given, run.tally, (relative) => format.files.test(relative));
    // A file that was named may be called anything.
    if (files.length === 0) {
      throw new MnemeError('not-found', `${given} holds no ${format.describes}.`, {
        hint: isFile ? 'Is it the file that the service sent?' : 'Name the file with the conversations.',
      });
    }
    run.expect(files);
    do {
      run.writer.startOver();
      for (const file of files) await importFile(run, format, file);
      await run.writer.flush();
    } while (run.writer.overtaken.size > 0 && !run.isAborted);
  }
}

async function importFile(run: ImportRun, format: ConversationFormat, file: SourceFile): Promise<void> {
  let hasDamage = false;
  let lastAt = 0;
  for await (const { at, value, problem, isRecovered } of readElements(file)) {
    if (run.isAborted) return;
    run.readTo(at - lastAt);
    lastAt = at;
    const record = asRecord(value);
    const conversation = record === undefined ? undefined : format.parse(record);
    if (conversation !== undefined) {
      hasDamage = false;
      await takeConversation(run, format, conversation, file);
      continue;
    }
    // Parts of what could not be read are no damage of their own.
    if (isRecovered && (hasDamage || problem === undefined)) continue;
    hasDamage = problem !== undefined;
    run.tally.addDamage('conversation', problem ?? 'not a conversation', { file: file.relative, at });
  }
  run.finishFile(Math.max(file.size - lastAt, 0));
}

async function takeConversation(
  run: ImportRun,
  format: ConversationFormat,
  conversation: ExportedConversation,
  file: SourceFile,
): Promise<void> {
  const fallbackMs = conversation.startedMs ?? file.mtimeMs;
  const draft = new SessionDraft({ clock: run.clock, isKnown: run.writer.isKnown, fallbackMs });
  draft.title = conversation.title;
  conversation.read(draft, run.tally);
  const { turns, keys, startedMs, endedMs } = draft.take();
  const origin = `${format.name}:${conversation.id}`;
  if (turns.length === 0) {
    run.tally.add('session', run.writer.stateOf(origin) === undefined ? 'without words' : 'already imported');
    return;
  }
  const piece: ImportedPiece = {
    origin,
    channel: format.name,
    model: draft.model,
    topic: draft.topic,
    tags: undefined,
    project: undefined,
    trust: undefined,
    timezone: run.clock.zone,
    started: run.clock.at(startedMs).stamp,
    ended: run.clock.at(endedMs).stamp,
    endedMs,
    turns,
    keys,
    position: undefined,
  };
  await run.take(piece);
}
