/**
 * The lines of a transcript that carry meaning, and the escaping that keeps a speaker's own lines from being taken for
 * them. Escaping puts one more backslash before what looks like a heading or marker; Markdown shows it as the plain
 * character, and taking one off restores the line exactly, however many there were.
 */

export type TranscriptMark =
  | { readonly kind: 'tool'; readonly name: string; readonly args: string; readonly result?: string | undefined }
  | {
      readonly kind: 'knowledge';
      readonly action: string;
      readonly path: string;
      readonly summary?: string | undefined;
    }
  | { readonly kind: 'attachment'; readonly path: string; readonly note?: string | undefined };

const LOOKS_LIKE_MARK = String.raw`#{1,6}(?=[ \t]|$)|> ?\[(?:tool|knowledge|attachment):`;
const NEEDS_ESCAPE = new RegExp(String.raw`^( {0,3})(\\*(?:${LOOKS_LIKE_MARK}))`, 'u');
const IS_ESCAPED = new RegExp(String.raw`^( {0,3})\\(\\*(?:${LOOKS_LIKE_MARK}))`, 'u');

export function escapeLine(line: string): string {
  return line.replace(NEEDS_ESCAPE, String.raw`$1\$2`);
}

export function unescapeLine(line: string): string {
  return line.replace(IS_ESCAPED, '$1$2');
}

export function renderMark(mark: TranscriptMark): string {
  if (mark.kind === 'attachment') {
    return `> [attachment:${mark.path.replaceAll(']', '%5D')}]${detail('', mark.note)}`;
  }
  if (mark.kind === 'tool') {
    return `> [tool:${word(mark.name)}]${detail('', mark.args)}${detail(' →', mark.result)}`;
  }
  return `> [knowledge:${word(mark.action)}]${detail('', mark.path)}${detail(' —', mark.summary)}`;
}

const MARK_PATTERN = /^> ?\[(tool|knowledge|attachment):([^\]]+)\](.*)$/u;

export function parseMark(line: string): TranscriptMark | undefined {
  const match = MARK_PATTERN.exec(line);
  if (match === null) return undefined;
  const [, kind, name = '', rest = ''] = match;
  if (kind === 'attachment') return { kind, path: name, ...optional('note', rest === '' ? undefined : inner(rest)) };
  if (kind === 'tool') {
    const [args, result] = cut(rest, '→');
    return { kind, name, args, ...optional('result', result) };
  }
  const [path, summary] = cut(rest, '—');
  return { kind: 'knowledge', action: name, path, ...optional('summary', summary) };
}

function optional<K extends string>(key: K, value: string | undefined): Partial<Record<K, string>> {
  return value === undefined ? {} : ({ [key]: value } as Record<K, string>);
}

/** A name inside the brackets can hold neither the closing bracket nor a line end. */
function word(name: string): string {
  return name.replaceAll(/[\]\s]+/gu, '_');
}

function detail(separator: string, text: string | undefined): string {
  if (text === undefined) return '';
  return text === '' ? separator : `${separator} ${escapeDetail(text)}`;
}

/** A mark is one line: line ends are shown as ⏎, and the separators are escaped where they are text. */
function escapeDetail(text: string): string {
  return normalLineEnds(text)
    .replaceAll(/\\*[→—⏎]/gu, String.raw`\$&`)
    .replaceAll('\n', ' ⏎ ');
}

function unescapeDetail(text: string): string {
  return text.replaceAll(' ⏎ ', '\n').replaceAll(/\\(\\*[→—⏎])/gu, '$1');
}

/** Splits at the first separator that is not escaped. */
function cut(rest: string, separator: string): [string, string | undefined] {
  const at = new RegExp(String.raw`(?<!\\)${separator}`, 'u').exec(rest)?.index;
  if (at === undefined) return [inner(rest), undefined];
  return [inner(rest.slice(0, Math.max(at - 1, 0))), inner(rest.slice(at + 1))];
}

function inner(spaced: string): string {
  return unescapeDetail(spaced.startsWith(' ') ? spaced.slice(1) : spaced);
}

/** Transcripts are kept with LF, so that one line end means one thing. */
export function normalLineEnds(text: string): string {
  return text.replaceAll(/\r\n?/gu, '\n');
}
