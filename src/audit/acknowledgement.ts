import { MnemeError } from '../model/errors.ts';
import { isMutationId } from '../model/ids.ts';
import { roleOf, type Actor } from '../model/mutation.ts';
import type { CommitRequest } from '../workspace/door/request.ts';
import { MANY_FILES, type AuditLine } from './line.ts';

/** A person's word on a change that nobody vouched for. */
export type AckAnswer = 'mine' | 'not-mine';

export interface Acknowledgement {
  readonly answer: AckAnswer;
  readonly by: Actor;
  readonly timeMs: number;
  /** The mutation that recorded the answer. */
  readonly mutation: string;
}

/** The write path cuts a trigger at 300 characters; eight references and the words around them stay below. */
const MAX_REFERENCES = 8;

const TRIGGER = /^ack(?: (mine|not-mine))?((?: [\w:]+)+)$/;

export function isPerson(actor: Actor): boolean {
  return actor !== 'external' && roleOf(actor) === 'human';
}

/**
 * The mutations that record an answer: without file changes, so that the answer is history like everything else and
 * comes back from git's trailers.
 */
export function ackRequests(references: readonly string[], answer: AckAnswer, actor: Actor): CommitRequest[] {
  if (!isPerson(actor)) {
    throw new MnemeError('refused', `${actor} cannot say whose changes these were.`, {
      hint: 'Only a person can: run `mneme audit ack` yourself.',
    });
  }
  const unique = [...new Set(references)];
  const requests: CommitRequest[] = [];
  for (let start = 0; start < unique.length; start += MAX_REFERENCES) {
    const part = unique.slice(start, start + MAX_REFERENCES);
    const count = `${part.length} change${part.length === 1 ? '' : 's'}`;
    requests.push({
      changes: [],
      action: 'ALERT',
      actor,
      approval: 'approved',
      trigger: `ack ${answer} ${part.join(' ')}`,
      summary: answer === 'mine' ? `yes, ${count} acknowledged` : `no, ${count} disowned`,
    });
  }
  return requests;
}

export interface ParsedAck {
  readonly answer: AckAnswer;
  readonly references: readonly string[];
}

export function parseAck(trigger: string | undefined): ParsedAck | undefined {
  const match = TRIGGER.exec(trigger ?? '');
  if (match === null) return undefined;
  const references = (match[2] ?? '').trim().split(' ');
  return { answer: match[1] === 'not-mine' ? 'not-mine' : 'mine', references };
}

/** Whether the line records a person's answer. A commit made outside the write path does not prove a person. */
export function isAnswer(line: AuditLine): boolean {
  const isThroughDoor = line.reference !== undefined && isMutationId(line.reference);
  return line.action === 'ALERT' && isThroughDoor && isPerson(line.actor) && parseAck(line.trigger) !== undefined;
}

/** By the reference that was answered; a later answer replaces an earlier one. */
export function readAcknowledgements(lines: readonly AuditLine[]): Map<string, Acknowledgement> {
  const answers = new Map<string, Acknowledgement>();
  for (const line of lines.filter(isAnswer)) {
    const { answer, references } = parseAck(line.trigger) ?? { answer: 'mine', references: [] };
    const given = { answer, by: line.actor, timeMs: line.timeMs, mutation: line.reference ?? '' };
    for (const reference of references) answers.set(reference, given);
  }
  return answers;
}

/**
 * A change outside the write path: an editor's save, an agent's shell, somebody's own `git commit`. What a
 * merge brought has lines of its own.
 */
export function isOutsideEdit(line: AuditLine): boolean {
  if (line.file === MANY_FILES) return false;
  return line.actor === 'external' || (line.actor === 'manual' && !isMutationId(line.reference ?? ''));
}

/** A change of a critical file; the files that the first run itself writes are no news. */
export function isCriticalChange(line: AuditLine): boolean {
  const isFirstRun = line.actor === 'system:init' && line.action === 'CREATE';
  return line.isCritical && line.action !== 'ALERT' && !isFirstRun;
}

/** The lines that wait for a person's answer. */
export function pendingLines(lines: readonly AuditLine[]): AuditLine[] {
  const answers = readAcknowledgements(lines);
  const isOpen = (line: AuditLine): boolean => line.reference !== undefined && !answers.has(line.reference);
  return lines.filter((line) => (isCriticalChange(line) || isOutsideEdit(line)) && isOpen(line));
}
