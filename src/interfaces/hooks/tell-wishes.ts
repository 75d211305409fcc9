import type { WishOutcome } from '../../capture/session-wishes.ts';
import { parseEntityWithIds } from '../../memory/stores/entities/entity-edit.ts';
import { parseEpisodes } from '../../workspace/formats/episode.ts';
import { parseDocument } from '../../workspace/markdown/document.ts';
import type { HookHome } from './hook-home.ts';
import { wishesOf } from './wishes.ts';

export interface Telling {
  readonly text: string | undefined;
  /** The number of outcomes it covers, for `noteTold` once the agent has them. */
  readonly count: number;
}

/** Reports requests fulfilled since the agent's last report; a line each, at the head of its context. */
export function tellFulfilled(home: HookHome, session: string): Telling {
  const outcomes = wishesOf(home).find(session)?.untold ?? [];
  const lines = outcomes.flatMap((outcome) => describe(home, outcome) ?? []);
  return { text: lines.length === 0 ? undefined : lines.join('\n'), count: outcomes.length };
}

function describe(home: HookHome, { kind, id, path, code, count = 0, hasFailed }: WishOutcome): string | undefined {
  if (kind === 'remember') {
    const text = id === undefined || path === undefined ? undefined : findText(home, path, id);
    if (hasFailed === true) return 'Mneme could not remember what the user asked for; say so.';
    return text === undefined ? undefined : `remembered: ${clip(text)} (${path})`;
  }
  if (kind === 'ignore')
    return 'the user wants nothing kept about what they named; `mneme learn ignore list` shows the rules.';
  if (kind !== 'forget') return undefined;
  return code === undefined
    ? 'to be forgotten: nothing of that is remembered.'
    : `to be forgotten: ${count} found; the user confirms with \`mneme forget --confirm ${code}\`.`;
}

const MAX_TOLD_CHARS = 300;

function clip(text: string): string {
  const line = text.replaceAll(/\s+/gu, ' ').trim();
  return line.length <= MAX_TOLD_CHARS ? line : `${line.slice(0, MAX_TOLD_CHARS).toWellFormed()}…`;
}

/** As the file has it now: what was taken back meanwhile is not told. */
function findText({ sessionsHome: { fs, paths } }: HookHome, path: string, id: string): string | undefined {
  const text = fs.read(`${paths.repositories.workspace.workTree}/${path}`)?.toString('utf8');
  if (text === undefined) return undefined;
  if (path.startsWith('memory/meta/proposals/')) return 'it contradicts what is known and waits for a yes';
  const document = parseDocument(text);
  if (path.startsWith('memory/graph/')) {
    return parseEntityWithIds(document, path).facts.find((fact) => fact.id === id && !fact.isSuperseded)?.text;
  }
  return parseEpisodes(document).entries.find((entry) => entry.id === id)?.text;
}
