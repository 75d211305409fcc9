import { oppose } from '../../maintain/reflect/oppose.ts';
import { inWords, isReadable } from '../../maintain/reflect/said-when.ts';
import type { Survey } from '../../maintain/reflect/survey.ts';
import { ownWords } from '../../judge/handed-over/split.ts';
import { packagedJudge } from '../../judge/judge.ts';
import { addDays, DAY_MS } from '../../model/time.ts';
import { splitSentences } from '../../reasoner/heuristic/text/sentences.ts';
import { spoken } from '../../reasoner/heuristic/text/words.ts';
import { turnText, type Transcript, type Turn } from '../../workspace/formats/transcript.ts';
import { dayOfTranscript, readTranscript, transcriptPaths } from '../browse/sessions.ts';
import type { OperationContext } from '../context.ts';

/** A sentence of the user, as a conversation has it. */
interface Statement {
  readonly text: string;
  readonly day: string;
  readonly session: string;
  /** `s1#t4` */
  readonly turn: string;
}

/** Earlier words are on an earlier page, or were too long ago for the first one to begin with. */
const MOST_DAYS = 31;
/** A week in which more is said has its contradictions elsewhere; each sentence is a question to the index. */
const MOST_SENTENCES = 300;
const MOST_HITS = 10;
const MOST_FOUND = 5;

/**
 * Questions about what the user said in conversations since the last reflection and otherwise before. Most of what is said becomes
 * no fact, and of two facts on different pages neither page says that they contradict each other. The cost grows with what is new:
 * the index, which leaves out what was forgotten, finds what was said before.
 */
export async function saidOtherwise(
  context: OperationContext,
  { since, today, entities }: Pick<Survey, 'since' | 'today' | 'entities'>,
): Promise<string[]> {
  const from = [since, addDays(today, -MOST_DAYS)].sort().at(-1) ?? '';
  const paths = transcriptPaths(context).filter((path) => dayOfTranscript(path) >= from);
  const settled = new Set(
    entities
      .flatMap(({ entity }) => entity.facts.filter((fact) => fact.isSuperseded))
      .flatMap(({ meta }) => meta.evidence ?? []),
  );
  const read = new Map<string, readonly Statement[]>();
  const statementsAt = (path: string): readonly Statement[] => {
    const known = read.get(path) ?? readTranscript(context, path).flatMap(statementsOf);
    read.set(path, known);
    return known;
  };
  const found: string[] = [];
  for (const later of paths.flatMap(statementsAt).slice(0, MOST_SENTENCES)) {
    if (found.length >= MOST_FOUND) break;
    const earlier = await findOpposed(context, later, statementsAt);
    if (earlier !== undefined && !settled.has(earlier.turn)) found.push(describe(earlier, later));
  }
  return found;
}

async function findOpposed(
  { search }: OperationContext,
  later: Statement,
  statementsAt: (path: string) => readonly Statement[],
): Promise<Statement | undefined> {
  const untilMs = Date.parse(later.day) + DAY_MS;
  const filter = { scopes: ['shared'], trust: ['user'], untilMs } as const;
  const request = { text: later.text, filter, limit: MOST_HITS, tokens: undefined, isUnlisted: true } as const;
  const { hits } = await search.ask(request);
  const turns = hits.filter(({ source }) => source === 'raw');
  return turns
    .flatMap(({ path, provenance }) =>
      statementsAt(path).filter(({ turn }) => turn === `${provenance.session}#${provenance.turn}`),
    )
    .find(
      (earlier) =>
        earlier.session !== later.session && earlier.day < later.day && oppose(earlier.text, later.text, packagedJudge),
    );
}

/** Sentences of the user alone that can be read alone. */
function statementsOf({ frontmatter, turns }: Transcript): Statement[] {
  const { session_id: session = '', scope = 'shared', trust } = frontmatter;
  if (scope !== 'shared' || trust !== undefined) return [];
  return turns.filter(({ role }) => role === 'user').flatMap((turn) => sentencesOf(session, turn));
}

function sentencesOf(session: string, turn: Turn): Statement[] {
  return splitSentences(spoken(ownWords(turnText(turn))))
    .filter(({ text, isAsked }) => !isAsked && isReadable(text))
    .map(({ text }) => ({ text, day: turn.date, session, turn: `${session}#${turn.id}` }));
}

function describe(earlier: Statement, later: Statement): string {
  return `You said “${earlier.text}” (${inWords(earlier)}), but later “${later.text}” (${inWords(later)}). Which of them holds?`;
}
