import type { Turn, TurnPart } from './transcript.ts';

type ToolPart = Extract<TurnPart, { kind: 'tool' }>;

/** Results that say no more than that the call went well. */
const BARE_RESULT =
  /^[^\p{L}\p{N}]*(?:ok(?:ay)?|done|success(?:ful|fully)?|true|null|undefined|none|exit(?: code)?:? 0|no (?:output|content))?[^\p{L}\p{N}]*$/iu;
const SAVED =
  /^(?:the )?(?:file|todos?|notebook|cell)\b[^\n]{0,300}\b(?:created|updated|written|edited|saved|modified)\b[^\n]{0,200}$/iu;
/** Tools whose call without a result says only that a file was looked at or saved. */
const FILE_TOOL = /^(?:write|edit|multiedit|notebookedit|read|glob|ls|todowrite|todoread)$/iu;

/** Mneme's own tools under the names that agents give them: `mcp__mneme__memory_search`, `mneme.recall`, `memory_search`. */
const OWN_TOOL =
  /(?:^|[_.:/-])mneme(?:$|[_.:/-])|^memory_(?:context|forget|get|graph|history|propose|read|reflect|search|update|write)$/iu;
const OWN_COMMAND = /^\W*(?:(?:command|cmd)\W+)?(?:npx\s+)?mneme\s+[a-z]/iu;

/** Text between `<think>` and `</think>` that stands in no code span; one that a model never closed reaches to the end. */
const THINKING = /(?<!`)<think(?:ing)?>[\s\S]*?<\/think(?:ing)?>(?!`)|^\s*<think(?:ing)?>[\s\S]*$/giu;

/** An agent's words without its inline reasoning. Keeps line ends, so that lines keep their places in the file. */
export function withoutThinking(text: string): string {
  if (!/<think/iu.test(text)) return text;
  return text.replaceAll(THINKING, (thought) => thought.replaceAll(/[^\n]+/gu, ''));
}

/**
 * The parts of a turn, undefined where there is nothing to remember: receipts without content, calls of Mneme's own tools
 * and an agent's inline reasoning belong to the transcript and are no memories.
 */
export function memorableParts({ role, name, parts }: Pick<Turn, 'role' | 'name' | 'parts'>): (TurnPart | undefined)[] {
  const isOwn = role === 'tool' && name !== undefined && OWN_TOOL.test(name);
  return parts.map((part) => {
    if (isOwn) return undefined;
    if (part.kind === 'tool') return isMemorable(part) ? part : undefined;
    if (part.kind !== 'text') return part;
    if (role === 'tool') return BARE_RESULT.test(part.text) ? undefined : part;
    return role === 'agent' ? { kind: 'text', text: withoutThinking(part.text) } : part;
  });
}

/** Whether an agent used Mneme here, by tool or by command. */
export function isOwnCall({ name, args }: ToolPart): boolean {
  return OWN_TOOL.test(name) || OWN_COMMAND.test(args);
}

function isMemorable(call: ToolPart): boolean {
  if (isOwnCall(call)) return false;
  const { name, result } = call;
  return result === undefined ? !FILE_TOOL.test(name) : !BARE_RESULT.test(result) && !SAVED.test(result.trim());
}
