import type { Candidate, EntityMention, Evidence } from '../../../model/knowledge.ts';
import { lowestTrust } from '../../../model/provenance.ts';
import type { ExtractInput, HeardTurn } from '../../port.ts';
import type { Finding } from '../schemas.ts';
import type { Window } from '../windows.ts';
import {
  cleanCertainty,
  cleanDay,
  cleanEntities,
  cleanEntity,
  cleanKind,
  cleanLine,
  cleanName,
  cleanRelations,
  cleanTags,
  cleanUpTo,
  cleanWord,
  type NameSources,
} from './clean.ts';
import { canonicalWords } from '../../../model/same-words.ts';
import { foldWords, isQuoted, isSupported, pathsIn, termsOf } from './words.ts';
import { shorten } from '../../../model/text.ts';

/** Why a finding is not believed, in words that follow a number. */
type Objection =
  | 'of a kind nobody asked for'
  | 'citing turns that do not exist'
  | 'resting on turns that were read before'
  | 'quoting words nobody said'
  | 'saying what nobody said'
  | 'naming a path nobody named'
  | 'too long or empty'
  | 'beyond the number that is taken';

export interface Sifted {
  readonly candidates: readonly Candidate[];
  /** The number of dropped findings, by reason. */
  readonly dropped: ReadonlyMap<Objection, number>;
}

const MAX_STATEMENT_CHARACTERS = 400;
const MIN_STATEMENT_CHARACTERS = 8;
const MAX_DETAIL_CHARACTERS = 300;
const MAX_QUOTE_CHARACTERS = 240;
const MAX_STEPS = 20;
const ANTECEDENT_TURNS = 2;
/** A window of ten thousand tokens in which more is worth keeping has not been understood. */
const MAX_FINDINGS = 40;

/** The text of a window, prepared for comparing. */
interface Heard {
  readonly turns: readonly HeardTurn[];
  readonly byId: ReadonlyMap<string, HeardTurn>;
  readonly freshIds: ReadonlySet<string>;
  readonly text: string;
  readonly names: NameSources;
}

/**
 * Keeps what the conversation shows. Nothing is taken from a model on trust: turns and quotes are looked up, names must have
 * been said, and who said it, how far they are trusted and when is read from the turns themselves.
 */
export function siftFindings(findings: readonly Finding[], window: Window, input: ExtractInput): Sifted {
  const heard = prepare(window, input);
  const candidates: Candidate[] = [];
  const dropped = new Map<Objection, number>();
  const seen = new Set<string>();
  for (const finding of findings) {
    const sifted = candidates.length < MAX_FINDINGS ? sift(finding, heard, input) : 'beyond the number that is taken';
    if (typeof sifted === 'string') {
      dropped.set(sifted, (dropped.get(sifted) ?? 0) + 1);
      continue;
    }
    const key = `${sifted.kind} ${canonicalWords(sifted.statement)}`;
    if (!seen.has(key)) candidates.push(sifted);
    seen.add(key);
  }
  return { candidates, dropped };
}

function prepare({ fresh, context }: Window, { conversation }: ExtractInput): Heard {
  const turns = [...context, ...fresh];
  const text = turns.map((turn) => `${turn.name ?? ''} ${turn.text}`).join('\n');
  const { user, project, known = [] } = conversation;
  return {
    turns,
    byId: new Map(turns.map((turn) => [turn.id, turn])),
    freshIds: new Set(fresh.map(({ id }) => id)),
    text,
    names: { said: foldWords(`${text} ${project ?? ''}`), known, user },
  };
}

