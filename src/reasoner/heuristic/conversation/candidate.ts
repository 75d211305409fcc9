import { packagedJudge } from '../../../judge/judge.ts';
import type { Candidate, Certainty, EntityMention, KnowledgeKind } from '../../../model/knowledge.ts';
import { SAFETY, tagsOf } from '../../../model/content-words.ts';
import { entitiesIn } from '../entities/entities.ts';
import { propertyIn, type PropertyMention } from '../entities/bearer.ts';
import type { Finding, Scene } from '../kinds/finding.ts';
import { subjectNamed } from '../entities/subject.ts';
import { coreBlockOf } from '../route/store.ts';
import { rationaleOf, stateFinding, stepsOf, triggerOf } from '../statement/statement.ts';

const MAX_QUOTE = 240;

/** A decision that says it undoes an earlier one. */
const TAKES_BACK =
  /\b(?:after all|changed my mind|no longer|drop the|cancel(?:led)?|not .{0,40} any ?more|instead of|scrap)\b/iu;

export function toCandidate(finding: Finding, scene: Scene): Candidate {
  const { heard, kind } = finding;
  const { turn, text } = heard.utterance;
  const { project } = scene.conversation;
  const statement = stateFinding(finding, scene);
  const entities = entitiesIn(statement, scene);
  const property = propertyIn(statement, turn.role === 'user' ? text : '', scene);
  const subject = subjectOf(statement, entities, kind, property, scene);
  const steps = kind === 'procedure' ? stepsOf(text) : undefined;
  const coreBlock = coreBlockOf({
    text,
    kind,
    property,
    isUsers: isUsers(subject),
    isSafety: SAFETY.test(text),
    stepCount: steps?.length,
    lexicon: scene.lexicon,
  });
  return {
    kind,
    statement,
    evidence: {
      session: scene.conversation.session,
      turns: [...new Set([turn.id, ...(finding.alsoTurns ?? [])])],
      quote: text.length <= MAX_QUOTE ? text : `${text.slice(0, MAX_QUOTE - 1)}…`,
    },
    trust: turn.trust,
    saidMs: turn.timeMs,
    confidence: certaintyOf(finding.score),
    importance: importanceOf(statement),
    subject,
    attribute: property?.attribute,
    value: property?.value,
    from: fromOf(finding),
    until: untilOf(finding),
    due: kind === 'task' ? heard.dates[0]?.date : undefined,
    owner: kind === 'task' ? finding.owner : undefined,
    rationale: kind === 'decision' || kind === 'lesson' ? rationaleOf(text) : undefined,
    trigger: kind === 'procedure' ? triggerOf(text) : undefined,
    steps,
    corrects: finding.corrects,
    retracts: kind === 'decision' && TAKES_BACK.test(text) ? text : undefined,
    entities,
    // Read from whole messages: `findRelations`.
    relations: [],
    tags: tagsOf(statement, project),
    isCoreWorthy: coreBlock !== undefined,
    coreBlock,
  };
}

/** Only people, projects and organisations have pages of their own from the first statement on. */
export function isUsers(subject: EntityMention | undefined): boolean {
  return subject === undefined || subject.isUser === true || !HAVE_PAGES.has(subject.type);
}

const OF_USER = /^(?:i|we)(?:['’](?:m|ve|re|d|ll))?\b/iu;
const HAVE_PAGES: ReadonlySet<string> = new Set(['person', 'project', 'organization']);

/** Whom or what it is about: named before its verb, else the user where it speaks of them, else whatever it names first. */
export function subjectOf(
  statement: string,
  entities: readonly EntityMention[],
  kind: KnowledgeKind | undefined,
  property: PropertyMention | undefined,
  scene: Scene,
): EntityMention | undefined {
  // A thing that has a port is found under its name, not under all the words it was spoken of with.
  if (property !== undefined && property.subject.type !== 'concept') return property.subject;
  const isUsersOwn = OF_USER.test(statement) && (kind === 'person' || kind === 'fact' || kind === 'correction');
  return (
    subjectNamed(statement, kind, scene) ??
    property?.subject ??
    (isUsersOwn ? { name: scene.user, type: 'person', isUser: true } : undefined) ??
    entities.find(({ isUser }) => isUser === true) ??
    entities[0] ??
    (scene.conversation.project === undefined ? undefined : { name: scene.conversation.project, type: 'project' })
  );
}

function certaintyOf(score: number): Certainty {
  if (score >= 0.8) return 'high';
  return score >= 0.6 ? 'medium' : 'low';
}

/** From what is needed hardly ever to what every session needs. */
const LEAST_IMPORTANCE = 0.3;
const MOST_IMPORTANCE = 0.9;
const TIMES_NEEDED: Readonly<Record<string, number>> = { never: 0, rarely: 1, often: 2, always: 3 };

/** The expected need of an agent for the statement, as the model judges it. */
function importanceOf(statement: string): number {
  const chances = Object.entries(packagedJudge().rateStanding(statement));
  const needed = chances.reduce((sum, [label, chance]) => sum + chance * (TIMES_NEEDED[label] ?? 0), 0) / 3;
  return Math.round((LEAST_IMPORTANCE + (MOST_IMPORTANCE - LEAST_IMPORTANCE) * needed) * 100) / 100;
}

export function fromOf({ kind, heard }: Finding): string | undefined {
  if (kind === 'task') return undefined;
  const found = heard.dates.find(({ index }) =>
    /\b(?:from|since|starting|as of|starts|starts on|beginning)\s+(?:on\s+)?$/iu.test(
      heard.utterance.text.slice(0, index),
    ),
  );
  return found?.date;
}

export function untilOf({ kind, heard }: Finding): string | undefined {
  if (kind === 'task') return undefined;
  return heard.dates.find(({ index }) =>
    /\b(?:until|till|to|ends?(?: on)?|expires?(?: on)?|runs out(?: on)?)\s+(?:the\s+)?$/iu.test(
      heard.utterance.text.slice(0, index),
    ),
  )?.date;
}
