import type { Trust } from '../../../model/provenance.ts';
import type { LocatedTurn, Transcript } from '../../../workspace/formats/transcript.ts';
import type { Attempt, DoneStep } from './attempts.ts';

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

const COMPLAINT =
  /^\W*(?:no\b|nope\b|wrong|that(?:'s| is)(?: not|n't)|not what|this is wrong|it(?:'s| is) (?:broken|wrong)|stop\b|undo|revert|roll (?:it )?back|nein\b|falsch)|\b(?:does(?: not|n't) work|did(?: not|n't) work|still (?:fails|failing|broken)|you broke|funktioniert nicht)\b/iu;
/** Goes on with what was asked before. */
const CONTINUATION =
  /^\W*(?:yes|yep|ok(?:ay)?|go on|go ahead|continue|do it|sure|please do|ja|weiter|mach)\b[^?]{0,40}$/iu;

/** The requests of a conversation, each with what the agent then did and whether anybody was unhappy with it. */
export function attemptsOf({ frontmatter, turns }: Transcript): Attempt[] {
  const session = frontmatter.session_id ?? 'session';
  const attempts: Attempt[] = [];
  const groups = groupByRequest(turns);
  for (const [index, group] of groups.entries()) {
    const steps = group.turns.flatMap(stepsOf);
    if (steps.length < 2) continue;
    const reaction = groups[index + 1]?.request;
    attempts.push({
      where: session,
      source: `${session}#${group.id}`,
      request: group.request,
      steps,
      wentWell: !COMPLAINT.test(reaction ?? '') && !isFailure(lastResult(group.turns)),
      trust: trustOf(frontmatter.trust),
    });
  }
  return attempts;
}

/** Actions of agents are no more trusted than the agent, and never more than the whole conversation. */
function trustOf(trust: Trust | undefined): Trust {
  return trust === undefined || trust === 'user' ? 'agent' : trust;
}

interface RequestGroup {
  readonly id: string;
  readonly request: string;
  readonly turns: LocatedTurn[];
}

function groupByRequest(turns: readonly LocatedTurn[]): RequestGroup[] {
  const groups: RequestGroup[] = [];
  for (const turn of turns) {
    const request = turn.role === 'user' ? wordsOf(turn) : '';
    const isNew = request !== '' && !(groups.length > 0 && CONTINUATION.test(request));
    if (isNew) groups.push({ id: turn.id, request, turns: [] });
    groups.at(-1)?.turns.push(turn);
  }
  return groups;
}

function wordsOf({ parts }: LocatedTurn): string {
  return parts
    .flatMap((part) => (part.kind === 'text' ? [part.text] : []))
    .join(' ')
    .trim();
}

function stepsOf({ parts }: LocatedTurn): DoneStep[] {
  return parts.flatMap((part) => (part.kind === 'tool' ? (stepOfTool(part.name, part.args) ?? []) : []));
}

function lastResult(turns: readonly LocatedTurn[]): string {
  const tools = turns.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === 'tool' ? [part] : [])));
  return tools.at(-1)?.result ?? '';
}