function sift(finding: Finding, heard: Heard, { kinds, conversation }: ExtractInput): Candidate | Objection {
  const kind = cleanKind(finding.kind);
  if (kind === undefined || !kinds.includes(kind)) return 'of a kind nobody asked for';
  const turns = [...new Set(finding.turns)].flatMap((id) => heard.byId.get(id.trim()) ?? []);
  const [main] = turns;
  if (main === undefined) return 'citing turns that do not exist';
  if (!turns.some(({ id }) => heard.freshIds.has(id))) return 'resting on turns that were read before';
  const texts = turns.map((turn) => turn.text);
  if (!isQuoted(finding.quote, texts)) return 'quoting words nobody said';
  const statement = cleanUpTo(finding.statement, MAX_STATEMENT_CHARACTERS);
  if (statement === undefined || statement.length < MIN_STATEMENT_CHARACTERS) return 'too long or empty';
  const { user, project } = conversation;
  if (!isSupported(statement, termsAround(turns, heard, project), user)) return 'saying what nobody said';
  if (namesStrangePath(finding, heard)) return 'naming a path nobody named';
  const evidence: Evidence = {
    session: conversation.session,
    turns: turns.map(({ id }) => id),
    quote: shorten(cleanLine(finding.quote), MAX_QUOTE_CHARACTERS),
  };
  const trust = lowestTrust(turns.map((turn) => turn.trust));
  const confidence = cleanCertainty(finding.confidence);
  const entities = cleanEntities(finding.entities, heard.names);
  const subject = cleanEntity(finding.subject, heard.names);
  return {
    kind,
    statement,
    evidence,
    trust,
    saidMs: main.timeMs,
    confidence: trust === 'user' || confidence === 'low' ? confidence : 'medium',
    importance: Math.min(1, Math.max(0, finding.importance)),
    ...detailsOf(finding, subject),
    entities,
    relations: cleanRelations(finding.relations, entities, heard.names),
    tags: cleanTags(finding.tags),
    isCoreWorthy: finding.is_core_worthy && trust === 'user',
  };
}

/** The terms of the cited turns, and of those before them, which "it" and "yes" refer to. */
function termsAround(cited: readonly HeardTurn[], { turns }: Heard, project = ''): ReadonlySet<string> {
  const near = cited.flatMap((turn) => {
    const at = turns.indexOf(turn);
    return turns.slice(Math.max(0, at - ANTECEDENT_TURNS), at + 1);
  });
  return termsOf([project, ...near.map(({ name, text }) => `${name ?? ''} ${text}`)].join(' '));
}

/** In names any path is strange; in a sentence only one that was not said. */
function namesStrangePath({ statement, subject, entities, owner, value }: Finding, heard: Heard): boolean {
  const isStrange = (path: string): boolean => !heard.text.includes(path);
  const names = [subject.name, owner, ...entities.map(({ name }) => name)].filter((name) => name.trim() !== '');
  const leadsOut = (name: string): boolean => cleanName(name) === undefined && pathsIn(name).length > 0;
  return names.some(leadsOut) || [...pathsIn(statement), ...pathsIn(value)].some(isStrange);
}

function detailsOf(finding: Finding, subject: EntityMention | undefined): Partial<Candidate> {
  const detail = (text: string): string | undefined => cleanUpTo(text, MAX_DETAIL_CHARACTERS);
  const [attribute, value] = [cleanWord(finding.attribute), detail(finding.value)];
  const isProperty = attribute !== undefined && value !== undefined;
  const steps = finding.steps.flatMap((step) => detail(step) ?? []).slice(0, MAX_STEPS);
  const found: Partial<Record<keyof Candidate, unknown>> = {
    subject,
    attribute: isProperty ? attribute : undefined,
    value: isProperty ? value : undefined,
    from: cleanDay(finding.from),
    until: cleanDay(finding.until),
    due: cleanDay(finding.due),
    owner: cleanName(finding.owner),
    rationale: detail(finding.rationale),
    trigger: detail(finding.trigger),
    steps: steps.length === 0 ? undefined : steps,
    corrects: detail(finding.corrects),
    retracts: detail(finding.retracts),
  };
  return Object.fromEntries(Object.entries(found).filter(([, given]) => given !== undefined));
}
