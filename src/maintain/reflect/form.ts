import { estimateTokens } from '../../workspace/formats/core.ts';
import { oneLine } from '../../workspace/formats/item.ts';
import { waitingChanges, type Proposal, type ProposedChange } from '../../proposals/proposal.ts';
import { CORE_FILE } from '../../memory/stores/core-bullets.ts';
import { numberOfReflection, QUESTIONS_TITLE } from './log.ts';

export const PENDING_REFLECTION = 'memory/meta/pending-reflection.md';

/** What a person reads before they decide (S4 §10.5). */
export interface ReflectionForm {
  readonly knowledge: readonly string[];
  readonly connections: readonly string[];
  readonly archival: readonly string[];
  readonly contradictions: readonly string[];
  readonly core: readonly string[];
  readonly evolution: readonly string[];
  readonly deferred: readonly string[];
  readonly questions: readonly string[];
  readonly footer: readonly (readonly [string, string])[];
}

export const FORM_LINES = 10;
const MAX_LINE_CHARS = 160;

/** The form as the words of a proposal: its titles are bold, because headings there belong to the proposal. */
export function renderForm(form: ReflectionForm, maxLines = FORM_LINES): string {
  const section = (title: string, lines: readonly string[], empty?: string): string[] => {
    const shown = lines.length === 0 && empty !== undefined ? [empty] : shownOf(lines, maxLines);
    return shown.length === 0 ? [] : [`**${title}**`, '', ...shown.map((line) => `- ${line}`), ''];
  };
  return [
    ...section('📚 New Knowledge', form.knowledge, 'Nothing new'),
    ...section('🔗 New Connections', form.connections),
    ...section('📦 Proposed Archival', form.archival),
    ...section('⚠️ Contradictions Detected', form.contradictions, 'None this cycle'),
    ...section('🔄 Core Memory Changes', form.core, 'None'),
    ...section('🌱 Philosophical Evolution', form.evolution),
    ...section('📥 Proposals That Were Deferred', form.deferred),
    ...section(QUESTIONS_TITLE, form.questions),
    ...form.footer.map(([name, value]) => `**${name}**: ${oneLine(value)}`),
  ].join('\n');
}

function shownOf(lines: readonly string[], maxLines: number): string[] {
  const shown = lines.slice(0, maxLines).map((line) => {
    const said = oneLine(line);
    return said.length > MAX_LINE_CHARS ? `${said.slice(0, MAX_LINE_CHARS - 1)}…` : said;
  });
  return lines.length > maxLines ? [...shown, `and ${lines.length - maxLines} more`] : shown;
}

/** Everything a reflection writes: its words and its diffs. */
export function outputTokens(why: string, diffs: readonly string[]): number {
  return estimateTokens(why) + diffs.reduce((sum, diff) => sum + estimateTokens(diff), 0);
}

/** `memory/meta/pending-reflection.md`: the reflection that waits, with a diff for each change. */
export function renderPending(proposal: Proposal): string {
  const words = proposal.why.replaceAll(/^\*\*([^*\n]+)\*\*$/gmu, '## $1');
  const changes = waitingChanges(proposal).toSorted((one, other) => rank(one) - rank(other));
  return `${[
    `# Reflection Summary — ${proposal.created.slice(0, 10)}`,
    '',
    '<!-- Made by mneme from the proposal below; change nothing here. -->',
    '',
    words,
    '',
    '---',
    ...changes.flatMap(({ number, action, path, diff }) => [
      '',
      `### Change ${number}: ${action} \`${path}\``,
      '',
      fenced(diff),
    ]),
    '',
    '---',
    '',
    `**Reflection #**: ${numberOfReflection(proposal)}`,
    `**Proposal**: ${proposal.id}`,
    '',
    '> `mneme approve reflection` applies it; `--only 1,3` a part of it, `--without "words"` all but what says these words,',
    '> `--edit` your version of it. `mneme reject reflection --why "…"` declines it. Nothing happens by silence.',
  ].join('\n')}\n`;
}

/** Core memory first: it is read before every answer. */
function rank({ path, number }: ProposedChange): number {
  return path === CORE_FILE ? 0 : number;
}

function fenced(diff: string): string {
  const longest = Math.max(0, ...[...diff.matchAll(/`+/gu)].map(([run]) => run.length));
  const fence = '`'.repeat(Math.max(3, longest + 1));
  return `${fence}diff\n${diff.trimEnd()}\n${fence}`;
}

export const NOTHING_PENDING = `# Reflection Summary

No reflection waits for a decision.
`;
