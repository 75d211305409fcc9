import type { ErrorCode } from '../../model/errors.ts';
import { findImitatedName } from './confusables.ts';

/** Why a name or path is not accepted, as the end of a sentence that starts with the path. */
export interface Objection {
  readonly code: Extract<ErrorCode, 'usage' | 'refused'>;
  readonly problem: string;
  readonly hint: string;
}

/** The limit of every file system in use for one directory entry. */
export const MAX_SEGMENT_BYTES = 255;

const PLAIN_ASCII = /^[\x20-\x7e]*$/;
const WINDOWS_ILLEGAL = /[<>:"|?*]/;
/** Windows ignores whatever follows the first dot and spaces before it; `¹²³` count as digits there. */
const WINDOWS_RESERVED = /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|(?:com|lpt)[0-9¹²³]) *(?:\.|$)/i;
/**
 * `git~1` is what Windows calls `.git` in its short form. NTFS also opens `.git` by `.git.`, `.git ` and
 * `.git::$INDEX_ALLOCATION`.
 */
const GIT_DIRECTORY = /^(?:\.git|git~\d+)[. ]*(?::.*)?$/isu;

const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u;
const BIDI = /\p{Bidi_Control}/u;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;
const ALL_INVISIBLE = /\p{Default_Ignorable_Code_Point}+/gu;
const JOINED_SCRIPT =
  '[\\p{sc=Arab}\\p{sc=Deva}\\p{sc=Beng}\\p{sc=Mlym}\\p{sc=Knda}\\p{sc=Sinh}\\p{sc=Telu}\\p{sc=Taml}]';
/** Emoji sequences, and the joiners that Persian and the Indic scripts need for correct spelling. */
const NEEDED_INVISIBLE = new RegExp(
  [
    '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}])\\ufe0f?\\u200d(?=\\p{Extended_Pictographic})',
    '(?<=\\p{Extended_Pictographic})\\ufe0f',
    `(?<=${JOINED_SCRIPT}\\p{M}*)[\\u200c\\u200d](?=${JOINED_SCRIPT})`,
  ].join('|'),
  'gu',
);

const HINT_RETYPE = 'Type the name again instead of pasting it.';
const HINT_WINDOWS = 'The workspace must be usable on Windows too; choose another name.';

/** Checks that concern the characters of a whole path, whatever its segments are. */
export function findCharacterObjection(path: string): Objection | undefined {
  if (WINDOWS_ILLEGAL.test(path)) {
    return { code: 'usage', problem: 'contains one of < > : " | ? *', hint: HINT_WINDOWS };
  }
  if (PLAIN_ASCII.test(path)) return undefined;
  if (!path.isWellFormed()) {
    return { code: 'usage', problem: 'is not valid Unicode', hint: HINT_RETYPE };
  }
  if (CONTROL.test(path)) return { code: 'refused', problem: 'contains a control character', hint: HINT_RETYPE };
  if (BIDI.test(path)) {
    return { code: 'refused', problem: 'contains a character that reverses the reading direction', hint: HINT_RETYPE };
  }
  if (INVISIBLE.test(path.replace(NEEDED_INVISIBLE, ''))) {
    return { code: 'refused', problem: 'contains an invisible character', hint: HINT_RETYPE };
  }
  return undefined;
}

/** Whether a segment is git's own directory on any system, which would let a write change hooks or settings. */
export function isGitDirectoryName(segment: string): boolean {
  // HFS+ ignores invisible characters when it compares names.
  return GIT_DIRECTORY.test(PLAIN_ASCII.test(segment) ? segment : segment.replaceAll(ALL_INVISIBLE, ''));
}

export function isReservedName(segment: string): boolean {
  return WINDOWS_RESERVED.test(segment);
}

/** Checks one directory entry of a path whose characters are already known to be harmless. */
export function findSegmentObjection(segment: string): Objection | undefined {
  if (segment === '') {
    return { code: 'usage', problem: 'has an empty segment', hint: 'Use single slashes, and none at the end.' };
  }
  if (segment === '.' || segment === '..') {
    return {
      code: 'refused',
      problem: `has the segment "${segment}"`,
      hint: 'Write the path from the workspace down.',
    };
  }
  if (/[. ]$/.test(segment)) {
    return { code: 'usage', problem: 'has a name that ends in a dot or space', hint: HINT_WINDOWS };
  }
  if (isGitDirectoryName(segment)) {
    return { code: 'refused', problem: 'points into the git directory', hint: 'Only git itself writes there.' };
  }
  if (isReservedName(segment)) {
    return { code: 'usage', problem: `has the reserved Windows name "${segment}"`, hint: HINT_WINDOWS };
  }
  if (Buffer.byteLength(segment) > MAX_SEGMENT_BYTES) {
    return { code: 'usage', problem: `has a name longer than ${MAX_SEGMENT_BYTES} bytes`, hint: 'Shorten the name.' };
  }
  const imitated = findImitatedName(segment);
  if (imitated !== undefined) {
    return {
      code: 'refused',
      problem: `contains a name that only looks like ${imitated}`,
      hint: `Type ${imitated} if that is meant, or choose a clearly different name.`,
    };
  }
  return undefined;
}
