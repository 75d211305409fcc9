import { estimateTokens } from '../../workspace/formats/core.ts';
import { waitingChanges, type Proposal, type ProposedChange } from '../../proposals/proposal.ts';
import { CORE_FILE } from '../../memory/stores/core-bullets.ts';
import { numberOfReflection, QUESTIONS_TITLE } from './log.ts';
import { oneLine } from '../../model/text.ts';

export const PENDING_REFLECTION = 'memory/meta/pending-reflection.md';

/** The form a person reads before they decide (S4 §10.5). A line that begins with a number is decided on by it. */
export interface ReflectionForm {
  /** Proposed for core memory. */
  readonly about: readonly string[];
  /** Proposed for core memory, because it was said more than once. */
  readonly repeated: readonly string[];
  readonly changed: readonly string[];
  readonly contradictions: readonly string[];
  readonly questions: readonly string[];
  readonly lettingGo: readonly string[];
  readonly knowledge: readonly string[];
  readonly connections: readonly string[];
  readonly evolution: readonly string[];
  readonly deferred: readonly string[];
  readonly footer: readonly (readonly [string, string])[];
}

export const FORM_LINES = 10;
const MAX_LINE_CHARS = 260;

/** The form as the words of a proposal: its titles are bold, because headings there belong to the proposal. */
export function renderForm(form: ReflectionForm, maxLines = FORM_LINES): string {
  const section = (title: string, lines: readonly string[], most = maxLines): string[] => {
    const shown = shownOf(lines, most);
    return shown.length === 0 ? [] : [`**${title}**`, '', ...shown.map((line) => `- ${line}`), ''];
  };
  return [
    ...section('🪞 New About You', form.about),
    ...section('🔁 Rules You Keep Repeating', form.repeated),
    ...section('🔄 What Changed', form.changed),
    ...section('⚠️ Needs a Word From You', form.contradictions),
    ...section(QUESTIONS_TITLE, form.questions),
    ...section('🍂 Worth Letting Go', form.lettingGo),
    ...section('📚 Also Learned', form.knowledge, Math.ceil(maxLines / 2)),
    ...section('🔗 New Connections', form.connections, Math.ceil(maxLines / 2)),
    ...section('🌱 Then and Now', form.evolution),
    ...section('📥 Put Off Until Now', form.deferred),
    ...form.footer.map(([name, value]) => `**${name}**: ${oneLine(value)}`),
  ].join('\n');
}

/** A line that the change of this number would carry out. */
export function numbered(number: number, line: string): string {
  return `${number} · ${line}`;
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
    '> `mneme approve reflection` applies all of it, `--only 1,3` the lines with these numbers, `--edit` your version of it.',
    '> `mneme reject reflection --only 2` declines a line, without `--only` all of it. Nothing happens by silence.',
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
