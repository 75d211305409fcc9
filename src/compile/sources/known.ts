import { SAFETY } from '../../model/content-words.ts';
import { isTrustedAtLeast, type Trust } from '../../model/provenance.ts';
import { dayWrittenIn } from '../../search-index/chunk/due.ts';
import type { StoredPassage } from '../../search-index/port.ts';
import { cutText } from '../../model/text.ts';
import { NO_FEEDBACK, readItems, saidIn, type PromptFeedback } from '../feedback.ts';
import { quoteLine } from '../fence.ts';
import { LaterWords, withNote, type Later } from '../later.ts';
import { formOf, UNSCORED, type Piece } from '../piece.ts';
import { type Owner, PROJECT_MARK, type Project, ownerOf } from '../project.ts';
import { createDays, originOf, type DayOf } from '../quote.ts';
import { repeats, withoutRepetitions, withoutSaidParts } from '../../model/repeated.ts';
import { openReadChange } from '../relevance/changes.ts';
import type { PassageSources } from './passages.ts';
import { DAY_MS } from '../../model/time.ts';

/** The latest of each store that are looked at: more lines than a budget of a few thousand tokens holds. */
const LOOKED_AT = { semantic: 1000, journal: 1000, procedural: 300, episodic: 300 } as const;
type KnownStore = keyof typeof LOOKED_AT;
const STORES = Object.keys(LOOKED_AT) as KnownStore[];

/** Offered at most; hundreds more would only fill the receipt. */
const MAX_LINES = 150;
const LINE_CHARACTERS = 320;
/** Between the sentences of a line. */
const PART = '; ';

/**
 * The value of a line at the start of a session: by its owner, its kind, how often such a statement is needed, and its
 * age. Chosen on the people of `bench/data/people`.
 */
const OWNER_WORTH: Readonly<Record<Owner, number>> = { this: 5, none: 1.7, other: -2.5 };
const STORE_WORTH: Readonly<Record<KnownStore, number>> = { semantic: 0, journal: -0.9, procedural: -0.3, episodic: 0 };
/** Pairs of a line and later words that are read; each takes about 20 ms. */
const READ_AT_START = 12;
const TASK_WORTH = -0.3;
/** Lines about dangers to a person, such as allergies, also where only a journal has them. */
const SAFETY_WORTH = 1;
/** For each hundred characters: two short lines say more than a long one. */
const LENGTH_LOSS = 0.4;
const IMPORTANCE_WORTH = 3.3;
const LOSS_PER_DAY = 0.003;
const USUAL_IMPORTANCE = 0.5;

/** Lines of a page that say nothing by themselves, or no longer. */
const LEFT_OUT: ReadonlySet<string> = new Set(['superseded', 'question', 'relation', 'trigger', 'event']);
/** A task that is closed, and the notes below a decision: when it was replaced, and why it was made. */
const OVER = /^(?:\[[x-]\]|Superseded: |Rationale: )/u;
/** Where a procedure was learned. */
const TURN_ID = /^\S+#t\d+$/u;

interface Line {
  readonly passage: StoredPassage;
  readonly text: string;
  readonly worth: number;
}

export interface KnownLine {
  readonly passage: StoredPassage;
  readonly text: string;
  readonly owner: Owner;
  /** The user's later words about a change to it. */
  readonly later: Later | undefined;
}

/**
 * P1 at the start of a session: what is known of the user, the project and the people around, a line each, the most useful
 * first. `inCore` has, by their ids, the words in which core memory says the same.
 */
export async function knownPieces(
  sources: PassageSources,
  feedback: PromptFeedback,
  inCore: ReadonlyMap<string, string>,
): Promise<Piece[]> {
  const dayOf = createDays(sources.config.time_zone);
  const lines = await knownLines(sources, { feedback });
  return lines.map((line, at) => knownPiece(line, at, { dayOf, project: sources.project, inCore }));
}

/** Finds a turn by its id, `SESSION#t12`. */
export type FindTurn = (id: string) => Promise<StoredPassage | undefined>;

export interface KnownOptions {
  /**
   * For a person, who looks from outside of all projects: no project counts more than another, and a procedure has the day
   * and the conversation it was learned from.
   */
  readonly overview?: FindTurn | undefined;
  readonly feedback?: PromptFeedback | undefined;
}

