import { z } from 'zod';
import { diff } from '../../../operations/history/diff.ts';
import { log, type LogEntry } from '../../../operations/history/log.ts';
import { when, type Appearance } from '../../../operations/history/when.ts';
import { looksLikeItemId } from '../../../operations/find-item.ts';
import { runOperation } from '../../../operations/operation.ts';
import { why } from '../../../operations/why.ts';
import { scopeFor } from '../access.ts';
import { NOTICE, type ToolAnswer, type ToolCall, defineTool, fence, tell } from '../tool.ts';
import { readVisible, toReadTarget } from '../uris.ts';

const text = z.string();

const input = z.object({
  text: text.trim().min(1).optional(),
  path: text.trim().min(1).optional(),
  since: text.optional(),
  until: text.optional(),
  diff: z.boolean().default(false),
  limit: z.number().int().min(1).max(200).default(20),
  scope: text.optional(),
});

/** About five thousand tokens: more of a difference in one answer pushes out the conversation. */
const MAX_DIFF_CHARS = 20_000;

type Given = z.output<typeof input>;

export const memoryHistory = defineTool({
  name: 'memory_history',
  title: 'History',
  description:
    'How memory came to say what it says. text: when something was learned and what became of it; path or id: who changed it, when and why; neither: the latest changes.',
  effect: 'read',
  input,
  listed: {
    text: 'Words as they were written.',
    path: 'A path or an id.',
    since: '',
    until: '',
    diff: 'With what changed.',
    limit: '',
  },
  aliases: {
    text: ['query', 'q', 'phrase', 'words'],
    path: ['id', 'file', 'target', 'item', 'memory_id', 'identifier'],
    since: ['from', 'after'],
    until: ['to', 'before'],
    diff: ['full', 'patch', 'changes'],
    limit: ['n', 'k', 'max_results', 'count'],
    scope: ['namespace'],
  },
  async run(call, given) {
    if (given.text !== undefined) return showLearned(call, given, given.text);
    if (given.path !== undefined && looksLikeItemId(given.path)) return showOrigin(call, given, given.path);
    if (given.diff && given.path === undefined) return showDifference(call, given);
    return showLog(call, given);
  },
});

function answer(lines: readonly string[], head = ''): ToolAnswer {
  if (lines.length === 0) return tell(['Nothing is known of that in the history.']);
  const quoted = fence({}, lines.join('\n'));
  const message = `${head}${NOTICE}`;
  return { text: `${message}\n\n${quoted}`, structured: { message, text: quoted } };
}

/** A path as the history names it; refuses what the client may not see, as if it were not there. */
async function pathOf(call: ToolCall, given: string | undefined): Promise<string | undefined> {
  if (given === undefined) return undefined;
  const target = toReadTarget(given);
  return call.access.scope === undefined ? target : (await readVisible(call, { target })).path;
}

async function showLearned(call: ToolCall, given: Given, words: string): Promise<ToolAnswer> {
  const path = await pathOf(call, given.path);
  const { first, later, now } = await runOperation(when, call.context, { text: words, path });
  const line = ({ time, path: file, actor, summary, before, after }: Appearance): string =>
    `${time} ${after > before ? 'came into' : 'left'} ${file} by ${actor}: ${summary}`;
  const where = now.map(({ path: file }) => file);
  const stands = where.length === 0 ? 'It stands nowhere now.' : `It stands in ${[...new Set(where)].join(', ')}.`;
  return answer([...[first, ...later].map(line), stands]);
}

async function showOrigin(call: ToolCall, given: Given, id: string): Promise<ToolAnswer> {
  await readVisible(call, { target: id });
  const found = await runOperation(why, call.context, { id, scope: scopeFor(call.access, given.scope) });
  if (!('remembered' in found)) return answer([]);
  const { remembered } = found;
  const { source, session, turn, actor, writtenAt, summary } = remembered.provenance;
  const lines = [
    remembered.text,
    `${remembered.path}:${remembered.startLine}, ${remembered.store}, trust ${remembered.trust}, source ${source}`,
    `written ${writtenAt ?? 'at an unknown time'} by ${actor ?? 'nobody known'}${summary === null ? '' : `: ${summary}`}`,
    ...(session === null ? [] : [`from ${turn ?? session}`]),
  ];
  return answer(lines);
}

async function showDifference({ context }: ToolCall, { since, until }: Given): Promise<ToolAnswer> {
  const changed = await runOperation(diff, context, { from: since ?? 'today', to: until ?? 'now' });
  const isCut = changed.diff.length > MAX_DIFF_CHARS;
  const head = `${changed.files.length} files, +${changed.addedLines} -${changed.removedLines} lines. `;
  const files = changed.files.map(
    ({ path, addedLines, removedLines }) => `${path} +${addedLines ?? '?'} -${removedLines ?? '?'}`,
  );
  return answer([...files, '', changed.diff.slice(0, MAX_DIFF_CHARS)], isCut ? `${head}Cut off; name a path. ` : head);
}

async function showLog(call: ToolCall, given: Given): Promise<ToolAnswer> {
  const path = await pathOf(call, given.path);
  const { since, until, limit, diff: full } = given;
  const { entries, hasMore } = await runOperation(log, call.context, { path, since, until, limit, full });
  const lines = entries.flatMap((entry) => (entry.diff === null ? logLine(entry) : [logLine(entry), entry.diff]));
  const isCut = lines.join('\n').length > MAX_DIFF_CHARS;
  const shown = isCut ? [lines.join('\n').slice(0, MAX_DIFF_CHARS)] : lines;
  return answer(shown, hasMore || isCut ? 'There is more. ' : '');
}

function logLine({ time, action, actor, author, isOwnCommit, summary, files, mutations }: LogEntry): string {
  const who = isOwnCommit ? author : actor;
  return `${time} ${action ?? 'COMMIT'} ${files.map(({ path }) => path).join(', ')} by ${who}: ${summary} (${mutations[0] ?? '-'})`;
}
