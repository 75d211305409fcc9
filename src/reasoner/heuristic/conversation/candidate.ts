import type { Candidate, Certainty, EntityMention, KnowledgeKind } from '../../../model/knowledge.ts';
import { entitiesIn } from '../entities/entities.ts';
import { propertyIn } from '../entities/property-mention.ts';
import { relationsIn } from '../entities/relations.ts';
import { tagsOf } from '../entities/tags.ts';
import type { Finding, Scene } from '../kinds/finding.ts';
import { isCoreWorthy } from '../route/store.ts';
import { rationaleOf, stepsOf, triggerOf } from '../statement/parts.ts';
import { stateFinding } from '../statement/statement.ts';

const MAX_QUOTE = 240;

/** What a kind is worth when nothing else is known about a statement. */
const IMPORTANCE: Readonly<Record<KnowledgeKind, number>> = {
  decision: 0.7,
  correction: 0.7,
  preference: 0.65,
  lesson: 0.65,
  procedure: 0.6,
  task: 0.55,
  person: 0.55,
  fact: 0.5,
};

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
    importance: importanceOf(finding),
    subject: property?.subject ?? subjectOf(entities, scene),
    attribute: property?.attribute,
    value: property?.value,
    from: fromOf(finding),
    until: untilOf(finding),
    due: kind === 'task' ? heard.dates[0]?.date : undefined,
    owner: kind === 'task' ? finding.owner : undefined,
    rationale: kind === 'decision' || kind === 'lesson' ? rationaleOf(text) : undefined,
    trigger: kind === 'procedure' ? triggerOf(text) : undefined,
    steps: kind === 'procedure' ? stepsOf(text) : undefined,
    corrects: finding.corrects,
    retracts: kind === 'decision' && TAKES_BACK.test(text) ? text : undefined,
    entities,
    relations: relationsIn(statement, entities),
    tags: tagsOf(
      statement,
      project,
      entities.map(({ name }) => name),
    ),
    isCoreWorthy: isCoreWorthy(text, kind),
  };
}

function subjectOf(entities: readonly EntityMention[], scene: Scene): EntityMention | undefined {
  return (
    entities.find(({ isUser }) => isUser === true) ??
    entities[0] ??
    (scene.conversation.project === undefined ? undefined : { name: scene.conversation.project, type: 'project' })
  );
}

function certaintyOf(score: number): Certainty {
  if (score >= 0.8) return 'high';
  return score >= 0.6 ? 'medium' : 'low';
}

/** Said to be kept, or said with force, counts more. */
function importanceOf({ kind, heard, score }: Finding): number {
  const { plain, text } = heard.utterance;
  let importance = IMPORTANCE[kind];
  if (/\b(?:remember|important|never forget|write (?:this|that|it) down|number one|critical|must know)\b/u.test(plain))
    importance += 0.2;
  if (/\b(?:allerg\w+|emergency|dangerous|passport|deadline)\b/u.test(plain)) importance += 0.1;
  if (/!|\b\p{Lu}{4,}\b/u.test(text)) importance += 0.05;
  return Math.min(1, Math.round((importance + (score - 0.6) * 0.1) * 100) / 100);
}

function fromOf({ kind, heard }: Finding): string | undefined {
  if (kind === 'task') return undefined;
  const found = heard.dates.find(({ index }) =>
    /\b(?:from|since|starting|as of|starts|starts on|beginning)\s+(?:on\s+)?$/iu.test(
      heard.utterance.text.slice(0, index),
    ),
  );
  return found?.date;
}

function untilOf({ kind, heard }: Finding): string | undefined {
  if (kind === 'task') return undefined;
  return heard.dates.find(({ index }) =>
    /\b(?:until|till|to|ends?(?: on)?|expires?(?: on)?|runs out(?: on)?)\s+(?:the\s+)?$/iu.test(
      heard.utterance.text.slice(0, index),
    ),
  )?.date;
}
