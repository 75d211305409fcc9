import { asRecord, asText } from './lines.ts';

/**
 * Longer than what a transcript shows of a call, so that redaction, which comes in between, sees whole tokens: the
 * last word is dropped, because a secret cut in half is not recognised as one.
 */
const CLIP_CHARACTERS = 1000;

export function clip(text: string): string {
  if (text.length <= CLIP_CHARACTERS) return text;
  const cut = text.slice(0, CLIP_CHARACTERS);
  const lastSpace = cut.search(/\s\S*$/u);
  return lastSpace === -1 ? '…' : `${cut.slice(0, lastSpace)} …`;
}

/** The arguments that say most about a call, by the names that common tools use. */
const TELLING_KEYS = [
  'command',
  'cmd',
  'file_path',
  'notebook_path',
  'pattern',
  'path',
  'query',
  'url',
  'description',
  'subject',
  'skill',
  'prompt',
  'message',
] as const;

/** A tool's arguments in short: the command, the file, the question. */
export function describeArguments(input: unknown): string {
  if (typeof input === 'string') return clip(input);
  const record = asRecord(input);
  if (record === undefined) return input === undefined || input === null ? '' : clip(JSON.stringify(input));
  const key = TELLING_KEYS.find((name) => isTelling(record[name]));
  if (key !== undefined) {
    const main = shown(record[key]);
    const place = key === 'pattern' ? asText(record['path']) : undefined;
    return clip(place === undefined ? main : `${main} ${place}`);
  }
  return clip(
    Object.entries(record)
      .map(([name, value]) => `${name}: ${clip(shown(value))}`)
      .join(', '),
  );
}

function isTelling(value: unknown): boolean {
  return (typeof value === 'string' && value !== '') || (Array.isArray(value) && value.length > 0);
}

function shown(value: unknown): string {
  if (typeof value === 'string') return value.length > CLIP_CHARACTERS ? clip(value) : value;
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return unwrapShell(value).join(' ');
  return JSON.stringify(value) ?? '';
}

/** `bash -lc "…"` is how one agent runs everything; what it runs is what matters. */
function unwrapShell(command: readonly string[]): readonly string[] {
  const [shell = '', flag = '', script] = command;
  const isShell = /(?:^|[\\/])(?:ba|z|da)?sh$/u.test(shell) && /^-l?c$/u.test(flag);
  return isShell && script !== undefined && command.length === 3 ? [script] : command;
}

/** Arguments that arrive as JSON in a string. */
export function describeEncodedArguments(text: string): string {
  try {
    return describeArguments(JSON.parse(text));
  } catch (error) {
    // Some tools take plain text; what is no JSON is shown as it stands.
    if (error instanceof SyntaxError) return clip(text);
    throw error;
  }
}

/** A file shown with line numbers says nothing that its name does not; how long it is suffices. */
const NUMBERED_LISTING = /^\s*\d+(?:→|\t)/u;

/** A tool's result in short. */
export function describeResult(text: string): string {
  if (!NUMBERED_LISTING.test(text)) return clip(text);
  const lines = text.trimEnd().split('\n').length;
  return `${lines} line${lines === 1 ? '' : 's'}`;
}
