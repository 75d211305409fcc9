import type { DoneStep } from './attempts.ts';

/** Looking around is done before anything, in any order: it is not how something is done. */
const LOOKING_TOOLS = /^(?:read|view|grep|glob|ls|list|search|find|web_?search|web_?fetch|todo_?write|task)\b/iu;
const LOOKING_COMMANDS =
  /^(?:ls|cat|head|tail|pwd|cd|echo|find|grep|rg|which|wc|less|tree|git (?:status|log|diff|show|branch)|sed -n)\b/iu;

const MAX_TEXT = 120;

/** "12 passed, 0 failed" went well. */
const FAILURE =
  /\b(?:(?<!\b(?:0|no) )(?:errors?|failed|failures?)|fatal|exception|traceback|not found|permission denied|exit(?:ed)?(?: with)?(?: code| status)? [1-9])\b/iu;

/** Whether what a tool returned says that it did not work. */
export function isFailure(result: string): boolean {
  return FAILURE.test(result);
}

/** A tool call as a step; undefined for one that only looks. */
export function stepOfTool(name: string, args: string): DoneStep | undefined {
  const command = commandOf(args);
  if (command === undefined) {
    return LOOKING_TOOLS.test(name) ? undefined : { sign: name, text: shown(name, args) };
  }
  if (LOOKING_COMMANDS.test(command)) return undefined;
  return { sign: `${name} ${verbOf(command)}`, text: `\`${clip(command.replaceAll('`', "'"))}\`` };
}

/**
 * Returns the command of a shell call: the whole of plain arguments, or the value of `command`; undefined when there
 * is none.
 */
function commandOf(args: string): string | undefined {
  const text = args.trim();
  const given = /"(?:command|cmd|script)"\s*:\s*"((?:[^"\\]|\\.)*)/u.exec(text)?.[1];
  if (given !== undefined) return given.replaceAll(/\\(.)/gu, '$1').trim();
  return text.startsWith('{') || text.startsWith('[') || text === '' ? undefined : text;
}

/** `npm run build -- --prod` → `npm run build`: the words before the first option, path or value, three at most. */
function verbOf(command: string): string {
  const words = command
    .replace(/^(?:\w+=\S*\s+|sudo\s+)+/u, '')
    .split(/\s+/u)
    .slice(0, 4);
  const end = words.findIndex((word, index) => index > 0 && !/^[a-z][a-z:-]*$/iu.test(word));
  return words.slice(0, end === -1 ? 3 : Math.min(end, 3)).join(' ');
}

function shown(name: string, args: string): string {
  const file = /"(?:file_?path|path|file)"\s*:\s*"((?:[^"\\]|\\.)*)/iu.exec(args)?.[1];
  const about = file?.split(/[\\/]/u).at(-1) ?? '';
  return about === '' ? name : `${name} ${clip(about)}`;
}

function clip(text: string): string {
  const line = text.replaceAll(/\s+/gu, ' ').trim();
  return line.length <= MAX_TEXT ? line : `${line.slice(0, MAX_TEXT - 1).toWellFormed()}…`;
}
