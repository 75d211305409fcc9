import { MnemeError } from '../../../model/errors.ts';
import type { SecretSpan } from './rule.ts';

/** Together these bound a pattern's work: the worst that passes takes a fraction of a second for each secret. */
const MAX_ENTRY_LENGTH = 200;
const MAX_PATTERN_SUBJECT_LENGTH = 128;
const MAX_VARIABLE_PARTS = 3;

/** As in the configuration's schema; anything else is literal, a path such as `/etc/hosts` too. */
const PATTERN_ENTRY = /^\/(?<source>.+)\/(?<flags>[imsu]*)$/s;

export type AllowTest = (text: string, span: SecretSpan) => boolean;

function entryError(entry: string, problem: string): MnemeError {
  return new MnemeError('usage', `The redaction.allow entry "${entry.slice(0, 60)}" ${problem}.`, {
    hint: 'Use the exact text, or a simple pattern such as /^test_[a-z0-9]+$/.',
  });
}

function compilePattern(entry: string, source: string, flags: string): RegExp {
  const skeleton = source.replace(/\\./gs, 'x').replace(/\[[^\]]*\]/g, 'x');
  if (/\)[*+{]/.test(skeleton)) throw entryError(entry, 'repeats a group, which can take for ever on some texts');
  if (/\\[1-9k]/.test(source)) throw entryError(entry, 'refers back to a group');
  const variableParts = skeleton.match(/[*+{]|[^(*+}]\?/g)?.length ?? 0;
  if (variableParts > MAX_VARIABLE_PARTS) throw entryError(entry, 'has too many repeated or optional parts');
  try {
    return new RegExp(source, flags);
  } catch (error) {
    throw new MnemeError('usage', `The redaction.allow entry "${entry.slice(0, 60)}" is not a valid pattern.`, {
      hint: 'Check its brackets and escapes.',
      cause: error,
    });
  }
}

function isInsideLiteral(text: string, { start, end }: SecretSpan, literal: string): boolean {
  return text.slice(Math.max(0, end - literal.length), start + literal.length).includes(literal);
}

/**
 * A literal entry allows a secret that equals it or stands inside it (so a whole URL can be allowed without allowing
 * its password everywhere); a `/pattern/` allows a secret in which it matches.
 */
export function parseAllowList(entries: readonly string[]): AllowTest {
  const literals: string[] = [];
  const patterns: RegExp[] = [];
  for (const entry of entries) {
    if (entry.trim() === '') throw entryError(entry, 'is empty');
    if (entry.length > MAX_ENTRY_LENGTH) throw entryError(entry, `is longer than ${MAX_ENTRY_LENGTH} characters`);
    const groups = PATTERN_ENTRY.exec(entry)?.groups;
    if (groups === undefined) literals.push(entry);
    else patterns.push(compilePattern(entry, groups['source'] ?? '', groups['flags'] ?? ''));
  }
  return (text, span) => {
    if (literals.some((literal) => isInsideLiteral(text, span, literal))) return true;
    if (span.end - span.start > MAX_PATTERN_SUBJECT_LENGTH) return false;
    const secret = text.slice(span.start, span.end);
    return patterns.some((pattern) => pattern.test(secret));
  };
}