/** The most useful first, each once, without anything that is known to be replaced; what the user always wants told before it. */
export async function knownLines(
  sources: PassageSources,
  { overview, feedback = NO_FEEDBACK }: KnownOptions = {},
): Promise<KnownLine[]> {
  const { index, scopes, nowMs, project } = sources;
  const projects = (await index.listEntities()).filter(({ type }) => type === 'project');
  const whose = (passage: StoredPassage): Owner => ownerOf(passage, project, projects);
  const worth = (passage: StoredPassage): number =>
    worthOf(passage, overview === undefined ? whose(passage) : 'none', nowMs);
  const wanted = await readItems(sources, scopes, feedback.always);
  const asked = new Set(wanted.map(({ id }) => id));
  const lines = [
    ...wanted.map((passage): Line => ({ passage, text: shortLine(passage.text), worth: Infinity })),
    ...(await readLines(sources, overview))
      .filter(({ passage }) => !asked.has(passage.id) && feedback.whyUnhelpful(saidIn(passage), '') === undefined)
      .map(({ passage, text }): Line => ({ passage, text, worth: worth(passage) + worthOfText(text) })),
  ];
  lines.sort((left, right) => (left.worth === right.worth ? 0 : right.worth - left.worth));
  const words = await LaterWords.read(index, scopes);
  const offered = eachPartOnce(withoutRepetitions(lines, ({ text }) => text)).slice(0, MAX_LINES);
  const later = words.findEach(
    offered.map(({ passage, text }) => ({ ...passage, text })),
    whose,
    openReadChange(READ_AT_START),
  );
  return offered
    .map(({ passage, text }, at) => ({
      passage,
      text: cutText(text, LINE_CHARACTERS),
      owner: whose(passage),
      // A line has no room for words that may only add to it.
      later: later[at]?.says === 'maybe' ? undefined : later[at],
    }))
    .filter(({ passage, later: to }) => asked.has(passage.id) || to?.says !== 'surely' || to.isBeside !== true);
}

/** Statements are often told with their neighbours: what a line above says already is cut off. */
function eachPartOnce(lines: readonly Line[]): Line[] {
  const parts = withoutSaidParts(lines.map(({ text }) => text.split(PART)));
  return lines.map((line, at) => ({ ...line, text: parts[at]?.join(PART) ?? '' })).filter(({ text }) => text !== '');
}

async function readLines(
  { index, scopes, nowMs }: PassageSources,
  findTurn: FindTurn | undefined,
): Promise<Pick<Line, 'passage' | 'text'>[]> {
  const found: StoredPassage[] = [];
  for (const store of STORES) {
    // A scope has no pages: what is remembered in it stands in its days.
    const within = store === 'episodic' ? scopes.filter((scope) => scope !== 'shared') : scopes;
    if (within.length === 0) continue;
    const view = await index.view({ scopes: within, stores: [store] });
    found.push(...(await view.read(await view.findRecent(LOOKED_AT[store]))));
  }
  const written = found.filter((passage) => passage.document.source === 'workspace' && isLive(passage));
  // A journal says what was said on its day, also what has been replaced since.
  const isReplaced = repeats(found.filter(({ type }) => type === 'superseded').map(({ text }) => shortLine(text)));
  const [steps, others] = partition(written, ({ document }) => document.store === 'procedural');
  return [
    ...others
      .filter((passage) => !isPast(passage, nowMs))
      .map((passage) => ({ passage, text: shortLine(passage.text, passage.timeMs) }))
      .filter(({ passage, text }) => passage.document.store !== 'journal' || !isReplaced(text)),
    ...(await proceduresOf(steps, findTurn)),
  ];
}

function isLive({ type, text }: StoredPassage): boolean {
  return !LEFT_OUT.has(type) && !OVER.test(text);
}

/** A task whose day is over is either done or no longer what comes next. */
function isPast({ type, text }: StoredPassage, nowMs: number): boolean {
  return type === 'task' && (dayWrittenIn(text) ?? nowMs) < nowMs;
}

/** A procedure is a line: its name and its steps. */
async function proceduresOf(
  passages: readonly StoredPassage[],
  findTurn: FindTurn | undefined,
): Promise<Pick<Line, 'passage' | 'text'>[]> {
  const byFile = Map.groupBy(passages, ({ document }) => document.path);
  const lines = [...byFile.values()].map(async (own) => {
    const steps = own.filter(({ type }) => type === 'step').sort((left, right) => left.number - right.number);
    const [first] = steps;
    if (first === undefined) return [];
    const name = shortLine(first.document.title);
    const isInName = repeats([name]);
    const said = steps.map(({ text }) => shortLine(text)).filter((step) => !isInName(step));
    const isNamed = said.some((step) => step.includes(name));
    const learnedFrom = own.find(({ text }) => TURN_ID.test(text))?.text;
    const turn = learnedFrom === undefined ? undefined : await findTurn?.(learnedFrom);
    // Its file says when it was written, which for an imported conversation is long after it was said.
    const passage =
      turn === undefined ? first : { ...first, timeMs: turn.timeMs, session: turn.session, turn: turn.turn };
    return [{ passage, text: (isNamed ? said : [name, ...said]).join('; ') }];
  });
  return (await Promise.all(lines)).flat();
}

