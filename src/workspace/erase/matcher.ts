import { slugify } from '../safety/paths.ts';

/**
 * The number of neighbouring characters of a text that count as it. Summaries and logs keep the beginning of a
 * memory only, so a beginning of this length is erased as well; shorter texts must occur whole.
 */
const MIN_BEGINNING = 24;

/** A file name made from a text says as much as the text when it is this long. */
const MIN_SLUG = 10;
const MAX_SLUG = 60;

/** Replaces every trace of some texts in bytes; returns the same bytes when there is none. */
export type EraseBytes = (bytes: Buffer) => Buffer;

/** Finds texts the way Mneme may have written them down: as they are, inside JSON, on one line, as a file name. */
export function createByteEraser(texts: readonly string[], replacement: string): EraseBytes {
  const needles = texts.flatMap(formsOf);
  const replacementBytes = Buffer.from(replacement, 'utf8');
  const wide = texts.flatMap(wideNeedlesOf);
  return (bytes) => {
    let result = bytes;
    for (const needle of needles) result = eraseNeedle(result, needle, replacementBytes);
    // Only text in UTF-16 is full of NUL bytes.
    if (!bytes.includes(0)) return result;
    for (const needle of wide) result = eraseNeedle(result, needle, needle.encode(replacement));
    return result;
  };
}

const toUtf16le = (text: string): Buffer => Buffer.from(text, 'utf16le');
const toUtf16be = (text: string): Buffer => toUtf16le(text).swap16();

interface WideNeedle extends Needle {
  readonly encode: (text: string) => Buffer;
}

/** Returns the UTF-16 forms of a text, in both byte orders: some programs save text so. */
function wideNeedlesOf(text: string): WideNeedle[] {
  const trimmed = text.trim();
  if (trimmed === '') return [];
  const forms = new Set([trimmed, trimmed.replaceAll('\n', '\r\n'), trimmed.replaceAll(/\s+/gu, ' ')]);
  return [...forms].flatMap((form) =>
    [toUtf16le, toUtf16be].map((encode) => ({
      whole: encode(form),
      beginning: encode([...form].slice(0, MIN_BEGINNING).join('')),
      encode,
    })),
  );
}

interface Needle {
  readonly whole: Buffer;
  /** The bytes searched for; a match is then extended as far as it goes. */
  readonly beginning: Buffer;
}

function formsOf(text: string): Needle[] {
  const trimmed = text.trim();
  if (trimmed === '') return [];
  const oneLine = trimmed.replaceAll(/\s+/gu, ' ');
  const plain = [trimmed, trimmed.replaceAll('\n', '\r\n'), oneLine];
  const forms = new Set(plain);
  for (const form of plain) {
    forms.add(JSON.stringify(form).slice(1, -1));
    forms.add(encodeURIComponent(form));
    forms.add(form.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'));
  }
  // The longest slug there is: shorter ones are its beginnings, and a match goes as far as it can.
  const slug = slugify(trimmed, MAX_SLUG);
  if (slug.length >= MIN_SLUG) forms.add(slug);
  // Longest first, so that a form that contains another is not left in pieces.
  return [...forms].sort((a, b) => b.length - a.length).map(needleOf);
}

function needleOf(form: string): Needle {
  const whole = Buffer.from(form, 'utf8');
  return { whole, beginning: Buffer.from([...form].slice(0, MIN_BEGINNING).join(''), 'utf8') };
}

function eraseNeedle(bytes: Buffer, { whole, beginning }: Needle, replacement: Buffer): Buffer {
  let at = bytes.indexOf(beginning);
  if (at === -1) return bytes;
  const pieces: Buffer[] = [];
  let copied = 0;
  for (; at !== -1; at = bytes.indexOf(beginning, copied)) {
    let length = beginning.length;
    while (length < whole.length && at + length < bytes.length && bytes[at + length] === whole[length]) length += 1;
    pieces.push(bytes.subarray(copied, at), replacement);
    copied = at + length;
  }
  return Buffer.concat([...pieces, bytes.subarray(copied)]);
}