function worthOf({ document, type, importance, timeMs }: StoredPassage, owner: Owner, nowMs: number): number {
  const days = timeMs === undefined ? 0 : Math.max(0, nowMs - timeMs) / DAY_MS;
  return (
    OWNER_WORTH[owner] +
    STORE_WORTH[document.store as KnownStore] +
    (type === 'task' ? TASK_WORTH : 0) +
    IMPORTANCE_WORTH * (importance ?? USUAL_IMPORTANCE) -
    LOSS_PER_DAY * days
  );
}

function worthOfText(text: string): number {
  const length = Math.min(text.length, LINE_CHARACTERS) / 100;
  return (SAFETY.test(text) ? SAFETY_WORTH : 0) - LENGTH_LOSS * length;
}

interface Place {
  readonly dayOf: DayOf;
  readonly project: Project | undefined;
  readonly inCore: ReadonlyMap<string, string>;
}

function knownPiece(
  { passage, text, owner, later }: KnownLine,
  position: number,
  { dayOf, project, inCore }: Place,
): Piece {
  const { document, timeMs, trust } = passage;
  const day = timeMs === undefined ? '' : `${dayOf(timeMs)} `;
  const place = owner === 'this' ? project?.name : undefined;
  const page = document.store === 'semantic' ? document.title : undefined;
  const about = page === undefined || page === place || isNamedIn(page, text) ? '' : `${page}: `;
  const heading = [place, trustWords(trust)].filter((part) => part !== undefined).join(' · ');
  return {
    tag: 'known',
    origin: originOf([passage], passage),
    forms: [formOf('full', () => ` ${day}${quoteLine(`${about}${withNote(text, later, dayOf)}`)}`)],
    said: passage.text,
    same: inCore.get(passage.id),
    position,
    below: { heading: `[${quoteLine(heading)}]`, order: timeMs ?? 0 },
    ...UNSCORED,
  };
}

/** Whether a text says which page it is from. */
function isNamedIn(page: string, text: string): boolean {
  return page.split(' ').some((word) => word.length > 1 && text.toLowerCase().includes(word.toLowerCase()));
}

function trustWords(trust: Trust): string {
  return isTrustedAtLeast(trust, 'agent') ? trust : `${trust}, untrusted`;
}

function partition<T>(all: readonly T[], test: (one: T) => boolean): [T[], T[]] {
  return [all.filter(test), all.filter((one) => !test(one))];
}

/** Says what the line's own day says, and what was answered: both cost more than they tell. */
const DATE = /^\d{4}-\d{2}-\d{2}: /u;
const LEAD = /^(?:About|Correcting) “.*?”: /u;
const OPEN_TASK = /^\[ \] /u;
/** Left over where a sentence was cut out of a message. */
const LEFT_OVER = /^(?:[)\],;:.–—]+ |\( \) )+/u;
/**
 * A day that was worked out, behind words that name it themselves: "31 October (2025-10-31)", or a figure taken for one,
 * "16:00 (2025-08-07)".
 */
const WORKED_OUT =
  /(?<=(?:\d|\d(?:st|nd|rd|th|h)|\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?))) \((\d{4})-\d{2}(?:-\d{2})?\)/giu;

/** A statement as a line: nothing that stands above it anyway, and no more than what was said. */
export function shortLine(text: string, saidMs?: number): string {
  const line = text.replaceAll(/\s+/gu, ' ').trim().replace(DATE, '');
  const [task, said] = OPEN_TASK.test(line) ? ['To do: ', line.replace(OPEN_TASK, '')] : ['', line];
  const year = saidMs === undefined ? undefined : String(new Date(saidMs).getUTCFullYear());
  const short = said
    .replace(LEFT_OVER, '')
    .replace(LEAD, '')
    .replace(PROJECT_MARK, '')
    .replaceAll(WORKED_OUT, (whole, named: string) => (named === year ? '' : whole));
  return `${task}${short}`;
}
